import { afterAll, beforeAll, expect, test } from 'vitest'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { organisationCalls, type OrganisationNode } from '@gatehouse/contract/organisation/calls'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Answer, Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'

let world: World
/** A caller at the root with all permissions. */
let admin: Client
let rootId: string
let companyId: string
beforeAll(async () => {
  world = await startWorld()
  const { service } = world.server.contexts.organisation
  rootId = service.root().id
  companyId = service.get(world.park.id)!.parentId!
  admin = await world.session({ roleSign: 'admin', organisationId: rootId })
})
afterAll(() => world?.stop())

let names = 0
const fresh = (word: string) => `${word} ${++names}`
const company = async (parentId = companyId, modules?: Module[]) => {
  const name = fresh('Company')
  return { name, ...(await admin.call(areaCalls.add, { body: { name, type: 200, parentId, ...(modules && { modules }) } })) }
}
type Module = NonNullable<Parameters<typeof admin.call<typeof areaCalls.add>>[1]['body']['modules']>[number]
const park = async (parentId: string, options: { modules?: Module[]; parkType?: 1 | 2 | 3; zone?: string } = {}) => {
  const name = fresh('Park')
  return { name, ...(await admin.call(areaCalls.add, { body: { name, type: 300, parkType: 1, parentId, ...options } })) }
}
const rulesOf = (answer: Answer) =>
  ((answer.data as { fields?: { path: string; rule: string }[] } | undefined)?.fields ?? []).map(({ path, rule }) => `${path} ${rule}`)
const read = (id: string, client = admin) => client.call(areaCalls.read, { params: { id } })
const update = async (id: string, change: object, client = admin) => {
  const { name } = await read(id)
  return client.ask(areaCalls.update, { body: { id, name, ...change } })
}

test('an organisation needs a name and a type, and a park its park type [VAL-189, VAL-190, VAL-191]', async () => {
  const none = await admin.ask(areaCalls.add, { body: { parentId: companyId } as never })
  expect(none.status).toBe(400)
  expect(rulesOf(none)).toEqual(['name required', 'type required'])
  expect(rulesOf(await admin.ask(areaCalls.add, { body: { name: '  ', type: 200, parentId: companyId } }))).toEqual(['name required'])
  expect(rulesOf(await admin.ask(areaCalls.add, { body: { name: fresh('Park'), type: 300, parentId: companyId } }))).toEqual([
    'parkType required',
  ])
  // All faults at once.
  expect(rulesOf(await admin.ask(areaCalls.add, { body: { name: '', type: 300, parentId: companyId } }))).toEqual([
    'name required',
    'parkType required',
  ])
})

test('partners stand below the topmost organisation, companies nest, parks have no children [BEH-194]', async () => {
  const place = async (type: number, parentId: string) =>
    admin.ask(areaCalls.add, { body: { name: fresh('Some'), type, parentId, parkType: 1 } })
  const partner = await place(100, rootId)
  expect(partner.code).toBe(0)
  const inner = await company((await company(partner.data.id)).id)
  const ofThem = await park(inner.id)
  for (const [type, parentId] of [
    [100, partner.data.id],
    [100, companyId],
    [300, rootId],
    [300, partner.data.id],
    [100, ofThem.id],
    [200, ofThem.id],
    [300, ofThem.id],
  ] as const)
    expect(rulesOf(await place(type, parentId)), `${type} below ${parentId}`).toEqual(['parentId organisationPlace'])
})

test('a name is taken once among siblings, and may be used again elsewhere', async () => {
  const [one, other] = [await company(), await company()]
  const { name } = await park(one.id)
  const again = (parentId: string) => admin.ask(areaCalls.add, { body: { name: name.toUpperCase(), type: 300, parkType: 1, parentId } })
  const answer = await again(one.id)
  expect(answer.code).toBe(900004)
  expect(rulesOf(answer)).toEqual(['name code.900004'])
  expect((await again(other.id)).code).toBe(0)
  const second = await park(one.id)
  expect((await admin.ask(areaCalls.update, { body: { id: second.id, name } })).code).toBe(900004)
  // Its own name does not conflict.
  expect((await update(second.id, {})).code).toBe(0)
})

