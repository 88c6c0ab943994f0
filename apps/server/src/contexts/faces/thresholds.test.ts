/** The scores that keep a park's promises follow persons who are added and removed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { DEFAULT_PROMISES, scoreKept } from '@gatehouse/contract/faces/promise'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { BUILTIN_ENGINE, DISTINCT_PORTRAITS } from '@gatehouse/face-engine'
import { createThresholds } from './thresholds.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const { recommended } = BUILTIN_ENGINE.calibration
const service = () => world.server.contexts.faces.service
const settled = () => world.server.platform.events.settled()
const promise = (site: Site, strangersPerThousand: number) =>
  site.call(facePolicyCalls.change, {
    body: {
      ...DEFAULT_PROMISES,
      strangersPerThousand,
      margin: 5,
      lookAlikeMargin: 10,
      photosWanted: 2,
      liveness: { mode: 'off' },
    },
  })
const counted = async ({ park }: Site) => {
  await settled()
  return world.server.contexts.faces.service.thresholdsOf({ parkId: park.id })
}

test('two photographs of a person are one template, those set aside none, and a contact is one of a door alone', async () => {
  const site = await world.addPark()
  const measured = createThresholds(world.server.platform, BUILTIN_ENGINE, {
    promisesOf: ({ parkId }) => service().policyOf({ parkId }).promises,
    lookedOutFor: (scope) => world.server.contexts.people.service.lookedOutFor(scope),
    facesPerDay: () => Promise.resolve(400),
    curveOf: () => null,
  })
  const measures = async () => {
    await settled()
    measured.noteChanged({ parkId: site.park.id })
    return measured.measures({ parkId: site.park.id })
  }
  const [first, second] = DISTINCT_PORTRAITS
  const twice = await site.person({ photo: [await portraitVariant(first, 0), await portraitVariant(first, 1)] })
  const once = await site.person({ photo: await portraitVariant(second, 0) })
  expect(await measures()).toMatchObject({
    door: { templates: 2 },
    search: { templates: 2 },
    watchList: { templates: 0, facesPerDay: 400 },
  })

  await site.call(faceCalls.setAside, { params: { id: twice.faceIds[1]! }, body: { setAside: true } })
  expect(await measures()).toMatchObject({ door: { templates: 2 } })
  const { id: groupId } = await site.call(specialCalls.createGroup, { body: { name: 'Watched' } })
  const { faceId } = await site.call(faceCalls.cache, { body: {}, file: await portraitVariant(DISTINCT_PORTRAITS[2], 0) })
  await site.call(specialCalls.create, { body: { name: 'Moriarty', groupId, facePhotos: [faceId] } })
  expect(await measures()).toMatchObject({ door: { templates: 2 }, search: { templates: 3 }, watchList: { templates: 1 } })
  expect((await measured.of({ parkId: site.park.id })).watchList).toBeCloseTo(
    scoreKept('watchList', 1, { templates: 1, facesPerDay: 400 }, recommended.watchList),
    9,
  )

  await site.call(peopleCalls.delete, { query: { ids: [once.id] }, body: undefined })
  expect(await measures()).toMatchObject({ door: { templates: 1 }, search: { templates: 2 } })
})

test('are others once photographs are, come or gone, and the same while only people without any come', async () => {
  const site = await world.addPark()
  await promise(site, 0.1)
  const asked = (templates: number) => scoreKept('door', 0.1, { templates }, recommended.door)
  const enter = async (portrait: number) => site.person({ photo: await portraitVariant(DISTINCT_PORTRAITS[portrait]!, 0) })
  await enter(3)
  expect((await counted(site)).door).toBeCloseTo(asked(1), 9)
  const second = await enter(4)
  expect((await counted(site)).door).toBeCloseTo(asked(2), 9)
  expect(asked(2)).toBeGreaterThan(asked(1))
  await site.person()
  expect((await counted(site)).door).toBeCloseTo(asked(2), 9)
  await site.call(peopleCalls.delete, { query: { ids: [second.id] }, body: undefined })
  expect((await counted(site)).door).toBeCloseTo(asked(1), 9)
})

test('a device compares by the curve of its own model where the server knows it, by the former one where it is of a former version', () => {
  const scope = { parkId: world.park.id }
  const at = (modelId: string | undefined) => {
    const { loosest, joins, curveOf } = service().comparingAt(scope, modelId)
    return { loosest, two: joins(2), curve: curveOf('') }
  }
  const loosest = recommended.door
  expect(at(BUILTIN_ENGINE.modelId)).toEqual({ loosest, two: true, curve: null })
  expect(at('builtin-128-2')).toEqual({ loosest, two: false, curve: null })
  // For unknown models, and devices that have not reported theirs, the server's own model is used.
  expect(at('somebody-else-512')).toEqual({ loosest, two: true, curve: null })
  expect(at(undefined)).toEqual({ loosest, two: true, curve: null })
})
