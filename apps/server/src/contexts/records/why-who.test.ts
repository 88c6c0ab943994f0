import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeChecks, type Check } from '@gatehouse/access-rules'
import { addressOf, type Call, type PermissionCode } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { failReason } from '@gatehouse/contract/enums'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { READY_ROLES } from '@gatehouse/contract/identity/ready-roles'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { recordId } from '../../platform/database/ids.ts'
import { passage, sentBy } from './testing/records.ts'

const DAY = 86_400_000

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const RULES: PermissionCode[] = ['access', 'access.rule']
const RECORDS: PermissionCode[] = ['access', 'access.record']
const USERS: PermissionCode[] = ['system', 'system.user']

let number = 0
/** Create a role that can be granted at a node and below. */
const role = async (organisationId: string, name: string, permissions = RULES) =>
  (await world.call(roleCalls.create, { body: { name: `${name} ${++number}`, permissions, organisationId } })).id
/** Create an account at a node. */
const user = async (organisationId: string, realName: string, roles: string[], options: { expiry?: number } = {}) =>
  (await world.call(userCalls.create, { body: { account: `user${++number}`, realName, organisationId, roles, ...options } })).id

const companyOf = ({ park }: Site): { id: string; name: string } => {
  const { tree } = world.server.contexts.organisation.service
  return tree().path(park.id)[1]!
}

let sent = 0
/** Refuse a person at a new door, by default for lack of a strategy, and return a function for the remedies each caller sees. */
async function refused(site: Site, check: Check = { code: 'strategy', ok: false, count: 0 }) {
  const door = await site.device()
  const epoch = `boot-${++sent}`
  const record = passage(1, {
    occurredAt: Date.now(),
    result: 0,
    failReason: failReason.noAccessStrategy,
    checks: encodeChecks([check]),
    revision: '',
  })
  await world.server.contexts.records.ingest(
    { deviceId: door.id, parkId: site.park.id },
    { ...sentBy([record], { epoch, sentAt: Date.now() }), oldestSeq: 1 },
  )
  return async (by: Pick<Client, 'call'>) => (await by.call(recordCalls.why, { params: { id: recordId(door.id, epoch, 1) } })).remedy
}

const MASKLESS: Check = { code: 'mask', ok: false, worn: 0 }
const nobodyElse = { users: [], roles: [], more: 0, company: null }

describe('who may change it is told by name', () => {
  test('to whoever lists users: those of the park and above it whose role has the permission, whichever role that is', async () => {
    const site = await world.addPark()
    const company = companyOf(site)
    const [ofCompany, ofPark, other] = [
      await role(company.id, 'Rules'),
      await role(site.park.id, 'Gate rules'),
      await role(site.park.id, 'Keeper', RECORDS),
    ]
    await user(company.id, 'Ada Lovelace', [ofCompany])
    await user(site.park.id, 'Grace Hopper', [ofPark])
    // Two roles with the permission still make one person.
    await user(site.park.id, 'Alan Turing', [other, ofCompany, ofPark])
    await user(site.park.id, 'Keith Keeper', [other])
    const whyTo = await refused(site)

    const below = await world.session({ park: site.park, permissions: [...RECORDS, ...USERS] })
    expect(await whyTo(below)).toMatchObject([
      { code: 'addToStrategy', who: { ...nobodyElse, you: false, users: ['Alan Turing', 'Grace Hopper'] } },
    ])
    // A user of the company sees its accounts too; those of the park come first.
    const above = await world.session({ park: site.park, organisationId: company.id, permissions: [...RECORDS, ...RULES, ...USERS] })
    expect(await whyTo(above)).toMatchObject([
      { who: { ...nobodyElse, you: true, users: ['Alan Turing', 'Grace Hopper', 'Ada Lovelace'] } },
    ])
  })

  test('never of somebody disabled or expired, of a sister park, or of an API user', async () => {
    const [site, sister] = [await world.addPark(), await world.addPark()]
    const company = companyOf(site)
    // For a permission that nobody else has there.
    const rules = await role(company.id, 'Settings', ['device', 'device.setting'])
    await user(site.park.id, 'Grace Hopper', [rules])
    await user(sister.park.id, 'Sister Somebody', [rules])
    await world.call(userCalls.disable, { params: { id: await user(site.park.id, 'Dora Disabled', [rules]) } })
    await user(site.park.id, 'Ed Expired', [rules], { expiry: Date.now() - DAY })
    await user(site.park.id, 'Lara Later', [rules], { expiry: Date.now() + DAY })
    await world.call(clientCalls.create, {
      body: { name: 'Api Somebody', permissions: ['device', 'device.setting'], organisationId: site.park.id },
    })
    const whyTo = await refused(site, MASKLESS)
    const [, one] = await whyTo(await world.session({ park: site.park, organisationId: company.id, permissions: [...RECORDS, ...USERS] }))
    expect(one!.who!.users).toEqual(['Grace Hopper', 'Lara Later'])
  })

  test('of three, and how many there are besides', async () => {
    const site = await world.addPark()
    const rules = await role(site.park.id, 'Rules')
    for (const name of ['Eve', 'Dan', 'Cleo', 'Bob', 'Ann']) await user(site.park.id, name, [rules])
    const whyTo = await refused(site)
    const [one] = await whyTo(await world.session({ park: site.park, permissions: [...RECORDS, ...USERS] }))
    expect(one!.who).toEqual({ ...nobodyElse, you: false, users: ['Ann', 'Bob', 'Cleo'], more: 2 })
  })

  test('masked to whoever sees names masked', async () => {
    const site = await world.addPark()
    await user(site.park.id, 'Grace Hopper', [await role(site.park.id, 'Rules')])
    const whyTo = await refused(site)
    const [one] = await whyTo(await world.session({ park: site.park, permissions: [...RECORDS, ...USERS], masking: true }))
    expect(one!.who!.users).toEqual(['G********r'])
  })

  test('masked in the order the accounts were made: that of names would tell what the asterisks stand for', async () => {
    const site = await world.addPark()
    const rules = await role(site.park.id, 'Rules')
    for (const name of ['Eve Adams', 'Dan Brown', 'Cleo Clark', 'Bob Drew']) await user(site.park.id, name, [rules])
    const whyTo = await refused(site)
    const [one] = await whyTo(await world.session({ park: site.park, permissions: [...RECORDS, ...USERS], masking: true }))
    expect(one!.who).toMatchObject({ users: ['E*******s', 'D*******n', 'C********k'], more: 1 })
  })
})

