/** Events at doors: received from devices, listed, shown live and handled. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { deviceEventCalls } from '@gatehouse/contract/alarms/device-events'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { numberedCalls, type DeviceEventObject } from '@gatehouse/contract/device/numbered'
import { alarmHandlingStatusAlt, alarmLevel, alarmType, deviceAlarmHandling } from '@gatehouse/contract/enums'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { topics } from '@gatehouse/contract/realtime'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { startCutNetwork } from '../../../../../tests/support/cut-network.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { flatPng } from '../../../../../tests/support/pictures.ts'
import { until } from '../../../../../tests/support/until.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const NETWORK_HOST = '127.0.0.11'
const { list, dispose, video } = deviceEventCalls

let world: World
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead }, jobsAsleep: true })
})
afterAll(() => world?.stop())

const clientOf = ({ code, secret }: MadeDevice) => createClient(world.url, { basic: [code, secret] })
const begins = (seq: number, change: Partial<DeviceEventObject> = {}): DeviceEventObject => ({
  seq,
  kind: 'forced',
  occurredAt: world.clock.now(),
  endOf: null,
  hasPicture: false,
  ...change,
})
const send = (device: MadeDevice, events: DeviceEventObject[], message: { epoch?: string; sentAt?: number; oldestSeq?: number } = {}) =>
  clientOf(device).call(numberedCalls.events, { body: { epoch: 'one', oldestSeq: 1, sentAt: world.clock.now(), events, ...message } })
const eventsOf = async ({ id: deviceId }: MadeDevice, site: Pick<Site, 'call'> = world) =>
  (await site.call(list, { body: { deviceId } })).content
/** Create a device with one event. */
async function happened(change: Partial<DeviceEventObject> = {}, site: Site = world) {
  const device = await site.device()
  await send(device, [begins(1, change)])
  const [event] = await eventsOf(device, site)
  return { device, event: event! }
}
const dropOld = () => world.server.contexts.alarms.jobs!.find(({ name }) => name === 'alarms.dropOldDeviceEvents')!.run()

