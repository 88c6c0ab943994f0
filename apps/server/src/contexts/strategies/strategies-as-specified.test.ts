/** Strategies written from the specification's entity alone: names and values are written out here. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Half past eleven in the evening in Shanghai. */
const EVENING = Date.parse('2026-12-01T15:30:00Z')
const MIDNIGHT = Date.parse('2026-12-01T16:00:00Z')

let world: World
let now = EVENING
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
beforeEach(() => {
  now = EVENING
})
afterAll(() => world?.stop())

/** Create a park with a person, a door and a rule; bodies are sent as they are written here. */
async function place() {
  const park = await world.addPark({ zone: 'Asia/Shanghai' })
  const [person, door, rule] = [await park.person({ name: 'Li Wei' }), await park.device({ name: 'Gate' }), await park.timeRule()]
  const add = (body: object) =>
    park.ask(strategyCalls.create, {
      body: { name: 'Staff', personIds: [person.id], deviceIds: [door.id], timeRuleIds: [rule.id], ...body } as never,
    })
  const change = (body: object) => park.ask(strategyCalls.change, { body: body as never })
  const read = async (id: string): Promise<Record<string, unknown>> => park.call(strategyCalls.read, { query: { id } })
  const made = async (body: object): Promise<string> => {
    const answer = await add(body)
    expect(answer).toMatchObject({ code: 0 })
    return answer.data.id
  }
  return { park, person, door, rule, add, change, read, made }
}