test('whoever may list no users is told the roles, and no name of anybody', async () => {
  const [site, sister] = [await world.addPark(), await world.addPark()]
  const [gate, unused, sisters] = [
    await role(site.park.id, 'Gate rules'),
    await role(site.park.id, 'Unused'),
    await role(sister.park.id, 'Elsewhere'),
  ]
  for (const name of ['Grace Hopper', 'Alan Turing']) await user(site.park.id, name, [gate])
  await user(sister.park.id, 'Sister Somebody', [sisters])
  await world.call(userCalls.disable, { params: { id: await user(site.park.id, 'Dora Disabled', [unused]) } })
  const { name } = await world.call(roleCalls.read, { params: { id: gate } })
  const whyTo = await refused(site)
  const remedies = await whyTo(await world.session({ park: site.park, permissions: RECORDS }))
  expect(remedies).toMatchObject([{ who: { ...nobodyElse, you: false, roles: [name] } }])
  expect(JSON.stringify(remedies)).not.toMatch(/Hopper|Turing|Somebody|Disabled/)
  expect(await whyTo(await world.session({ park: site.park, permissions: [...RECORDS, ...RULES] }))).toMatchObject([
    { who: { you: true, users: [], roles: [name] } },
  ])
})

test('where nobody in the park may, the administrators of the company are to be asked', async () => {
  const site = await world.addPark()
  const company = companyOf(site)
  await user(company.id, 'Ada Lovelace', [await role(company.id, 'Rules')])
  const whyTo = await refused(site)
  for (const permissions of [RECORDS, [...RECORDS, ...USERS]]) {
    expect(await whyTo(await world.session({ park: site.park, permissions }))).toMatchObject([
      { who: { ...nobodyElse, you: false, company: company.name } },
    ])
  }
})

test('a ready role is named in the language of the request', async () => {
  const site = await world.addPark()
  await user(site.park.id, 'Grace Hopper', [READY_ROLES.doorAdministrator.id])
  const whyTo = await refused(site)
  const { credentials } = await world.session({ park: site.park, permissions: RECORDS })
  const authorization = `Bearer ${(credentials as { bearer: string }).bearer}`
  const rolesIn = async (language: string): Promise<unknown> => {
    const call = async (target: Call, { params }: { params: Record<string, string> }) => {
      const answer = await fetch(world.url + addressOf(target, params), { headers: { authorization, 'accept-language': language } })
      return ((await answer.json()) as { data: unknown }).data
    }
    return (await whyTo({ call } as unknown as Pick<Client, 'call'>))[0]!.who!.roles
  }
  expect(await rolesIn('zh-CN')).toEqual(['门禁管理员'])
  expect(await rolesIn('en')).toEqual(['Door administrator'])
})

test('each remedy asks for its own permission, and what is gone or is no change in the console for none', async () => {
  const site = await world.addPark()
  const guard = await world.session({ park: site.park, permissions: [...RECORDS, 'person', 'person.list', 'own:person.edit'] })
  const stranger = await refused(site, { code: 'face', ok: false, score: 40, threshold: 70, distance: 1 })
  expect(await stranger(guard)).toMatchObject([
    { code: 'registerPerson', who: { you: true } },
    { code: 'addPhoto', path: null, who: null },
  ])
  const maskless = await refused(site, MASKLESS)
  expect(await maskless(guard)).toMatchObject([
    { code: 'tryAgain', who: null },
    { code: 'demandLess', permission: 'device.setting', who: { you: false } },
  ])
})

test('nobody may what belongs to a module that is off', async () => {
  const site = await world.addPark()
  await user(site.park.id, 'Grace Hopper', [await role(site.park.id, 'Settings', ['device', 'device.setting'])])
  const whyTo = await refused(site, MASKLESS)
  await world.call(areaCalls.update, { body: { id: site.park.id, name: site.park.name, modules: ['access'] } })
  const [, one] = await whyTo(await world.session({ park: site.park, permissions: [...RECORDS, ...USERS, 'device', 'device.setting'] }))
  expect(one).toMatchObject({ code: 'demandLess', who: { ...nobodyElse, you: false, company: companyOf(site).name } })
})