describe('what devices send', () => {
  test('is stored once and in order, acknowledged as far as it is, and repeats change nothing', async () => {
    const device = await world.device()
    expect(await send(device, [])).toEqual({ ackSeq: 0 })
    const [one, two] = [begins(1, { kind: 'fire' }), begins(2, { kind: 'heldOpen' })]
    expect(await send(device, [one, two])).toEqual({ ackSeq: 2 })
    expect(await send(device, [one, two])).toEqual({ ackSeq: 2 })
    // The fourth does not follow.
    expect(await send(device, [begins(4)])).toEqual({ ackSeq: 2 })
    expect(await send(device, [begins(3, { kind: 'slope' }), begins(4, { kind: 'tamper' })])).toEqual({ ackSeq: 4 })
    const { low, medium, high } = alarmLevel
    const stored = await eventsOf(device)
    expect(new Map(stored.map(({ type, level }) => [type, level]))).toEqual(
      new Map([
        [alarmType.fire, high],
        [alarmType.gateOvertime, medium],
        [alarmType.slope, low],
        [alarmType.tamper, high],
      ]),
    )
    expect(stored[0]).toMatchObject({ deviceName: device.name, status: 0, handling: null, imageUrl: '', hasVideo: false })
    expect(stored[0]!.can).toEqual({ dispose: true })
  })

  test('ends by its end, or when the next of its kind begins', async () => {
    const device = await world.device()
    const at = world.clock.now() - 10 * MINUTE
    const after = (minutes: number) => ({ occurredAt: at + minutes * MINUTE })
    await send(device, [
      begins(1, { kind: 'tamper', ...after(0) }),
      begins(2, { kind: 'forced', ...after(1) }),
      begins(3, { kind: 'forced', ...after(2), endOf: 2 }),
    ])
    // The way to the server takes a little of each minute.
    const minuteOf = (moment: number | null) => moment && Math.round((moment - at) / MINUTE)
    const ends = async () => (await eventsOf(device)).map(({ alertTime, endedAt }) => [minuteOf(alertTime), minuteOf(endedAt)])
    expect(await ends()).toEqual([
      [1, 2],
      [0, null],
    ])
    await send(device, [begins(4, { kind: 'tamper', ...after(5), endOf: 1 })])
    await send(device, [begins(5, { kind: 'tamper', ...after(6) })])
    await send(device, [begins(6, { kind: 'tamper', ...after(7) })])
    expect(await ends()).toEqual([
      [7, null],
      [6, 7],
      [1, 2],
      [0, 5],
    ])
  })

  test('happened by the clock of the server, whatever that of the device says', async () => {
    const now = world.clock.now()
    const [behind, hostile] = [await world.device(), await world.device()]
    await send(behind, [begins(1, { occurredAt: now - 3 * DAY })], { sentAt: now - 3 * DAY + MINUTE })
    const [event] = await eventsOf(behind)
    expect(Math.abs(event!.alertTime - (now - MINUTE))).toBeLessThan(MINUTE / 2)
    const ends = 8_640_000_000_000_000
    await send(hostile, [begins(1, { occurredAt: ends })], { sentAt: 0 })
    await send(hostile, [begins(2, { kind: 'fire', occurredAt: 0 })], { sentAt: ends })
    expect((await eventsOf(hostile))[0]!.alertTime).toBeLessThanOrEqual(world.clock.now())
    expect(await clientOf(hostile).ask(numberedCalls.events, { body: { epoch: '\0', oldestSeq: 1, sentAt: 0, events: [] } })).toMatchObject(
      { status: 400 },
    )
  })

  test('a picture follows its event, is kept once, and is let go where pictures are kept no longer', async () => {
    const site = await world.addPark()
    const { device, event } = await happened({ hasPicture: true }, site)
    const attach = (seq: number, file: Buffer = flatPng(64, 40)) =>
      clientOf(device).ask(numberedCalls.eventPicture, { params: { epoch: 'one', seq }, file })
    expect(await attach(2)).toMatchObject({ status: 404 })
    expect(await attach(1, Buffer.from('no picture'))).toMatchObject({ status: 200, code: 200205 })
    for (let repeat = 0; repeat < 2; repeat++) expect(await attach(1)).toMatchObject({ code: 0 })
    const [pictured] = await eventsOf(device, site)
    expect(pictured).toMatchObject({ id: event.id, imageUrl: expect.stringContaining('/') })
    expect((await fetch(new URL(pictured!.imageUrl, world.url))).status).toBe(200)
    expect(await query(world.connectionString, 'SELECT id FROM file WHERE park_id = $1 AND kept', [site.park.id])).toHaveLength(1)

    const { version } = await site.call(parkSettingCalls.pictureRetention, {})
    await site.call(parkSettingCalls.savePictureRetention, { body: { days: 30, version } })
    ahead += 31 * DAY
    onTestFinished(() => void (ahead -= 31 * DAY))
    expect(await dropOld()).toMatchObject({ counts: { pictures: 1 } })
    const left = await query(world.connectionString, 'SELECT picture_file_id AS file FROM device_event WHERE id = $1', [event.id])
    expect(left).toEqual([{ file: null }])
    expect(await attach(1)).toMatchObject({ code: 0 })
    expect(await query(world.connectionString, 'SELECT id FROM file WHERE park_id = $1 AND kept', [site.park.id])).toEqual([])
  })

  test('outlives its device, under the name it had, and goes with its park', async () => {
    const site = await world.addPark()
    const { device } = await happened({}, site)
    await site.call(deviceCalls.delete, { query: { ids: device.id } })
    expect(await eventsOf(device, site)).toMatchObject([{ deviceName: device.name }])
    const { platform, contexts } = world.server
    expect(await platform.transaction((tx) => contexts.alarms.erasePark!(tx, { parkId: site.park.id }))).toMatchObject({ deviceEvents: 1 })
    expect(await eventsOf(device, site)).toEqual([])
  })
})