describe('a strategy by the names of the specification', () => {
  test('authorizedObject both, effective tomorrow, accessType face: the contact passes, and only from tomorrow on', async () => {
    const { park, door, rule, person, add, read } = await place()
    const [child, mother] = world.photographs.people as [(typeof world.photographs.people)[0], (typeof world.photographs.people)[0]]
    const cached = async (file: Uint8Array) => (await park.call(faceCalls.cache, { body: {}, file })).faceId
    const kid = await park.person({
      name: 'Li Min',
      photo: await child.photo(1),
      contacts: [{ relation: 2, name: 'Wang Fang', phone: '13911112222', gender: 2, photo: await cached(await mother.photo(1)) }],
    })
    const strategy = {
      name: 'Pick-up',
      personIds: [kid.id, person.id],
      personGroupIds: [],
      deviceIds: [door.id],
      deviceGroupIds: [],
      timeRuleIds: [rule.id],
      kind: 'staff',
      accessType: 1,
      authorizedObject: 'both',
      effective: 'tomorrow',
    }
    const answer = await add(strategy)
    expect(answer).toMatchObject({ status: 200, code: 0 })
    expect(await read(answer.data.id)).toMatchObject({
      ...strategy,
      personIds: expect.arrayContaining(strategy.personIds),
      validFrom: MIDNIGHT,
    })
    const terminal = await world.terminal(door)
    await world.settled()
    expect(await terminal.show(await mother.photo(2))).toMatchObject({ verdict: 'rejected' })
    now = MIDNIGHT - 60_000
    expect(await terminal.show(await mother.photo(2))).toMatchObject({ verdict: 'rejected' })
    now = MIDNIGHT + 60_000
    expect(await terminal.show(await mother.photo(2))).toMatchObject({ verdict: 'allowed', personId: kid.id, contactName: 'Wang Fang' })
    expect(await read(answer.data.id)).toMatchObject({ effective: 'today', validFrom: MIDNIGHT })
    await terminal.stop()
  })

  test('may let people pass by their palm alone, or beside a face', async () => {
    const { read, made } = await place()
    for (const methods of [[12], [1, 7, 12]]) expect((await read(await made({ name: methods.join(), methods }))).methods).toEqual(methods)
  })

  test('the former name is taken and answered still, and two names with two values are refused', async () => {
    const { add, read, made } = await place()
    const id = await made({ methods: [1, 4], authorisedObject: 'contact' })
    expect(await read(id)).toMatchObject({ authorizedObject: 'contact', authorisedObject: 'contact' })
    expect(await add({ name: 'Twice', methods: [1, 4], authorisedObject: 'contact', authorizedObject: 'both' })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'authorisedObject', rule: 'twoNames' }] },
    })
  })

  test('is in force at once without a start, with today or with a past start; tomorrow is the next midnight of the park', async () => {
    const { made, read } = await place()
    const begins = async (name: string, body: object) => {
      const { validFrom, effective } = await read(await made({ name, methods: [4], ...body }))
      return { validFrom, effective }
    }
    expect(await begins('Nothing', {})).toEqual({ validFrom: null, effective: 'today' })
    expect(await begins('Null', { effective: null, validFrom: null })).toEqual({ validFrom: null, effective: 'today' })
    expect(await begins('Today', { effective: 'today' })).toEqual({ validFrom: null, effective: 'today' })
    expect(await begins('Behind', { effective: 'today', validFrom: now - 1 })).toEqual({ validFrom: now - 1, effective: 'today' })
    expect(await begins('Tomorrow', { effective: 'tomorrow' })).toEqual({ validFrom: MIDNIGHT, effective: 'tomorrow' })
    expect(await begins('Later', { effective: 'tomorrow', validFrom: now + 9 * DAY })).toEqual({
      validFrom: now + 9 * DAY,
      effective: 'tomorrow',
    })
  })

  test('today and a later start contradict each other, and so does an end before tomorrow', async () => {
    const { add, change, made, read } = await place()
    expect(await add({ methods: [4], effective: 'today', validFrom: now + DAY })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'effective', rule: 'effectiveLater' }] },
    })
    expect(await add({ methods: [4], effective: 'tomorrow', validTo: MIDNIGHT })).toMatchObject({ code: 900007 })
    const id = await made({ methods: [4], effective: 'tomorrow' })
    expect(await change({ id, effective: 'today', validFrom: now + DAY })).toMatchObject({ status: 400 })
    expect(await change({ id, effective: 'today' })).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ validFrom: null, effective: 'today' })
    // Sending `tomorrow` back does not bring forward a start that is later.
    await change({ id, validFrom: now + 9 * DAY })
    await change({ id, effective: 'tomorrow' })
    expect(await read(id)).toMatchObject({ validFrom: now + 9 * DAY, effective: 'tomorrow' })
  })

  test('accessType chooses the methods where they are left out, and says what they say where they are not', async () => {
    const { add, change, made, read } = await place()
    const by = async (name: string, body: object) => {
      const { methods, accessType } = await read(await made({ name, ...body }))
      return { methods, accessType }
    }
    expect(await by('Face', { accessType: 1 })).toEqual({ methods: [1, 4], accessType: 1 })
    expect(await by('Card', { accessType: 4 })).toEqual({ methods: [4], accessType: 4 })
    expect(await by('Both', { accessType: 1, methods: [1, 4, 15] })).toEqual({ methods: [1, 4, 15], accessType: 1 })
    expect(await by('Neither', { methods: [15] })).toEqual({ methods: [15], accessType: null })
    expect(await add({ name: 'Odd', accessType: 4, methods: [1, 4] })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'accessType', rule: 'accessTypeDiffers' }] },
    })
    expect(await add({ name: 'None' })).toMatchObject({ status: 400, data: { fields: [{ path: 'methods', rule: 'required' }] } })
    const id = await made({ name: 'Changed', methods: [1, 15] })
    await change({ id, accessType: 1 })
    expect(await read(id)).toMatchObject({ methods: [1, 15] })
    await change({ id, accessType: 4 })
    expect(await read(id)).toMatchObject({ methods: [4], accessType: 4 })
  })

  test.each([
    ['begins tomorrow, sent back after it has begun', { effective: 'tomorrow' }, HOUR],
    ['begins tomorrow, sent back before', { effective: 'tomorrow' }, 1],
    ['is in force', {}, HOUR],
    ['has ended', { validFrom: 1_000, validTo: 2_000 }, 1],
  ])('that %s can be sent back as it was read, whatever has happened to what it counts', async (_, body, later) => {
    const { park, made, change, read } = await place()
    const group = await park.personGroup()
    const id = await made({ methods: [1, 4], personGroupIds: [group.id], authorizedObject: 'both', ...body })
    const before = await read(id)
    await park.person({ groupId: group.id })
    now += later
    expect(await change(before)).toMatchObject({ code: 0 })
    const { version: _v, updatedAt: _u, effective: _e, personCount: _p, ...others } = before
    expect(await read(id)).toMatchObject(others)
    expect((await read(id))['version']).toBe(2)
  })
})

