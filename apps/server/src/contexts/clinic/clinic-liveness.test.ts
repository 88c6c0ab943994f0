/** The trial of liveness: scores arrive with records and are listed by their labels; nothing else is read. */
import { encodeChecks, type Check } from '@gatehouse/access-rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { faceLivenessCalls } from '@gatehouse/contract/faces/liveness'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { newId, recordId } from '../../platform/database/ids.ts'
import { passages, sentBy } from '../records/testing/records.ts'

const MINUTE = 60_000
const DAY = 86_400_000

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const face: Check = { code: 'face', ok: true, score: 91, threshold: 73, distance: 0.3 }
const scored = (score: number | null): string => encodeChecks([face, { code: 'liveness', ok: true, score, threshold: null }])

/** Create a park whose door has sent records with these checks, a minute apart, oldest first. */
async function parkWith(checks: readonly string[], age = 0) {
  const park = await world.addPark()
  const door = await park.device()
  const now = Date.now()
  const sent = passages(checks.map((text, index) => ({ checks: text, occurredAt: now - age - (checks.length - index) * MINUTE })))
  await world.server.contexts.records.ingest({ deviceId: door.id, parkId: park.park.id }, sentBy(sent, { sentAt: now }))
  return { park, door, ids: checks.map((_, index) => recordId(door.id, 'boot-1', index + 1)) }
}

const trial = (site: Pick<Site, 'call'>, query: object = {}) => site.call(clinicCalls.livenessTrial, { query })
const scores = async (site: Pick<Site, 'call'>, query: object = {}) => (await trial(site, query)).content.map(({ score }) => score)
const label = (site: Pick<Site, 'ask'>, id: string, as: 'genuine' | 'spoof') =>
  site.ask(faceLivenessCalls.addRecord, { body: { recordId: id, label: as } })

describe('passages with a liveness score', () => {
  test('are listed newest first; those without one, or with none that makes sense, are not among them', async () => {
    const nonsense = ['not checks', '[[21,1,7]]', '[[21,1,-0.5]]', '[[21,1,"0.5"]]', '[[21,1]]', '[]', scored(null), encodeChecks([face])]
    const { park, door, ids } = await parkWith([scored(0.25), ...nonsense, scored(0.875), scored(0), scored(1)])
    const { content, ...rest } = await trial(park)
    expect(rest).toEqual({ total: 4, totalExact: true, page: 1, size: 20 })
    expect(content.map(({ score }) => score)).toEqual([1, 0, 0.875, 0.25])
    expect(content[3]).toEqual({
      recordId: ids[0],
      time: expect.any(Number),
      deviceName: door.name,
      personName: '',
      result: 1,
      score: 0.25,
      captureThumbnail: '',
      label: null,
    })
    expect(await scores(park, { below: 0.875 })).toEqual([0, 0.25])
    expect(await scores(park, { page: 2, size: 3 })).toEqual([0.25])
    expect(await park.ask(clinicCalls.livenessTrial, { query: { page: 1_000, size: 20 } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'page', rule: 'max.number', params: { limit: LIST_OFFSET_MAX / 20 } }] },
    })
  })

  test('are of the last 30 days and of this park', async () => {
    const { park } = await parkWith([scored(0.5)], 29 * DAY)
    expect(await scores(park)).toEqual([0.5])
    expect(await scores((await parkWith([scored(0.5)], 30 * DAY)).park)).toEqual([])
    const guard = await world.session({ permissions: ['access.record'], park: park.park })
    expect(await scores(guard)).toEqual([0.5])
    const nobody = await world.session({ permissions: ['person.list'], park: park.park })
    expect(await nobody.ask(clinicCalls.livenessTrial, { query: {} })).toMatchObject({ status: 403 })
  })

  test('are filtered by what people say of them', async () => {
    const { park, ids } = await parkWith([scored(0.1), scored(0.2), scored(0.3), scored(0.4)])
    const { liveness } = world.server.contexts.faces.service
    // As with an engine that has a liveness model; the built-in one has none.
    const say = (id: string, as: 'genuine' | 'spoof') =>
      liveness.addCapture({ parkId: park.park.id }, { recordId: id, label: as, score: 0.5, modelId: 'a model' })
    await say(ids[0]!, 'spoof')
    await say(ids[2]!, 'genuine')
    await say(ids[3]!, 'spoof')
    expect((await trial(park)).content.map((row) => row.label)).toEqual(['spoof', 'genuine', null, 'spoof'])
    expect(await scores(park, { label: 'spoof' })).toEqual([0.4, 0.1])
    expect(await scores(park, { label: 'spoof', below: 0.4 })).toEqual([0.1])
    expect(await scores(park, { label: 'genuine' })).toEqual([0.3])
    expect(await scores(park, { label: 'none' })).toEqual([0.2])
    expect((await trial(park, { label: 'none' })).total).toBe(1)
  })
})

describe('saying what a passage was', () => {
  test('takes a record of this park that has a score, on a server that knows such scores', async () => {
    const { park, ids } = await parkWith([scored(0.5), encodeChecks([face])])
    expect(await label(park, ids[1]!, 'genuine')).toMatchObject({ status: 400, data: { fields: [{ path: 'recordId', rule: 'invalid' }] } })
    expect(await label(park, newId(), 'spoof')).toMatchObject({ status: 404 })
    expect(await label(world, ids[0]!, 'spoof')).toMatchObject({ status: 404 })
    expect(await label(park, ids[0]!, 'spoof')).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'recordId', rule: 'engineCannotTell' }] },
    })
  })
})