describe('the list', () => {
  test('is asked by tab, status, type and time, newest first, page by page', async () => {
    const site = await world.addPark()
    const device = await site.device()
    const at = world.clock.now() - 10 * MINUTE
    await send(device, [
      begins(1, { kind: 'fire', occurredAt: at }),
      begins(2, { occurredAt: at + MINUTE }),
      begins(3, { kind: 'tamper', occurredAt: at + 2 * MINUTE }),
    ])
    const found = async (filter: NonNullable<Parameters<typeof site.call<typeof list>>[1]>['body']) =>
      (await site.call(list, { body: filter })).content.map(({ type }) => type)
    const { fire, tamper, type110: forced } = alarmType
    expect(await found({})).toEqual([tamper, forced, fire])
    expect(await found({ type: fire })).toEqual([fire])
    const [newest, second] = (await site.call(list, { body: {} })).content
    expect(await found({ startTime: second!.alertTime, endTime: second!.alertTime })).toEqual([forced])
    await site.call(dispose, { body: { id: newest!.id, handling: deviceAlarmHandling.ignored } })
    expect(await found({ tab: 'unhandled' })).toEqual([forced, fire])
    expect(await found({ tab: 'handled' })).toEqual([tamper])
    expect(await found({ tab: 'unhandled', status: alarmHandlingStatusAlt.ignored })).toEqual([])
    const page = await site.call(list, { body: { size: 2 } })
    expect(page).toMatchObject({ total: 3, totalExact: true, content: [{ type: tamper }, { type: forced }] })
    expect(await found({ size: 2, after: page.next! })).toEqual([fire])
    expect(await found({ size: 2, page: 2 })).toEqual([fire])
  })

  test('refuses a window that ends before it begins or is too long, and a cursor that is none', async () => {
    const now = world.clock.now()
    expect(await world.ask(list, { body: { startTime: now, endTime: now - 1 } })).toMatchObject({ status: 200, code: 900007 })
    expect(await world.ask(list, { body: { startTime: now - 367 * DAY } })).toMatchObject({ status: 200, code: 900007 })
    for (const after of ['x', `9999999999999999_${crypto.randomUUID()}`])
      expect(await world.ask(list, { body: { after } })).toMatchObject({ status: 400 })
  })

  test('shows somebody limited to groups of devices theirs only', async () => {
    const group = await world.deviceGroup()
    const [inside, outside] = [await world.device({ groupId: group.id }), await world.device()]
    const permissions = ['access.alert', 'surveillance.alert.handle']
    const limited = await world.session({ permissions, deviceGroupIds: [group.id] })
    await send(inside, [begins(1)])
    await send(outside, [begins(1)])
    const [hidden] = await eventsOf(outside)
    expect((await limited.call(list, { body: {} })).content.map(({ deviceId }) => deviceId)).toEqual([inside.id])
    expect(await limited.ask(dispose, { body: { id: hidden!.id, handling: 'ignored' } })).toMatchObject({ code: 500012 })
    expect(await limited.ask(video, { query: { id: hidden!.id } })).toMatchObject({ code: 500012 })
  })
})

