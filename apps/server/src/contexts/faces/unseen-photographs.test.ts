/** Counts of photos reveal nothing about the watch list to a user who may not see it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { faceReportCalls } from '@gatehouse/contract/faces/report'
import { specialCalls } from '@gatehouse/contract/people/special'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS } from '@gatehouse/face-engine'
import { until } from '../../../../../tests/support/until.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

test('the state of the engine and the settings of the comparison are the same with and without somebody on the watch list', async () => {
  const site = await world.addPark()
  const other = await world.session({ park: site.park, roleSign: 'other', permissions: ['device.setting'] })
  await site.person({ photo: await portraitVariant(DISTINCT_PORTRAITS[0], 0) })
  const embed = async () => {
    const { id } = await site.call(faceCalls.embedAgain, { body: {} })
    return until('the work', async () => {
      const { work } = await site.call(faceCalls.engine, {})
      return work?.id === id && work.state === 'done' ? work : undefined
    })
  }
  const engineState = async () => {
    const { work, ...engine } = await other.call(faceCalls.engine, {})
    return {
      engine,
      work: { done: work?.done, total: work?.total, failed: work?.failed },
      policy: await other.call(facePolicyCalls.read, {}),
    }
  }
  await embed()
  const before = await engineState()
  expect(before.engine).toMatchObject({ photos: 1, current: 1, refused: 0 })

  const { id: groupId } = await site.call(specialCalls.createGroup, { body: { name: 'Watched' } })
  const photos = [await portraitVariant(DISTINCT_PORTRAITS[1]!, 0), await portraitVariant(DISTINCT_PORTRAITS[1]!, 1)]
  const cached = [
    await site.call(faceCalls.cache, { body: {}, file: photos[0]! }),
    await site.call(faceCalls.cache, { body: {}, file: photos[1]! }),
  ]
  await site.call(specialCalls.create, { body: { name: 'Moriarty', groupId, facePhotos: cached.map(({ faceId }) => faceId) } })
  expect(await site.call(faceCalls.engine, {})).toMatchObject({ photos: 3, current: 3 })
  expect(await site.call(facePolicyCalls.read, {})).toMatchObject({ persons: 2, personsWithFew: 1 })
  expect(await engineState()).toEqual(before)
  await embed()
  expect(await engineState()).toEqual(before)
})

test('error rates leave out the watch list for those who may not know of it, and those of everybody are not shown to them', async () => {
  const site = await world.addPark()
  const other = await world.session({ park: site.park, roleSign: 'other', permissions: ['device.setting'] })
  for (const [at, name] of ['Ann', 'Ben'].entries())
    await site.person({ name, photo: await portraitVariant(DISTINCT_PORTRAITS[at + 2]!, 0) })
  const { id: groupId } = await site.call(specialCalls.createGroup, { body: { name: 'Watched' } })
  const { faceId } = await site.call(faceCalls.cache, { body: {}, file: await portraitVariant(DISTINCT_PORTRAITS[4]!, 0) })
  await site.call(specialCalls.create, { body: { name: 'Moran', groupId, facePhotos: [faceId] } })
  const measured = async (by: Pick<Site, 'call'>) => {
    const { id } = await by.call(faceReportCalls.start, { body: {} })
    return until('the report', async () => {
      const report = await by.call(faceReportCalls.read, { params: { id } })
      return report.work.state === 'done' ? report : undefined
    })
  }
  const whole = await measured(site)
  expect(whole).toMatchObject({ persons: 3, photos: 3 })
  expect(await other.ask(faceReportCalls.read, { params: { id: whole.id } })).toMatchObject({ status: 404 })
  expect((await other.call(faceReportCalls.list, { query: {} })).total).toBe(0)

  const own = await measured(other)
  expect(own).toMatchObject({ persons: 2, photos: 2 })
  expect(JSON.stringify(own)).not.toMatch(/special|Watched/)
  expect((await other.call(faceReportCalls.list, { query: {} })).content.map(({ id }) => id)).toEqual([own.id])
  expect((await site.call(faceReportCalls.list, { query: {} })).total).toBe(2)
})
