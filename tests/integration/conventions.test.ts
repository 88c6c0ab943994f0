/** Rules for every call: credentials, the envelope, the time zone, paging, and the park whose data a list shows. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { safeParse } from 'zod'
import { PAGE_SIZE_OPTIONS, type Call } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { calls as contract } from '@gatehouse/contract/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { allFieldsOf, fieldsOf, requestFor } from '../support/requests.ts'
import { createFixtures } from '../support/fixtures.ts'

const ALL: readonly Call[] = contract
const nameOf = ({ method, url }: Call) => `${method} ${url}`

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const bearer = (): string => (world.client.credentials as { bearer: string }).bearer

test('the token call alone takes client credentials and a form, all else a bearer token [BEH-079]', async () => {
  for (const call of ALL) expect(call.permission === 'basic', nameOf(call)).toBe(call.url.endsWith('/auth/token'))
  const tokens = world.url + identityCalls.token.url
  const basic = { authorization: `Basic ${btoa('console:')}` }
  const refused = (await (
    await fetch(tokens, {
      method: 'POST',
      headers: basic,
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none' }),
    })
  ).json()) as { code: number }
  expect(refused.code).toBe(100412)
  const asBearer = await fetch(tokens, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer()}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none' }),
  })
  expect(asBearer.status).toBe(401)
  const profile = world.url + identityCalls.profile.url
  expect((await fetch(profile, { headers: basic })).status).toBe(401)
  expect((await fetch(profile, { headers: { authorization: `Bearer ${bearer()}` } })).status).toBe(200)
})

test('a token in the address opens what only reads, and nothing that changes [BEH-081]', async () => {
  const status = async (call: Call, token: string) => (await fetch(`${world.url}${call.url}?st=${token}`, { method: call.method })).status
  expect(await status(peopleCalls.summary, bearer())).toBe(200)
  expect(await status(peopleCalls.summary, 'unknown')).toBe(401)
  const client = await world.session()
  expect(await status(identityCalls.revoke, (client.credentials as { bearer: string }).bearer)).toBe(401)
  await client.call(identityCalls.profile, {})
})

test('code 0 is success, and whatever was refused says another [BEH-087]', async () => {
  expect(await world.ask(peopleCalls.summary, {})).toMatchObject({ status: 200, code: 0 })
  const { workNumber, groupId } = await world.person()
  expect(await world.ask(peopleCalls.create, { body: { name: 'Second', workNumber, groupId, facePhotos: [] } })).toMatchObject({
    status: 200,
    code: 200215,
  })
})

test('every answer says the zone of the park, also a refusal [BEH-100]', async () => {
  const kathmandu = await world.addPark({ zone: 'Asia/Kathmandu' })
  const offset = ({ headers }: { headers: Headers }) => headers.get('x-timezone-offset')
  expect(offset(await kathmandu.ask(peopleCalls.summary, {}))).toBe('345')
  expect(offset(await kathmandu.ask(peopleCalls.read, { query: { id: crypto.randomUUID() } }))).toBe('345')
  const nobody = offset(await createClient(world.url).ask(identityCalls.profile, {}))
  expect(Number.isInteger(Number(nobody ?? 'none'))).toBe(true)
})

const paged = ALL.filter(({ query, data }) => fieldsOf(query).includes('page') && allFieldsOf(data).has('content'))
const asked = (call: Call, more: object = {}) => safeParse(call.query!, { ...requestFor(call).query, ...more })

test('lists pass page and size and read total and content; page starts at 1, size is 20 [BEH-102, VAL-230, VAL-231]', async () => {
  expect(paged.length).toBeGreaterThan(3)
  // The list of parks counts from 0, and its fields are named so by the specification.
  for (const call of paged.filter((one) => one !== organisationCalls.parkList)) {
    expect(asked(call), nameOf(call)).toMatchObject({ success: true, data: { page: 1, size: 20 } })
    expect(asked(call, { page: 0 }), nameOf(call)).toMatchObject({ success: false })
  }
  const park = await world.addPark()
  const group = await park.personGroup()
  await Promise.all(Array.from({ length: 21 }, () => park.person({ groupId: group.id })))
  const first = await park.call(peopleCalls.list, { query: {} })
  const second = await park.call(peopleCalls.list, { query: { page: 2 } })
  expect([first.total, first.content.length, second.content.length]).toEqual([21, 20, 1])
  expect(first.content.map(({ id }) => id)).not.toContain(second.content[0]!.id)
})

test('every list takes the sizes that are offered [VAL-232]', async () => {
  expect(PAGE_SIZE_OPTIONS).toEqual([10, 20, 50, 100])
  for (const call of paged) {
    for (const size of PAGE_SIZE_OPTIONS) expect(asked(call, { size }), nameOf(call)).toMatchObject({ success: true, data: { size } })
    expect(asked(call, { size: 101 }), nameOf(call)).toMatchObject({ success: false })
  }
})

test('the find lists count from 0 by pageNo and pageSize too [BEH-103]', async () => {
  const park = await world.addPark()
  for (const name of ['a', 'b', 'c']) await park.strategy({ name, persons: [await park.person()], devices: [await park.device()] })
  const found = async (body: object) => (await park.call(strategyCalls.find, { body })).content.map(({ name }) => name)
  const all = await found({ page: 1, size: 3 })
  expect(all).toHaveLength(3)
  expect(await found({ pageNo: 0, pageSize: 2 })).toEqual(all.slice(0, 2))
  expect(await found({ pageNo: 1, pageSize: 2 })).toEqual(all.slice(2))
})

test('a privatised installation lets admin and operator upgrade devices besides what their roles hold [BEH-053]', async () => {
  const leased = await startWorld({ config: { privatised: false } })
  const codesOf = async (at: World, roleSign: string) => {
    const { capabilities, deviceUpgradeType } = await (
      await at.session({ permissions: ['device.list'], roleSign })
    ).call(identityCalls.profile, {})
    // The permission differs from the link, which belongs to the upgrade service.
    expect(deviceUpgradeType).toBe(0)
    return [capabilities.privatised, capabilities.permissions.includes('device.upgrade')]
  }
  const signs = ['admin', 'operator', 'parkAdmin', 'other']
  const [own, rented] = [
    await Promise.all(signs.map((sign) => codesOf(world, sign))),
    await Promise.all(signs.map((sign) => codesOf(leased, sign))),
  ]
  await leased.stop()
  expect(own).toEqual([
    [true, true],
    [true, true],
    [true, false],
    [true, false],
  ])
  expect(rented).toEqual(signs.map(() => [false, false]))
})

test('after a switch of park every list shows the chosen one and nothing of the other [BEH-068]', async () => {
  const [here, there] = [await world.addPark(), await world.addPark()]
  const things = [
    await createFixtures(world, here, { face: false, report: false }),
    await createFixtures(world, there, { face: false, report: false }),
  ] as const
  const client = await world.as({ ...ADMIN, areaCode: here.park.areaCode })
  const shown = async () => ({
    persons: (await client.call(peopleCalls.list, { query: {} })).content.map(({ id }) => id).toSorted(),
    devices: (await client.call(deviceCalls.list, { query: {} })).content.map(({ id }) => id),
    strategies: (await client.call(strategyCalls.find, { body: {} })).content.map(({ id }) => id),
    records: (await client.call(recordCalls.find, { body: {} })).content.map(({ id }) => id),
    park: (await client.call(organisationCalls.parkInfo, {})).areaCode,
  })
  const expected = ({ person, otherPerson, device, strategy, recordId, site }: (typeof things)[number]) => ({
    persons: [person.id, otherPerson.id].toSorted(),
    devices: [device.id],
    strategies: [strategy.id],
    records: [recordId],
    park: site.park.areaCode,
  })
  expect(await shown()).toEqual(expected(things[0]))
  await client.call(organisationCalls.choicePark, { body: { areaCode: there.park.areaCode } })
  expect(await shown()).toEqual(expected(things[1]))
})
