import { afterAll, beforeAll, expect, test } from 'vitest'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceLimitCalls } from '@gatehouse/contract/organisation/limits'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import type { Answer } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const issuesOf = (answer: Answer) =>
  (answer.data as { fields?: { path: string; rule: string; params?: object }[] } | undefined)?.fields ?? []
let codes = 0
const add = (site: Site, type: 1 | 3 | 4 = 3) =>
  site.ask(deviceCalls.create, { body: { code: `LIMIT-${++codes}`, name: `Limited ${codes}`, type, model: type === 1 ? 1 : 4 } })
const limit = (organisationId: string, most: number, deviceType: 1 | 3 | 4 | null = null) =>
  world.call(deviceLimitCalls.add, { body: { organisationId, limit: most, deviceType } })
const used = async (id: string) => (await world.call(deviceLimitCalls.list, { body: { id } })).content[0]!.used

test('an institution gets no more devices than its limit, which the refusal tells with what there is', async () => {
  const site = await world.addPark({ name: 'Harbour' })
  const { id } = await limit(site.park.id, 2)
  expect((await add(site)).code).toBe(0)
  expect((await add(site, 1)).code).toBe(0)
  const refused = await add(site, 4)
  expect(refused.status).toBe(400)
  expect(issuesOf(refused)).toEqual([{ path: 'type', rule: 'deviceLimit', params: { organisation: 'Harbour', limit: 2, count: 2 } }])
  expect(await used(id)).toBe(2)
  // A larger limit admits the next one.
  const { version } = (await world.call(deviceLimitCalls.list, { body: { id } })).content[0]!
  await world.call(deviceLimitCalls.update, { body: { id, limit: 3, version } })
  expect((await add(site)).code).toBe(0)
  expect(await world.ask(deviceLimitCalls.update, { body: { id, limit: 9, version } })).toMatchObject({ status: 409 })
  // A limit below the current number removes no device, and admits none.
  await world.call(deviceLimitCalls.update, { body: { id, limit: 1 } })
  expect(await used(id)).toBe(3)
  expect((await add(site)).status).toBe(400)
  await world.call(deviceLimitCalls.remove, { query: { id } })
  expect((await add(site)).code).toBe(0)
})

test('a limit of one type counts that type alone, also when a device changes to it', async () => {
  const site = await world.addPark({ name: 'Airport' })
  await limit(site.park.id, 1, 1)
  const first = await add(site, 1)
  expect(first.code).toBe(0)
  expect(issuesOf(await add(site, 1))).toEqual([
    { path: 'type', rule: 'deviceTypeLimit', params: { organisation: 'Airport', limit: 1, count: 1 } },
  ])
  const other = await add(site, 3)
  expect(other.code).toBe(0)
  const change = (id: string, type: 1 | 3) =>
    site.ask(deviceCalls.change, { body: { id, name: `Changed ${id}`, type, model: type === 1 ? 1 : 4 } })
  expect(issuesOf(await change(other.data.id, 1)).map(({ rule }) => rule)).toEqual(['deviceTypeLimit'])
  expect((await change(first.data.id, 1)).code).toBe(0)
  expect((await change(first.data.id, 3)).code).toBe(0)
  expect((await change(other.data.id, 1)).code).toBe(0)
})

test('a company’s limit counts the devices of all its parks', async () => {
  const companyId = world.server.contexts.organisation.service.get(world.park.id)!.parentId!
  const company = await world.call(areaCalls.add, { body: { name: 'Branch', type: 200, parentId: companyId } })
  const [one, other] = [await world.addPark(), await world.addPark()]
  for (const { park } of [one, other]) await world.call(areaCalls.update, { body: { id: park.id, name: park.name, parentId: company.id } })
  const { id } = await limit(company.id, 2)
  expect((await add(one)).code).toBe(0)
  expect((await add(other)).code).toBe(0)
  expect(issuesOf(await add(one))).toMatchObject([{ params: { organisation: 'Branch', limit: 2, count: 2 } }])
  expect(await used(id)).toBe(2)
  expect((await add(world)).code).toBe(0)
})

test('of many devices that come at once no more are let in than the limit', async () => {
  const site = await world.addPark()
  await limit(site.park.id, 3)
  const answers = await Promise.all(Array.from({ length: 8 }, () => add(site)))
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(3)
  expect((await site.call(deviceCalls.list, { query: {} })).total).toBe(3)
})

test('a device type that does not exist is none, wherever one is named', async () => {
  const [site, none] = [await world.addPark(), 9 as never]
  const organisationId = site.park.id
  const device = await site.device()
  const fields = { name: 'Of no type', type: none, model: 4 } as const
  const answers = {
    add: await site.ask(deviceCalls.create, { body: { ...fields, code: 'NO-TYPE' } }),
    change: await site.ask(deviceCalls.change, { body: { ...fields, id: device.id } }),
    list: await site.ask(deviceCalls.list, { query: { type: none } }),
    limit: await world.ask(deviceLimitCalls.add, { body: { organisationId, limit: 1, deviceType: none } }),
    limits: await world.ask(deviceLimitCalls.list, { body: { deviceType: none } }),
    upgrade: await world.ask(upgradeCalls.reach, { body: { versionId: device.id, deviceTypes: [none] } }),
  }
  expect(
    Object.entries(answers).map(([name, { status, data }]) => [name, status, issuesOf({ data } as Answer).map(({ rule }) => rule)]),
  ).toEqual(Object.keys(answers).map((name) => [name, 400, ['oneOf']]))
})

test('limits are listed by page, by institution and by type, and each is made once', async () => {
  const sites = [await world.addPark({ name: 'Listed East' }), await world.addPark({ name: 'Listed West' })]
  for (const { park } of sites) for (const type of [null, 3, 4] as const) await limit(park.id, 5, type)
  expect(await world.ask(deviceLimitCalls.add, { body: { organisationId: sites[0]!.park.id, limit: 9, deviceType: 3 } })).toMatchObject({
    status: 200,
    code: 900004,
  })
  const find = (body: object) => world.call(deviceLimitCalls.list, { body: { name: 'listed', ...body } })
  expect((await find({})).total).toBe(6)
  expect(await find({ page: 2, size: 4 })).toMatchObject({
    total: 6,
    page: 2,
    size: 4,
    content: [{ organisationName: 'Listed West' }, { organisationName: 'Listed West' }],
  })
  expect((await find({ organisationId: sites[1]!.park.id, deviceType: 4 })).content).toMatchObject([
    { organisationName: 'Listed West', deviceType: 4, limit: 5, used: 0 },
  ])
  expect((await find({ full: true })).total).toBe(0)
  const { id } = (await find({ deviceType: 4 })).content[0]!
  await world.call(deviceLimitCalls.update, { body: { id, limit: 0 } })
  expect((await find({ full: true })).content.map((row) => row.id)).toEqual([id])
})

test('limits are kept by admin and operator at the root only [BEH-203]', async () => {
  const { service } = world.server.contexts.organisation
  const rootId = service.root().id
  const ask = async (roleSign: string, organisationId: string) =>
    (await world.session({ roleSign, organisationId })).ask(deviceLimitCalls.list, { body: {} })
  for (const roleSign of ['admin', 'operator']) expect((await ask(roleSign, rootId)).code).toBe(0)
  for (const roleSign of ['parkAdmin', 'other']) expect(await ask(roleSign, rootId)).toMatchObject({ status: 403, code: 100510 })
  expect(await ask('admin', world.park.id)).toMatchObject({ status: 403, code: 100510 })
})