test('an organisation has as many children as the setting allows', async () => {
  const full = await company()
  const { cap, version } = await admin.call(parkSettingCalls.childrenCap, {})
  expect(cap).toBe(100)
  await admin.call(parkSettingCalls.saveChildrenCap, { body: { cap: 2, version } })
  expect((await admin.ask(parkSettingCalls.saveChildrenCap, { body: { cap: 3, version } })).status).toBe(409)
  await park(full.id)
  await park(full.id)
  expect(rulesOf(await admin.ask(areaCalls.add, { body: { name: fresh('Park'), type: 300, parkType: 1, parentId: full.id } }))).toEqual([
    'parentId childrenCap',
  ])
  await admin.call(parkSettingCalls.saveChildrenCap, { body: { cap: 100 } })
})

test('a module that is on in a sub-organisation cannot be closed from above [VAL-204, BEH-193]', async () => {
  const above = await company(companyId, ['person', 'visitor'])
  const below = await park(above.id)
  // A new one has the modules that are on above it.
  expect((await read(below.id)).modules).toEqual(['person', 'visitor'])
  const closing = await update(above.id, { modules: ['person'] })
  expect(closing.code).toBe(200228)
  expect(rulesOf(closing)).toEqual(['modules code.200228'])
  expect((await admin.call(areaCalls.modules, { query: { id: above.id } })).find(({ module }) => module === 'visitor')).toEqual({
    module: 'visitor',
    enabled: true,
    available: true,
    enabledBelow: 1,
  })
  expect((await update(below.id, { modules: ['person'] })).code).toBe(0)
  expect((await update(above.id, { modules: ['person'] })).code).toBe(0)
  // A module that is off above cannot be switched on below.
  expect(rulesOf(await update(below.id, { modules: ['person', 'visitor'] }))).toEqual(['modules moduleAbove'])
  expect(
    rulesOf(
      await admin.ask(areaCalls.add, { body: { name: fresh('Park'), type: 300, parkType: 1, parentId: above.id, modules: ['visitor'] } }),
    ),
  ).toEqual(['modules moduleAbove'])
  expect(
    (await admin.call(areaCalls.modules, { query: { id: above.id, parentId: above.id } }))
      .filter(({ available }) => available)
      .map(({ module }) => module),
  ).toEqual(['person'])
})

test('a closed module takes its permissions from the sessions in the park at their next call', async () => {
  const { id } = await park(companyId)
  const areaCode = (await read(id)).areaCode
  const session = await world.session({ park: world.server.contexts.organisation.service.parkByArea(areaCode)! })
  expect((await session.ask(peopleCalls.list, { query: {} })).code).toBe(0)
  expect((await update(id, { modules: ['visitor'] })).code).toBe(0)
  expect(await session.ask(peopleCalls.list, { query: {} })).toMatchObject({ status: 403, code: 100510 })
  const { capabilities } = await session.call(identityCalls.profile, {})
  expect(capabilities.permissions).not.toContain('person.list')
  // Always there, so that modules can be switched on again.
  expect(capabilities.permissions).toContain('system.area')
  await update(id, { modules: ['visitor', 'person'] })
  expect((await session.ask(peopleCalls.list, { query: {} })).code).toBe(0)
})

test('nobody sees or changes what lies outside his own organisation, and nobody opens what is closed for him', async () => {
  const mine = await company(companyId, ['person'])
  const below = await park(mine.id)
  const other = await park((await company()).id)
  const manager = await world.session({
    park: world.server.contexts.organisation.service.park({ parkId: below.id }),
    organisationId: mine.id,
    permissions: ['system.area'],
  })
  const tree = await manager.call(organisationCalls.tree, {})
  expect(tree).toMatchObject({ id: mine.id, children: [{ id: below.id, children: [] }] })
  for (const id of [other.id, rootId, companyId]) {
    expect((await manager.ask(areaCalls.read, { params: { id } })).status).toBe(404)
    expect((await manager.ask(areaCalls.update, { body: { id, name: 'Mine' } })).status).toBe(404)
    expect((await manager.ask(areaCalls.delete, { params: { id } })).status).toBe(404)
    expect((await manager.ask(areaCalls.modules, { query: { id } })).status).toBe(404)
  }
  expect(rulesOf(await manager.ask(areaCalls.add, { body: { name: 'Mine', type: 200, parentId: companyId } }))).toEqual([
    'parentId unknown',
  ])
  expect(rulesOf(await update(below.id, { parentId: companyId }, manager))).toEqual(['parentId unknown'])
  expect(rulesOf(await update(mine.id, { modules: ['person', 'visitor'] }, manager))).toEqual(['modules ownModules'])
  expect(rulesOf(await update(below.id, { modules: ['person', 'visitor'] }, manager))).toEqual(['modules moduleAbove'])
  // Users may rename their own organisation; what is above it is not shown to them.
  expect((await manager.ask(areaCalls.update, { body: { id: mine.id, name: fresh('Renamed') } })).code).toBe(0)
  expect(await read(mine.id, manager)).toMatchObject({ parentId: null, parentName: '', movable: false })
  expect((await manager.ask(areaCalls.add, { body: { name: fresh('Park'), type: 300, parkType: 3, parentId: mine.id } })).code).toBe(0)
})

