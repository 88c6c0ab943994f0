/** Which devices may connect, and whether they are online. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAIRING_SECRET_KEPT } from '@gatehouse/contract'
import { PROTOCOL_VERSION } from '@gatehouse/contract/device/protocol'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceAuthorisationStatus } from '@gatehouse/contract/enums/devices'
import { topics } from '@gatehouse/contract/realtime'
import { newId } from '../../platform/database/ids.ts'
import { on } from '../../platform/events/events.ts'
import { startWorld, type Made, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { askToPair, startWireDevice, wireClient } from '../../../../../tests/support/wire-device.ts'
import { clockAhead } from '../../../../../tests/support/clock-ahead.ts'
import { until } from '../../../../../tests/support/until.ts'
import { deviceStatusChanged } from './events.ts'

const { unauthorised, authorised, authorising } = deviceAuthorisationStatus
const DAY = 86_400_000

let world: World
const { clock, after } = clockAhead()
beforeAll(async () => {
  world = await startWorld({ clock })
})
afterAll(() => world?.stop())

const read = (device: Made) => world.call(deviceCalls.read, { params: { id: device.id } })
const stateOf = async (device: Made) => (await read(device)).authorisationStatus
const renew = (device: Made) => world.call(deviceCalls.resetSecret, { params: { id: device.id }, body: {} })
const revoke = (device: Made) => world.call(deviceCalls.revoke, { params: { id: device.id } })
const pair = (device: Pick<MadeDevice, 'code' | 'secret'>, protocol?: number) => askToPair(wireClient(world.url, device), protocol)
const isOnline = (device: Made, online: boolean) =>
  until(`${device.name} to be ${online ? 'online' : 'offline'}`, async () => (await read(device)).onlineStatus === Number(online))

describe('authorisation', () => {
  test('a new device waits for its terminal, which pairs with its secret [STATE:deviceAuthorisation:2>1]', async () => {
    const device = await world.device()
    expect(await stateOf(device)).toBe(authorising)
    expect((await pair({ ...device, secret: 'guessed' })).status).toBe(401)
    expect(await stateOf(device)).toBe(authorising)
    expect((await pair(device)).code).toBe(0)
    expect(await stateOf(device)).toBe(authorised)
    // The state stays, however often it connects.
    expect((await pair(device)).code).toBe(0)
    expect(await stateOf(device)).toBe(authorised)
  })

  test('that is revoked cuts the terminal off at once: it gets nothing any more [STATE:deviceAuthorisation:1>0]', async () => {
    const device = await world.device()
    const wire = await startWireDevice(world.url, device)
    await isOnline(device, true)
    await revoke(device)
    expect(await read(device)).toMatchObject({ authorisationStatus: unauthorised, onlineStatus: 0 })
    expect((await pair(device)).status).toBe(401)
    expect((await wire.http.ask(deviceProtocolCalls.manifest, {})).status).toBe(401)
    await until('its connection to end', () => !wire.connected())
    const heard = wire.heard.length
    await world.person({ permittedAt: device })
    await world.settled()
    expect(wire.heard).toHaveLength(heard)
    expect(await read(device)).toMatchObject({ authorisationStatus: unauthorised, onlineStatus: 0 })
    // Repeating it changes nothing.
    await revoke(device)
    expect(await stateOf(device)).toBe(unauthorised)
  })

  test('begins again with another secret, the old one opens nothing [STATE:deviceAuthorisation:0>2]', async () => {
    const device = await world.device()
    await pair(device)
    await revoke(device)
    expect(await stateOf(device)).toBe(unauthorised)
    const { secret } = await renew(device)
    expect(await stateOf(device)).toBe(authorising)
    expect((await pair(device)).status).toBe(401)
    expect(await stateOf(device)).toBe(authorising)
    expect((await pair({ ...device, secret })).code).toBe(0)
    expect(await stateOf(device)).toBe(authorised)
  })

  test('ends where the terminal speaks another protocol, and where nobody came in time [STATE:deviceAuthorisation:2>0]', async () => {
    const foreign = await world.device()
    expect(await pair(foreign, PROTOCOL_VERSION + 1)).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'protocol', rule: 'oneOf', params: { values: '1' } }] },
    })
    expect(await stateOf(foreign)).toBe(unauthorised)
    expect((await pair(foreign)).status).toBe(401)

    const { pairing } = world.server.contexts.devices.service
    const [late, paired, renewed] = [await world.device(), await world.device(), await world.device()]
    await pair(paired)
    await after((PAIRING_SECRET_KEPT - 1) * DAY, () => pairing.lapse())
    expect(await stateOf(late)).toBe(authorising)
    const by = { userId: newId(), kind: 'user', account: '', operator: '' } as const
    const { secret } = await after((PAIRING_SECRET_KEPT - 1) * DAY, () =>
      pairing.renew({ parkId: world.park.id }, renewed.id, { by, release: true }),
    )
    expect(await after(PAIRING_SECRET_KEPT * DAY, () => pairing.job.run())).toMatchObject({ outcome: 'success' })
    expect([await stateOf(late), await stateOf(paired), await stateOf(renewed)]).toEqual([unauthorised, authorised, authorising])
    expect((await pair(late)).status).toBe(401)
    expect((await pair({ ...renewed, secret })).code).toBe(0)
    expect((await pair(paired)).code).toBe(0)
  })

  test('of a terminal that has paired does not end by a newer version of it that is refused', async () => {
    const device = await world.device()
    await pair(device)
    expect((await pair(device, PROTOCOL_VERSION + 1)).status).toBe(400)
    expect(await stateOf(device)).toBe(authorised)
    expect((await pair(device)).code).toBe(0)
  })

  test('a new secret makes a paired device wait for its terminal again', async () => {
    const device = await world.device()
    const wire = await startWireDevice(world.url, device)
    await isOnline(device, true)
    await renew(device)
    expect(await read(device)).toMatchObject({ authorisationStatus: authorising, onlineStatus: 0 })
    await until('its connection to end', () => !wire.connected())
  })

  test('of another park is nobody’s business', async () => {
    const other = await world.addPark()
    const device = await world.device()
    await pair(device)
    for (const call of [deviceCalls.revoke, deviceCalls.release, deviceCalls.releaseEffect])
      expect((await other.ask(call, { params: { id: device.id } })).status).toBe(404)
    expect((await other.ask(deviceCalls.resetSecret, { params: { id: device.id }, body: {} })).status).toBe(404)
    expect(await stateOf(device)).toBe(authorised)
  })

  test('shows on live screens as it changes', async () => {
    const device = await world.device()
    const live = await world.listen(topics.deviceStatus)
    await revoke(device)
    expect(
      await live.row(
        'the device without authorisation',
        ({ id, authorisationStatus }) => id === device.id && authorisationStatus === unauthorised,
      ),
    ).toMatchObject({ onlineStatus: 0 })
    await live.stop()
  })
})

describe('whether a device is there', () => {
  test('follows its connection, and each change is told once with its time [STATE:deviceOnline:0>1, STATE:deviceOnline:1>0]', async () => {
    const device = await world.device()
    const announced: { online: boolean; at: number }[] = []
    world.server.platform.events.consume({
      name: 'test.switched',
      mode: 'everyNode',
      handlers: [
        on(deviceStatusChanged, ({ payload }) => void announced.push(...payload.switched.filter(({ deviceId }) => deviceId === device.id))),
      ],
    })
    expect((await read(device)).onlineStatus).toBe(0)
    const before = world.clock.now()
    const wire = await startWireDevice(world.url, device)
    await isOnline(device, true)
    const { onlineSince } = await read(device)
    await wire.say({ ip: '10.0.0.3' })
    await until('what it says of itself', async () => (await read(device)).ip === '10.0.0.3')
    expect((await read(device)).onlineSince).toBe(onlineSince)
    wire.cut()
    await isOnline(device, false)
    expect((await read(device)).onlineSince).toBeNull()
    await until('both changes to be announced', () => announced.length === 2)
    expect(announced.map(({ online }) => online)).toEqual([true, false])
    expect(announced[0]!.at).toBeGreaterThanOrEqual(before)
    expect(onlineSince).toBe(announced[0]!.at)
    expect(announced[1]!.at).toBeGreaterThanOrEqual(announced[0]!.at)
    expect((await read(device)).lastSeenAt).toBe(announced[1]!.at)
  })
})
