/** Every call of the contract on every rung: no token, a token that ended, the wrong role, another park, and what works. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSION_CODES, type Call } from '@gatehouse/contract'
import { calls as contract } from '@gatehouse/contract/calls'
import { accessCalls } from '@gatehouse/contract/access/calls'
import { clinicCalls } from '@gatehouse/contract/access/clinic'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { faceLivenessCalls } from '@gatehouse/contract/faces/liveness'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { callsOf } from '@gatehouse/server/server'
import { createClient, type Answer, type CallInput, type Client, type Credentials } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { drawnFace, furnish, idsFor, namesSomething, type Furnished } from '../support/furnished.ts'
import { allFieldsOf, requestFor } from '../support/requests.ts'

const ALL: Call[] = Object.values(contract).flatMap((context) => Object.values(context) as Call[])
const nameOf = (call: Call) => `${call.method} ${call.url}`
const named = (calls: readonly Call[]) => calls.map((call): [string, Call] => [nameOf(call), call])

const bearerCalls = ALL.filter(({ permission }) => !['public', 'basic', 'device'].includes(permission))
const roleCalls = bearerCalls.filter(({ permission }) => permission !== 'self')
const fieldsOf = (call: Call) => [call.params, call.query, call.body].flatMap((schema) => [...allFieldsOf(schema)])
const namingCalls = ALL.filter((call) => fieldsOf(call).some((field) => namesSomething(field) && field !== 'modelId'))

let world: World
/** In the first park, and in another one. */
let here: Furnished
let elsewhere: Furnished
let guest: Client

beforeAll(async () => {
  world = await startWorld()
  here = await furnish(world, world)
  elsewhere = await furnish(world, await world.addPark())
  guest = await world.session({ park: elsewhere.site.park })
})
afterAll(() => world?.stop())

/** Asks with everything the contract wants, and these ids. */
async function ask(call: Call, credentials: Credentials, given: Record<string, unknown> = {}): Promise<Answer> {
  const file = call.consumes === 'multipart' ? await drawnFace() : undefined
  const input = { ...requestFor(call, given), ...(file && { file }) } as CallInput<Call>
  return createClient(world.url, credentials).ask(call, input)
}

/** Whose credentials a call takes, in a park. */
const credentialsFor = (call: Call, things: Furnished, client: Client): Credentials => {
  if (call.permission === 'device') return { basic: [things.device.code, things.device.secret] }
  return call.permission === 'basic' ? { basic: ['console', ''] } : client.credentials
}

test('the calls of the contract are the ones the server mounts', () => {
  expect(callsOf(world.server.contexts).map(({ call }) => nameOf(call)).toSorted()).toEqual(ALL.map(nameOf).toSorted())
})

describe('without a token', () => {
  test.each(named(ALL.filter(({ permission }) => permission !== 'public')))('%s answers 401', async (_, call) => {
    expect(await ask(call, null)).toMatchObject({ status: 401, code: 100412 })
  })
  test.each(named(ALL.filter(({ permission }) => permission === 'public')))('%s answers', async (_, call) => {
    expect(await ask(call, null)).toMatchObject({ status: 200, code: 0 })
  })
})

describe('with credentials that do not hold', () => {
  test.each(named(bearerCalls))('%s answers 401 to a revoked token', async (_, call) => {
    const client = await world.session()
    await client.call(identityCalls.revoke, {})
    expect(await ask(call, client.credentials)).toMatchObject({ status: 401, code: 100412 })
  })
  test.each(named(ALL.filter(({ permission }) => permission === 'device')))('%s answers 401 to another device’s secret', async (_, call) => {
    expect(await ask(call, { basic: [here.device.code, elsewhere.device.secret] })).toMatchObject({ status: 401, code: 100412 })
  })
  test.each(named(ALL.filter(({ permission }) => permission === 'device')))('%s answers 401 to a person’s token', async (_, call) => {
    expect(await ask(call, guest.credentials)).toMatchObject({ status: 401 })
  })
  test('a token that has run out answers 40120', async () => {
    const steered = { now: () => Date.now() }
    const other = await startWorld({ clock: steered })
    const client = await other.session()
    const day = 25 * 3_600_000
    steered.now = () => Date.now() + day
    const answer = await client.ask(identityCalls.profile, {})
    await other.stop()
    expect(answer).toMatchObject({ status: 401, code: 40120 })
  })
})

