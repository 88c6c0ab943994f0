/** Templates, and settings copied to many devices at once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'

const { add, addTemplate, changeTemplate, changePark, copy, copyPreview, deleteTemplates, detail, secrets, template, templates } =
  configurationCalls

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const as = ({ code, secret }: MadeDevice) => createClient(world.url, { basic: [code, secret] })
const fields = (overrides: object = {}) =>
  ({ name: 'Lobby', deviceType: 3, model: 4, settings: { volume: 25 }, ...overrides }) as InputOf<typeof addTemplate.body>
const ownOf = async (site: Site, { id }: MadeDevice) => (await site.call(detail, { query: { id } })).own
const fromTemplate = (id: string, to: object) => ({ from: 'template', fromId: id, ...to }) as InputOf<typeof copy.body>

test('a template is added, listed, changed and deleted, and its name is taken once', async () => {
  const site = await world.addPark()
  const { id } = await site.call(addTemplate, { body: fields({ consolePassword: 'Turnstile7' }) })
  expect(await site.call(template, { params: { id } })).toMatchObject({
    name: 'Lobby',
    type: 3,
    model: 4,
    settings: { volume: 25 },
    secretsSet: ['consolePassword'],
    version: 1,
  })
  expect(await site.ask(addTemplate, { body: fields({ name: 'LOBBY' }) })).toMatchObject({
    code: 900004,
    data: { fields: [{ path: 'name' }] },
  })
  expect((await site.ask(addTemplate, { body: fields({ name: 'Recorder', deviceType: 14 }) })).code).toBe(400204)
  expect((await site.ask(addTemplate, { body: fields({ name: 'Wrong', settings: { temperatureMinimum: 40 } }) })).status).toBe(400)
  await site.call(changeTemplate, { body: { id, ...fields({ name: 'Foyer', settings: { volume: 30 } }), version: 1 } })
  expect((await site.ask(changeTemplate, { body: { id, ...fields(), version: 1 } })).status).toBe(409)
  expect((await site.call(templates, { query: { name: 'foy', type: 3 } })).content).toMatchObject([
    { id, settings: { volume: 30 }, secretsSet: ['consolePassword'] },
  ])
  expect((await site.call(templates, { query: { type: 2 } })).total).toBe(0)
  expect(await site.call(deleteTemplates, { query: { ids: [id] } })).toEqual({ deleted: 1 })
  expect((await site.ask(template, { params: { id } })).status).toBe(404)
  expect((await site.ask(deleteTemplates, { query: {} })).status).toBe(400)
})

test('copying counts before and after, and names whom it leaves out', async () => {
  const site = await world.addPark()
  const [plain, own, same, otherModel, otherType] = [
    await site.device({ name: 'Plain' }),
    await site.device({ name: 'Own' }),
    await site.device({ name: 'Same' }),
    await site.device({ name: 'Android', model: 5 }),
    await site.device({ name: 'Gate', type: 2 }),
  ]
  const { id } = await site.call(addTemplate, { body: fields() })
  await site.call(add, {
    body: {
      deviceId: own.id,
      settings: { volume: 99, promptText: 'Hi', networkMode: 2, ip: '10.0.0.9', subnetMask: '255.0.0.0', gateway: '10.0.0.1' },
    },
  })
  await site.call(add, { body: { deviceId: same.id, settings: { volume: 25 } } })
  const order = fromTemplate(id, { deviceIds: [plain, own, same, otherModel, otherType].map((device) => device.id) })
  const outcome = {
    devices: 5,
    copied: 2,
    same: 1,
    leftOut: expect.arrayContaining([
      { id: otherModel.id, name: 'Android', reason: 'otherModel' },
      { id: otherType.id, name: 'Gate', reason: 'otherType' },
    ]),
  }
  expect(await site.call(copyPreview, { body: order })).toEqual(outcome)
  expect(await ownOf(site, plain)).toEqual({})
  expect(await site.call(copy, { body: order })).toEqual(outcome)
  expect(await ownOf(site, plain)).toEqual({ volume: 25 })
  // The device keeps its own address.
  expect(await ownOf(site, own)).toEqual({ volume: 25, networkMode: 2, ip: '10.0.0.9', subnetMask: '255.0.0.0', gateway: '10.0.0.1' })
  await world.settled()
  expect((await as(plain).call(deviceProtocolCalls.manifest, {})).settings.configuration?.volume).toBe(25)
  // A second time there is nothing to change.
  expect(await site.call(copy, { body: order })).toMatchObject({ copied: 0, same: 3 })
})

test('a device’s settings go to a group and those below it, without its address and with its secrets', async () => {
  const site = await world.addPark()
  const group = await site.deviceGroup()
  const [source, member, outside] = [
    await site.device({ groupId: group.id }),
    await site.device({ groupId: group.id }),
    await site.device(),
  ]
  await site.call(add, {
    body: { deviceId: source.id, settings: { volume: 12, networkMode: 1, ip: '10.0.0.5' }, consolePassword: 'Turnstile7' },
  })
  await site.call(add, {
    body: { deviceId: member.id, settings: { ip: '10.0.0.6', promptText: 'Old' }, wifi: { name: 'Gate', password: '' } },
  })
  const outcome = await site.call(copy, { body: { from: 'device', fromId: source.id, groupId: group.id, type: 3 } })
  expect(outcome).toEqual({ devices: 2, copied: 1, same: 0, leftOut: [{ id: source.id, name: source.name, reason: 'itself' }] })
  expect(await ownOf(site, member)).toEqual({ volume: 12, ip: '10.0.0.6' })
  expect(await ownOf(site, outside)).toEqual({})
  expect(await as(member).call(secrets, {})).toMatchObject({
    console: { account: 'admin', password: 'Turnstile7' },
    wifi: { name: 'Gate', password: '' },
  })
})

test('copying to a type reaches all of them; what the park sets is looked at too', async () => {
  const site = await world.addPark()
  await Promise.all([site.device(), site.device()])
  const { id } = await site.call(addTemplate, { body: fields({ settings: { temperatureMaximum: 36 } }) })
  await site.call(changePark, { body: { settings: { temperatureMinimum: 36.5 } } })
  expect(await site.call(copyPreview, { body: fromTemplate(id, { type: 3 }) })).toMatchObject({
    devices: 2,
    copied: 0,
    leftOut: [{ reason: 'contradiction' }, { reason: 'contradiction' }],
  })
  await site.call(changePark, { body: { settings: {} } })
  expect(await site.call(copy, { body: fromTemplate(id, { type: 3 }) })).toMatchObject({ copied: 2, leftOut: [] })
  expect(await site.call(copyPreview, { body: fromTemplate(id, { type: 14 }) })).toEqual({ devices: 0, copied: 0, same: 0, leftOut: [] })
})

test('a foreign template, device or group is as if absent, and nothing is copied for the others', async () => {
  const [site, elsewhere] = [await world.addPark(), await world.addPark()]
  const device = await site.device()
  const { id } = await site.call(addTemplate, { body: fields() })
  const [foreign, foreignGroup] = [await elsewhere.device(), await elsewhere.deviceGroup()]
  const { id: foreignTemplate } = await elsewhere.call(addTemplate, { body: fields() })
  for (const order of [
    fromTemplate(foreignTemplate, { deviceIds: [device.id] }),
    fromTemplate(id, { deviceIds: [device.id, foreign.id] }),
    fromTemplate(id, { groupId: foreignGroup.id }),
    { from: 'device' as const, fromId: foreign.id, deviceIds: [device.id] },
  ]) {
    expect((await site.ask(copy, { body: order })).status).toBe(404)
    expect((await site.ask(copyPreview, { body: order })).status).toBe(404)
  }
  expect((await site.ask(copy, { body: fromTemplate(id, {}) })).status).toBe(400)
  expect(await ownOf(site, device)).toEqual({})
})

test('a thousand devices are copied to at once, one more is refused', async () => {
  const site = await world.addPark()
  const { id } = await site.call(addTemplate, { body: fields() })
  const crowd = (from: number, count: number) =>
    sql`INSERT INTO device (id, park_id, code, name, type, model, direction, secret_hash, created_at, updated_at)
    SELECT gen_random_uuid(), ${site.park.id}::uuid, 'CROWD-' || n, 'Crowd ' || n, 3, 4, 1, '\\x00', now(), now()
    FROM generate_series(${from}::int, ${from + count - 1}::int) AS n`.execute(world.server.platform.db)
  await crowd(1, 1000)
  expect(await site.call(copy, { body: fromTemplate(id, { type: 3 }) })).toEqual({ devices: 1000, copied: 1000, same: 0, leftOut: [] })
  const { rows } = await sql<{
    count: number
  }>`SELECT count(*)::int AS count FROM device_setting WHERE park_id = ${site.park.id}::uuid AND kind = 'device'`.execute(
    world.server.platform.db,
  )
  expect(rows[0]!.count).toBe(1000)
  await crowd(1001, 1)
  expect(await site.ask(copy, { body: fromTemplate(id, { type: 3 }) })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'deviceIds', rule: 'max.array', params: { limit: 1000 } }] },
  })
})