describe('handling', () => {
  const { followedUp, ignored } = deviceAlarmHandling

  test('followed up or ignored [BEH-156, STATE:deviceAlarm:unhandled>followed up, STATE:deviceAlarm:unhandled>ignored]', async () => {
    const [one, other] = [await happened(), await happened()]
    expect(await world.call(dispose, { body: { id: one.event.id, handling: followedUp } })).toMatchObject({
      status: alarmHandlingStatusAlt.handling,
      handling: followedUp,
      can: { dispose: false },
    })
    expect(await world.call(dispose, { body: { id: other.event.id, handling: ignored } })).toMatchObject({
      status: alarmHandlingStatusAlt.ignored,
      handling: ignored,
    })
    expect(await world.ask(dispose, { body: { id: one.event.id, handling: ignored } })).toMatchObject({ status: 200, code: 500013 })
    expect(await world.ask(dispose, { body: { id: crypto.randomUUID(), handling: ignored } })).toMatchObject({ code: 500012 })
    expect(await world.ask(dispose, { body: { id: one.event.id, handling: 'falseAlarm' as never } })).toMatchObject({ status: 400 })
    const elsewhere = await world.addPark()
    expect(await elsewhere.ask(dispose, { body: { id: other.event.id, handling: ignored } })).toMatchObject({ code: 500012 })
  })

  test('saves operator and dealing record, and stands in the operation log [BEH-157]', async () => {
    const { device, event } = await happened()
    const before = world.clock.now()
    await world.call(dispose, { body: { id: event.id, handling: followedUp, dealingRecord: ' 门已关好 ' } })
    const [handled] = await eventsOf(device)
    expect(handled).toMatchObject({ dealingRecord: '门已关好', operator: expect.stringMatching(/./) })
    expect(handled!.dealtAt).toBeGreaterThanOrEqual(before)
    const { content } = await world.call(auditCalls.operations, { query: { subject: device.name } })
    expect(content.map(({ url }) => url)).toContain(dispose.url)
  })

  test('needs a code of its own besides that of the list', async () => {
    const { event } = await happened()
    const body = { id: event.id, handling: ignored }
    for (const permissions of [['access.alert'], ['surveillance.alert.handle']])
      expect(await (await world.session({ permissions })).ask(dispose, { body })).toMatchObject({ status: 403 })
  })

  test('one of two who handle it at once is refused', async () => {
    const { event } = await happened()
    const answers = await Promise.all([1, 2].map(() => world.ask(dispose, { body: { id: event.id, handling: ignored } })))
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 500013])
  })

  test('what was handled is dropped once lists do not reach it any more; what is unhandled stays', async () => {
    const site = await world.addPark()
    const device = await site.device()
    await send(device, [begins(1), begins(2, { kind: 'fire' })])
    const [one] = await eventsOf(device, site)
    await site.call(dispose, { body: { id: one!.id, handling: ignored } })
    ahead += 367 * DAY
    onTestFinished(() => void (ahead -= 367 * DAY))
    await dropOld()
    const left = await query(world.connectionString, 'SELECT status FROM device_event WHERE park_id = $1', [site.park.id])
    expect(left).toEqual([{ status: 0 }])
  })
})

test('no recording covers an event as long as none is made', async () => {
  const { event } = await happened()
  expect(await world.call(video, { query: { id: event.id } })).toEqual({ available: false, url: '', startTime: null, endTime: null })
  expect(await world.ask(video, { query: { id: crypto.randomUUID() } })).toMatchObject({ status: 200, code: 500012 })
})

test('a door forced at a terminal is in the list and live at once; what happens without a network arrives once', async () => {
  const network = await startCutNetwork(world, NETWORK_HOST)
  onTestFinished(() => network.stop())
  const device = await world.device()
  await world.call(configurationCalls.add, {
    body: { deviceId: device.id, settings: { gpioTypes: ['doorSensor', 'tamper'], alarmRecordingTypes: [alarmType.tamper] } },
  })
  const terminal = await world.terminal(device, {
    server: network.url,
    pins: 'simulated',
    door: { open: async () => {}, close: async () => {} },
  })
  onTestFinished(() => terminal.stop())
  await until('the terminal to know its pins', () => terminal.state().settings.values.gpioTypes.length === 2)
  const live = await world.listen(topics.deviceEvents)
  onTestFinished(() => live.stop())
  const press = (pin: number, level: 0 | 1) => fetch(`${terminal.url}pins/${pin}`, { method: 'PUT', body: String(level) })
  const isForced = (row: { deviceId: string; type: number }) => row.deviceId === device.id && row.type === alarmType.type110
  await press(0, 1)
  await live.row('the forced door', (row) => isForced(row) && row.endedAt === null && row.bubbleType === 'deviceAlarm')
  await press(0, 0)
  await live.row('its end', (row) => isForced(row) && row.endedAt !== null)
  expect(await eventsOf(device)).toMatchObject([{ type: alarmType.type110, level: alarmLevel.high }])

  network.cut()
  await until('the terminal to be away', () => terminal.state().link.kind !== 'online')
  await press(1, 1)
  await press(1, 0)
  await press(0, 1)
  network.restore()
  const events = await until('both to be there', async () => {
    const found = await eventsOf(device)
    return found.length === 3 ? found : null
  })
  expect(events.map(({ type, endedAt }) => [type, endedAt === null])).toEqual([
    [alarmType.type110, true],
    [alarmType.tamper, false],
    [alarmType.type110, false],
  ])
  await world.settled()
  expect(await eventsOf(device)).toHaveLength(3)
})