describe('with every permission but the one asked for', () => {
  test.each(named(roleCalls))('%s answers 403', async (_, call) => {
    const client = await world.session({ permissions: PERMISSION_CODES.filter((code) => code !== call.permission) })
    expect(await ask(call, client.credentials, idsFor(call, fieldsOf(call), here))).toMatchObject({ status: 403, code: 100510 })
  })
})

/** An answer that gives nothing away: a refusal, or a list without rows. */
function isEmptyHanded({ status, code, data }: Answer): boolean {
  if (status !== 200 || code !== 0) return true
  const { taken, allowed } = (data ?? {}) as { taken?: number; allowed?: boolean }
  if (taken === 0 || allowed === false) return true
  const lists = Array.isArray(data) ? [data] : Object.values((data ?? {}) as object).filter((value) => Array.isArray(value))
  return lists.length > 0 && lists.every((list) => (list as unknown[]).length === 0)
}

describe('with ids of another park', () => {
  const state = async () => ({
    groups: await here.site.call(peopleCalls.groupTree, { query: {} }),
    person: await here.site.call(peopleCalls.read, { query: { id: here.person.id } }),
    devices: await here.site.call(deviceCalls.list, { query: {} }),
    rules: await here.site.call(accessCalls.listTimeRules, { query: {} }),
    strategy: await here.site.call(accessCalls.readStrategy, { query: { id: here.strategy.id } }),
    record: await here.site.call(accessCalls.readRecord, { params: { id: here.recordId } }),
  })
  let before: Awaited<ReturnType<typeof state>>
  beforeAll(async () => {
    before = await state()
  })

  test.each(named(namingCalls))('%s gives nothing away', async (_, call) => {
    const answer = await ask(call, credentialsFor(call, elsewhere, guest), idsFor(call, fieldsOf(call), here))
    expect(isEmptyHanded(answer), JSON.stringify(answer)).toBe(true)
    expect([200, 400, 404]).toContain(answer.status)
  })

  // One by one, so that an id that is checked does not hide one that is not.
  const single = namingCalls.flatMap((call) => {
    const names = fieldsOf(call).filter((field) => namesSomething(field) && field !== 'modelId')
    return names.length > 1 ? names.map((field): [string, string, Call] => [nameOf(call), field, call]) : []
  })
  test.each(single)('%s does not take a foreign %s among its own', async (_, field, call) => {
    const own = idsFor(call, fieldsOf(call), elsewhere)
    const foreign = idsFor(call, [field], here)
    const answer = await ask(call, credentialsFor(call, elsewhere, guest), { ...own, ...foreign })
    expect(isEmptyHanded(answer), JSON.stringify(answer)).toBe(true)
  })

  test('a session cannot be moved to a park its user does not see', async () => {
    expect(await guest.ask(organisationCalls.choicePark, { body: { areaCode: here.site.park.areaCode } })).toMatchObject({ status: 200, code: 100413 })
  })

  test('and leaves everything as it was', async () => {
    expect(await state()).toEqual(before)
  })
})

/** Calls that come through and are refused by what they are about, which a sample cannot supply. */
const LAST_WORDS: Record<string, [status: number, code: number]> = {
  // A password nobody encrypted.
  [nameOf(identityCalls.token)]: [400, 400],
  // The park is no demo, the device is not connected.
  [nameOf(organisationCalls.removeDemo)]: [400, 400],
  [nameOf(deviceCalls.controlDoor)]: [200, 400205],
  // The photograph is nobody's yet.
  [nameOf(deviceProtocolCalls.photo)]: [404, 404],
  [nameOf(faceCalls.setAside)]: [404, 404],
  // Nobody has said anything about the record, and no terminal looked whether the face was a living one.
  [nameOf(clinicCalls.undo)]: [404, 404],
  [nameOf(faceLivenessCalls.addRecord)]: [400, 400],
  // The built-in engine cannot tell.
  [nameOf(faceLivenessCalls.add)]: [400, 400],
}

describe('with the right role in the right park', () => {
  test.each(named(ALL))('%s comes through', async (_, call) => {
    const things = fieldsOf(call).some(namesSomething) ? await furnish(world, elsewhere.site, { face: fieldsOf(call).includes('facePhotos'), report: call.url.includes('/report/') }) : elsewhere
    const client = await world.session({ park: elsewhere.site.park })
    const answer = await ask(call, credentialsFor(call, things, client), { areaCode: things.site.park.areaCode, ...idsFor(call, fieldsOf(call), things) })
    const [status, code] = LAST_WORDS[nameOf(call)] ?? [200, 0]
    expect(answer, JSON.stringify(answer)).toMatchObject({ status, code })
  })
})