test('an organisation moves with all below it, never below itself, and not where its modules are closed', async () => {
  const [from, to, narrow] = [await company(), await company(), await company(companyId, ['person'])]
  const moving = await company(from.id)
  const inner = await park(moving.id)
  expect(rulesOf(await update(from.id, { parentId: moving.id }))).toEqual(['parentId organisationPlace'])
  expect(rulesOf(await update(moving.id, { parentId: narrow.id }))).toEqual(['parentId moduleAbove'])
  expect((await update(moving.id, { parentId: to.id })).code).toBe(0)
  expect(await read(to.id)).toMatchObject({ children: 1, parks: 1 })
  expect(world.server.contexts.organisation.service.isBelow(inner.id, to.id)).toBe(true)
  expect(rulesOf(await update(inner.id, { parentId: rootId }))).toEqual(['parentId organisationPlace'])
})

test('of two who change the same version one is told, and a zone is one', async () => {
  const { id } = await park(companyId, { zone: 'Asia/Taipei' })
  const { version, zone } = await read(id)
  expect(zone).toBe('Asia/Taipei')
  expect((await update(id, { version, zone: 'Europe/Berlin' })).code).toBe(0)
  expect(await update(id, { version, zone: 'Asia/Tokyo' })).toMatchObject({ status: 409 })
  expect(await read(id)).toMatchObject({ zone: 'Europe/Berlin', version: version + 1 })
  for (const wrong of ['Mars/Olympus', '+08:00', '']) expect(rulesOf(await update(id, { zone: wrong })), wrong).toEqual(['zone zone'])
})

test('deleting is refused with children below, and of the park one works in [VAL-202, VAL-203, BEH-202]', async () => {
  const parent = await company()
  const child = await park(parent.id)
  expect((await admin.ask(areaCalls.delete, { params: { id: parent.id } })).code).toBe(200226)
  expect((await admin.ask(areaCalls.delete, { params: { id: world.park.id } })).code).toBe(200227)
  expect((await admin.ask(areaCalls.delete, { params: { id: child.id } })).code).toBe(0)
  expect((await admin.ask(areaCalls.delete, { params: { id: parent.id } })).code).toBe(0)
  expect((await admin.ask(areaCalls.read, { params: { id: parent.id } })).status).toBe(404)
})

test('a park with devices is not deleted [VAL-143]', async () => {
  const site = await world.addPark()
  const device = await site.device()
  expect((await admin.ask(areaCalls.delete, { params: { id: site.park.id } })).code).toBe(600003)
  expect((await read(site.park.id)).devices).toBe(1)
  await world.server.contexts.devices.service.delete({ parkId: site.park.id }, [device.id])
  expect((await admin.ask(areaCalls.delete, { params: { id: site.park.id } })).code).toBe(0)
})

test('an organisation somebody belongs to is not deleted, and the answer says how many', async () => {
  const { id } = await park(companyId)
  await world.session({ organisationId: id, park: world.server.contexts.organisation.service.park({ parkId: id }) })
  const answer = await admin.ask(areaCalls.delete, { params: { id } })
  expect(answer).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'id', rule: 'organisationBelonging', params: { users: 1, roles: 0, clients: 0 } }] },
  })
  expect((await admin.ask(areaCalls.read, { params: { id } })).code).toBe(0)
})