describe('a change of a strategy', () => {
  test('keeps every field that it leaves out, and removes what is null or empty', async () => {
    const { park, made, change, read, rule } = await place()
    const [people, doors] = [await park.personGroup(), await park.deviceGroup()]
    const limits = { validFrom: 1_000, validTo: now + 9 * DAY, authorizedObject: 'both', kind: 'visitor', methods: [4, 15] }
    const id = await made({ ...limits, personGroupIds: [people.id], deviceGroupIds: [doors.id] })
    const before = await read(id)
    expect(await change({ id, name: 'Renamed' })).toMatchObject({ code: 0 })
    const { name: _n, version: _v, updatedAt: _u, ...kept } = before
    expect(await read(id)).toMatchObject({ ...kept, name: 'Renamed' })
    const removed = {
      personIds: null,
      personGroupIds: [],
      deviceIds: [],
      deviceGroupIds: null,
      accessGroupIds: null,
      validFrom: null,
      validTo: null,
      kind: null,
      authorizedObject: null,
    }
    expect(await change({ id, ...removed })).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({
      name: 'Renamed',
      personIds: [],
      personGroupIds: [],
      deviceIds: [],
      deviceGroupIds: [],
      accessGroupIds: [],
      timeRuleIds: [rule.id],
      methods: [4, 15],
      validFrom: null,
      validTo: null,
      kind: 'staff',
      authorizedObject: 'person',
    })
    for (const path of ['name', 'timeRuleIds', 'methods'])
      expect(await change({ id, [path]: null })).toMatchObject({ status: 400, data: { fields: [{ path, rule: 'required' }] } })
  })

  test('is checked with what it leaves out', async () => {
    const { made, change } = await place()
    const id = await made({ methods: [1, 4], validTo: now + DAY })
    expect(await change({ id, validFrom: now + 2 * DAY })).toMatchObject({ code: 900007 })
    expect(await change({ id, methods: [1] })).toMatchObject({ code: 300206 })
  })

  test('says beforehand what it would do with what it leaves out', async () => {
    const { park, person, door, made, change } = await place()
    const id = await made({ methods: [4], validTo: now + DAY })
    const effect = (body: object) => park.ask(questionCalls.strategyEffect, { body: { id, ...body } as never })
    expect(await effect({})).toMatchObject({ data: { gain: 0, lose: 0, otherHours: 0 } })
    expect(await effect({ validTo: null })).toMatchObject({ data: { gain: 0, lose: 0, otherHours: 1 } })
    expect(await effect({ effective: 'tomorrow' })).toMatchObject({ data: { gain: 0, lose: 0, otherHours: 1 } })
    expect(await effect({ deviceIds: [] })).toMatchObject({ data: { lose: 1 } })
    const over = await made({ name: 'Over', methods: [4], validTo: 2_000 })
    await park.call(writtenRuleCalls.create, { body: { name: 'Never', personIds: [person.id], deviceIds: [door.id] } })
    await change({ id, deviceIds: [] })
    const breaches = (body: object) => park.ask(writtenRuleCalls.breaches, { body: { strategy: { id: over, ...body } } as never })
    expect(await breaches({ name: 'Renamed' })).toMatchObject({ code: 0, data: [] })
    expect(await breaches({ validTo: null })).toMatchObject({ code: 0, data: [{ rule: { name: 'Never' }, personCount: 1 }] })
  })
})
