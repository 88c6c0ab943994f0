/** Who may set devices to another server: users who could also pair one, through any call that sets it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import type { SomeSettings } from '@gatehouse/contract/configuration/settings'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Made, type Site, type World } from '@gatehouse/dev-env/world'
import { wireClient } from '../../../../../tests/support/wire-device.ts'

const { add, addTemplate, changeDisplay, changePark, changeTemplate, copy, copyPreview, deleteTemplates, detail, park, template } =
  configurationCalls
const SETS = ['device', 'device.setting']

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Create a park, with a user who sets up its devices, and a user who may pair them too. */
async function place() {
  const site = await world.addPark()
  const session = (permissions: string[]) => world.session({ park: site.park, permissions, roleSign: 'other' })
  return { site, sets: await session(SETS), pairs: await session([...SETS, 'own:device.pair']) }
}

const set = (client: Pick<Client, 'ask'>, { id }: Made, settings: SomeSettings, version?: number) =>
  client.ask(add, { body: { deviceId: id, settings, ...(version !== undefined && { version }) } })
const setPark = (client: Pick<Client, 'ask'>, settings: SomeSettings) =>
  client.ask(changePark, { body: { settings } as InputOf<typeof changePark.body> })
const templateOf = (settings: SomeSettings, name = 'Elsewhere') =>
  ({ name, deviceType: 3, model: 4, settings }) as InputOf<typeof addTemplate.body>
const ownOf = async (site: Pick<Site, 'call'>, { id }: Made) => (await site.call(detail, { query: { id } })).own
const refusedAt = (path: string) => ({ status: 403, code: 100510, data: { fields: [{ path, rule: 'movesDevice' }] } })
const [atAddress, atPort] = [refusedAt('serverAddress'), refusedAt('port')]
const done = { status: 200, code: 0 }

test('a device is set to another server by whoever may pair devices, and by nobody else', async () => {
  const { site, sets, pairs } = await place()
  const device = await site.device()
  expect(await set(sets, device, { volume: 40, serverAddress: 'evil.example' })).toMatchObject(atAddress)
  expect(await set(sets, device, { port: 8443 })).toMatchObject(atPort)
  expect(await set(sets, device, { serverAddress: null })).toMatchObject(atAddress)
  expect(await ownOf(site, device)).toEqual({})
  expect(await set(pairs, device, { serverAddress: 'gate.example', port: 8443 })).toMatchObject(done)

  // An unchanged address needs no permission; another address, another port and the change back do.
  expect(await set(sets, device, { volume: 40, serverAddress: 'gate.example', port: 8443 })).toMatchObject(done)
  expect(await set(sets, device, { volume: 40, serverAddress: 'evil.example', port: 8443 })).toMatchObject(atAddress)
  expect(await set(sets, device, { volume: 40, serverAddress: 'gate.example', port: 8444 })).toMatchObject(atPort)
  expect(await set(sets, device, { volume: 40 })).toMatchObject(atAddress)
  expect(await ownOf(site, device)).toEqual({ volume: 40, serverAddress: 'gate.example', port: 8443 })
  await world.settled()
  const { settings } = await wireClient(world.url, device).call(deviceProtocolCalls.manifest, {})
  expect(settings.configuration).toMatchObject({ volume: 40, serverAddress: 'gate.example', port: 8443 })
  expect(await set(pairs, device, { volume: 40 })).toMatchObject(done)
})

test('whoever read settings before somebody moved the device is told of that, not of a permission', async () => {
  const { site, sets, pairs } = await place()
  const device = await site.device()
  expect(await set(pairs, device, { serverAddress: 'gate.example' }, 0)).toMatchObject(done)
  expect(await set(sets, device, { volume: 40 }, 0)).toMatchObject({ status: 409 })
})

test('so it is with what a park sets for all of them', async () => {
  const { site, sets, pairs } = await place()
  expect(await setPark(sets, { serverAddress: 'evil.example' })).toMatchObject(atAddress)
  expect(await setPark(pairs, { serverAddress: 'gate.example', volume: 30 })).toMatchObject(done)
  expect(await setPark(sets, { serverAddress: 'gate.example', volume: 50 })).toMatchObject(done)
  expect(await setPark(sets, { volume: 50 })).toMatchObject(atAddress)
  expect(await sets.ask(changeDisplay, { body: { displayFields: ['name'] } })).toMatchObject(done)
  expect((await site.call(park, {})).settings).toEqual({ serverAddress: 'gate.example', volume: 50 })
})

test('with templates', async () => {
  const { site, sets, pairs } = await place()
  expect(await sets.ask(addTemplate, { body: templateOf({ port: 8443 }) })).toMatchObject(atPort)
  const { id } = await pairs.call(addTemplate, { body: templateOf({ serverAddress: 'gate.example' }) })
  const change = (client: Client, settings: SomeSettings, name?: string) =>
    client.ask(changeTemplate, { body: { id, ...templateOf(settings, name) } as InputOf<typeof changeTemplate.body> })
  expect(await change(sets, { serverAddress: 'gate.example', volume: 20 }, 'Renamed')).toMatchObject(done)
  expect(await change(sets, { serverAddress: 'evil.example' })).toMatchObject(atAddress)
  expect(await change(sets, {})).toMatchObject(atAddress)
  expect(await site.call(template, { params: { id } })).toMatchObject({
    name: 'Renamed',
    settings: { serverAddress: 'gate.example', volume: 20 },
  })
  expect(await sets.ask(deleteTemplates, { query: { ids: [id] } })).toMatchObject(done)
})

test('and with copies, before and while they are made: all of it or nothing', async () => {
  const { site, sets, pairs } = await place()
  const [source, plain, moved] = [await site.device(), await site.device(), await site.device()]
  await pairs.call(add, { body: { deviceId: source.id, settings: { serverAddress: 'gate.example', volume: 10 } } })
  await pairs.call(add, { body: { deviceId: moved.id, settings: { serverAddress: 'gate.example' } } })
  const { id } = await pairs.call(addTemplate, { body: templateOf({ volume: 70 }) })
  const fromDevice = (...to: Made[]) => ({ from: 'device' as const, fromId: source.id, deviceIds: to.map((device) => device.id) })
  const fromTemplate = (...to: Made[]) => ({ from: 'template' as const, fromId: id, deviceIds: to.map((device) => device.id) })
  const refused = refusedAt('fromId')
  // To another server, and away from one.
  for (const body of [fromDevice(moved, plain), fromTemplate(plain, moved)])
    for (const call of [copyPreview, copy]) expect(await sets.ask(call, { body })).toMatchObject(refused)
  expect([await ownOf(site, plain), await ownOf(site, moved)]).toEqual([{}, { serverAddress: 'gate.example' }])

  // Where devices stay at their server, no further permission is needed.
  expect(await sets.call(copy, { body: fromDevice(moved) })).toMatchObject({ copied: 1 })
  expect(await sets.call(copy, { body: fromTemplate(plain) })).toMatchObject({ copied: 1 })
  expect([await ownOf(site, plain), await ownOf(site, moved)]).toEqual([{ volume: 70 }, { serverAddress: 'gate.example', volume: 10 }])
  expect(await pairs.call(copy, { body: fromDevice(plain, moved) })).toMatchObject({ copied: 1, same: 1 })
  expect(await ownOf(site, plain)).toEqual({ serverAddress: 'gate.example', volume: 10 })
})