test('a deleted park takes everything it holds along', async () => {
  const site = await world.addPark()
  const person = await site.person()
  await site.strategy({ persons: [person] })
  await site.call(parkSettingCalls.saveReentry, { body: { seconds: 9 } })
  // Stores up to which time pictures of the park's records are deleted.
  await world.server.contexts.records.jobs!.find(({ name }) => name === 'access.pictureRetention')!.run()
  const { removed } = await admin.call(areaCalls.delete, { params: { id: site.park.id } })
  expect(removed).toMatchObject({ persons: 1 })
  await world.settled()
  const tables = await query<{ table: string }>(
    world.connectionString,
    `select c.table_name as table from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'park_id' and t.table_type = 'BASE TABLE'`,
  )
  expect(tables.length).toBeGreaterThan(10)
  // Tables that keep rows about what happened, in ids alone or in the operation log.
  const kept = ['operation_log', 'read_log', 'outbox', 'data_key', 'token']
  for (const { table } of tables.filter((one) => !kept.includes(one.table)))
    expect(await query(world.connectionString, `select 1 from "${table}" where park_id = '${site.park.id}' limit 1`), table).toEqual([])
  expect(await query(world.connectionString, `select 1 from setting where owner_id = '${site.park.id}'`)).toEqual([])
  expect(await site.ask(identityCalls.profile, {})).toMatchObject({ status: 401 })
})

test('the park list is paged from 0 by 20, searched, and names role and area code [BEH-060]', async () => {
  const parent = await company()
  const inside = []
  for (let made = 0; made < 21; made++) inside.push(await park(parent.id))
  const session = await world.session({
    park: world.server.contexts.organisation.service.park({ parkId: inside[0]!.id }),
    organisationId: parent.id,
  })
  const first = await session.call(organisationCalls.parkList, { query: {} })
  expect(first).toMatchObject({ total: 21, page: 0, size: 20 })
  expect(first.content.map(({ parkName }) => parkName)).toEqual(inside.slice(0, 20).map(({ name }) => name))
  expect((await session.call(organisationCalls.parkList, { query: { page: 1 } })).content.map(({ parkName }) => parkName)).toEqual([
    inside[20]!.name,
  ])
  const found = await session.call(organisationCalls.parkList, { query: { name: inside[7]!.name.toLowerCase() } })
  expect(found.content).toMatchObject([{ id: inside[7]!.id, parkName: inside[7]!.name, areaCode: (await read(inside[7]!.id)).areaCode }])
  expect(found.content[0]!.roleName).toMatch(/^Role /)
})

test('a park is chosen by its area code, by whoever is not bound to one [BEH-061]', async () => {
  const parent = await company()
  const [one, other] = [await park(parent.id), await park(parent.id)]
  const { service } = world.server.contexts.organisation
  const at = service.park({ parkId: one.id })
  const areaCode = service.get(other.id)!.areaCode
  const operator = await world.session({ park: at, organisationId: parent.id, roleSign: 'operator' })
  expect(await operator.call(organisationCalls.choicePark, { body: { areaCode } })).toEqual({ areaCode, areaName: other.name })
  expect((await operator.call(organisationCalls.parkInfo, {})).id).toBe(other.id)
  // The operator's organisation reaches no further, and users with these role signs stay in their park.
  expect((await operator.ask(organisationCalls.choicePark, { body: { areaCode: world.park.areaCode } })).code).toBe(100413)
  for (const roleSign of ['parkAdmin', 'other']) {
    const bound = await world.session({ park: at, organisationId: parent.id, roleSign })
    expect(await bound.ask(organisationCalls.choicePark, { body: { areaCode } })).toMatchObject({ status: 200, code: 100413 })
    expect((await bound.call(organisationCalls.parkInfo, {})).id).toBe(one.id)
  }
})

const find = (node: OrganisationNode, id: string): OrganisationNode | undefined =>
  node.id === id ? node : node.children.map((child) => find(child, id)).find((one) => one !== undefined)

test('a new organisation stands in the tree at once, with an area code of its own', async () => {
  const { id, name } = await park(companyId, { parkType: 3 })
  const tree = await admin.call(organisationCalls.tree, {})
  const { areaCode } = await read(id)
  expect(find(tree, id)).toEqual({ id, name, type: 300, areaCode, parkType: 3, children: [] })
  expect((await read((await park(companyId)).id)).areaCode).not.toBe(areaCode)
})
