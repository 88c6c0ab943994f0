/** Maintenance alarms: devices whose resources run short, listed, shown live, handled once each, escalated and part of cases. */
import type { InputOf } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { caseCalls } from '@gatehouse/contract/alarms/cases'
import { escalationCalls } from '@gatehouse/contract/alarms/escalation'
import { maintenanceAlarmCalls } from '@gatehouse/contract/alarms/maintenance-alarms'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { alarmHandlingStatusAlt, alarmLevel, deviceAlarmHandling } from '@gatehouse/contract/enums'
import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { topics } from '@gatehouse/contract/realtime'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { readXlsx } from '../../platform/documents/testing/xlsx.ts'
import { fetchExport, isAt } from '../exports/testing/exports.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const { list, read, dispose } = maintenanceAlarmCalls
const { followedUp, ignored } = deviceAlarmHandling
const { unhandled, handling } = alarmHandlingStatusAlt

let world: World
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
})
afterAll(() => world?.stop())

type Shares = Partial<Record<'cpu' | 'memory' | 'disk', number>>
const report = ({ code, secret }: MadeDevice, shares: Shares) =>
  createClient(world.url, { basic: [code, secret] }).call(maintenanceCalls.reportResource, {
    body: { cpu: 1, memory: 2, disk: 3, ...shares },
  })
type Filter = NonNullable<InputOf<(typeof list)['query']>>
const alarmsOf = async (site: Pick<Site, 'call'>, filter: Filter = {}) => (await site.call(list, { query: filter })).content
/** Create a device whose disk is full. */
async function short(site: Site = world, options: Parameters<Site['device']>[0] = {}) {
  const device = await site.device(options)
  await report(device, { disk: 97 })
  const [alarm] = await alarmsOf(site, { deviceId: device.id })
  return { device, alarm: alarm! }
}

describe('a resource that runs short', () => {
  test('is an alarm, in the list and live, that is handled or not whether it lasts or is over', async () => {
    const site = await world.addPark()
    const device = await site.device()
    const live = await site.listen(topics.deviceAlerts)
    onTestFinished(() => live.stop())
    await report(device, { disk: 97 })
    await live.row('the alarm', (row) => row.deviceId === device.id && row.bubbleType === 'device' && row.status === unhandled)
    const [alarm, ...others] = await alarmsOf(site, { tab: 'unhandled' })
    expect(others).toEqual([])
    expect(alarm).toEqual({
      id: expect.any(String),
      deviceId: device.id,
      deviceCode: device.code,
      deviceName: device.name,
      alertType: 'disk',
      level: alarmLevel.high,
      usagePercent: 97,
      threshold: 90,
      checkTime: expect.any(Number),
      clearedAt: null,
      status: unhandled,
      handling: null,
      operator: '',
      dealingRecord: '',
      dealtAt: null,
      escalatedAt: null,
      can: { dispose: true },
    })
    expect(await site.call(read, { query: { id: alarm!.id } })).toEqual(alarm)
    await report(device, {})
    await live.row('its end', (row) => row.id === alarm!.id && row.clearedAt !== null)
    expect(await alarmsOf(site, { tab: 'unhandled' })).toMatchObject([{ id: alarm!.id, status: unhandled, can: { dispose: true } }])
    await site.call(dispose, { body: { id: alarm!.id, handling: followedUp } })
    await live.row('its handling', (row) => row.id === alarm!.id && row.status === handling)
    expect(await alarmsOf(site, { tab: 'unhandled' })).toEqual([])
    expect(await alarmsOf(site, { tab: 'handled' })).toMatchObject([{ id: alarm!.id, clearedAt: expect.any(Number) }])
  })

  test('is found by tab, status, resource, device, time, and whether it lasts', async () => {
    const site = await world.addPark()
    const [one, other] = [await short(site), await short(site)]
    await report(other.device, { disk: 97, cpu: 99 })
    await report(one.device, {})
    const { id, checkTime } = one.alarm
    await site.call(dispose, { body: { id, handling: ignored } })
    const found = async (filter: Filter) => (await alarmsOf(site, filter)).map(({ deviceId, alertType }) => [deviceId, alertType])
    expect(await found({})).toHaveLength(3)
    expect(await found({ tab: 'handled' })).toEqual([[one.device.id, 'disk']])
    expect(await found({ tab: 'handled', status: alarmHandlingStatusAlt.ignored })).toHaveLength(1)
    expect(await found({ tab: 'unhandled', status: alarmHandlingStatusAlt.ignored })).toEqual([])
    expect(await found({ alertType: 'cpu' })).toEqual([[other.device.id, 'cpu']])
    expect(await found({ lasting: false })).toEqual([[one.device.id, 'disk']])
    expect(await found({ lasting: true, deviceId: one.device.id })).toEqual([])
    expect(await found({ deviceId: one.device.id, startTime: checkTime, endTime: checkTime })).toHaveLength(1)
    expect(await found({ deviceId: one.device.id, startTime: checkTime + 1 })).toEqual([])
    expect(await site.ask(list, { query: { startTime: 2, endTime: 1 } })).toMatchObject({ status: 200, code: 900007 })
    expect(await site.ask(read, { query: { id: crypto.randomUUID() } })).toMatchObject({ status: 200, code: 500012 })
  })

  test('is another alarm when it runs short again, and goes with its device', async () => {
    const site = await world.addPark()
    const { device, alarm } = await short(site)
    await site.call(dispose, { body: { id: alarm.id, handling: ignored } })
    // While it lasts, nobody needs to be told again.
    await report(device, { disk: 98 })
    expect(await alarmsOf(site, { tab: 'unhandled' })).toEqual([])
    await report(device, {})
    await report(device, { disk: 96 })
    expect(await alarmsOf(site, { tab: 'unhandled' })).toMatchObject([{ usagePercent: 96 }])
    await site.call(deviceCalls.delete, { query: { ids: device.id } })
    await world.settled()
    expect(await alarmsOf(site)).toEqual([])
  })
})

describe('handling', () => {
  test('is followed up or ignored, once, with who did it and what they wrote', async () => {
    const [one, other] = [await short(), await short()]
    const before = world.clock.now()
    const handled = await world.call(dispose, { body: { id: one.alarm.id, handling: followedUp, dealingRecord: ' 已清理磁盘 ' } })
    expect(handled).toMatchObject({
      status: handling,
      handling: followedUp,
      dealingRecord: '已清理磁盘',
      operator: expect.stringMatching(/./),
      can: { dispose: false },
    })
    expect(handled.dealtAt).toBeGreaterThanOrEqual(before)
    expect(await world.call(read, { query: { id: one.alarm.id } })).toEqual(handled)
    expect(await world.call(dispose, { body: { id: other.alarm.id, handling: ignored } })).toMatchObject({
      status: alarmHandlingStatusAlt.ignored,
      handling: ignored,
    })
    const ask = (body: object) => world.ask(dispose, { body: body as { id: string; handling: 'ignored' } })
    expect(await ask({ id: one.alarm.id, handling: ignored })).toMatchObject({ status: 200, code: 500013 })
    expect(await ask({ id: crypto.randomUUID(), handling: ignored })).toMatchObject({ status: 200, code: 500012 })
    expect(await ask({ id: other.alarm.id, handling: 'falseAlarm' })).toMatchObject({ status: 400 })
    expect(await ask({ id: other.alarm.id, handling: ignored, dealingRecord: 'x'.repeat(501) })).toMatchObject({ status: 400 })
    const elsewhere = await world.addPark()
    expect(await elsewhere.ask(dispose, { body: { id: other.alarm.id, handling: ignored } })).toMatchObject({ code: 500012 })
    const { content } = await world.call(auditCalls.operations, { query: { subject: one.device.name } })
    expect(content.map(({ url }) => url)).toContain(dispose.url)
  })

  test('needs a code of its own besides that of the list', async () => {
    const { alarm } = await short()
    const body = { id: alarm.id, handling: ignored }
    for (const permissions of [['device.list'], ['surveillance.alert.handle']])
      expect(await (await world.session({ permissions })).ask(dispose, { body })).toMatchObject({ status: 403 })
    const guard = await world.session({ permissions: ['device.list', 'surveillance.alert.handle'] })
    expect(await guard.ask(dispose, { body })).toMatchObject({ code: 0 })
  })

  test('somebody limited to groups of devices sees and handles theirs only', async () => {
    const site = await world.addPark()
    const group = await site.deviceGroup()
    const [inside, outside] = [await short(site, { groupId: group.id }), await short(site)]
    const permissions = ['device.list', 'surveillance.alert.handle']
    const limited = await world.session({ park: site.park, permissions, deviceGroupIds: [group.id] })
    expect((await limited.call(list, { query: {} })).content.map(({ deviceId }) => deviceId)).toEqual([inside.device.id])
    expect(await limited.ask(read, { query: { id: outside.alarm.id } })).toMatchObject({ code: 500012 })
    expect(await limited.ask(dispose, { body: { id: outside.alarm.id, handling: ignored } })).toMatchObject({ code: 500012 })
    expect(await alarmsOf(site, { tab: 'unhandled' })).toHaveLength(2)
    expect(await limited.ask(dispose, { body: { id: inside.alarm.id, handling: ignored } })).toMatchObject({ code: 0 })
  })

  test('of two guards at once one handles it, and the other is refused and reads who did', async () => {
    const { alarm } = await short()
    const permissions = ['device.list', 'surveillance.alert.handle']
    const guards = [await world.session({ permissions }), await world.session({ permissions })]
    const asked = ([followedUp, ignored] as const).map((word, at) =>
      guards[at]!.ask(dispose, { body: { id: alarm.id, handling: word, dealingRecord: `guard ${at}` } }),
    )
    const answers = await Promise.all(asked)
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, 500013])
    const winner = answers.findIndex(({ code }) => code === 0)
    const seen = await guards[1 - winner]!.call(read, { query: { id: alarm.id } })
    expect(seen).toMatchObject({ dealingRecord: `guard ${winner}`, handling: [followedUp, ignored][winner] })
    expect(seen.operator).not.toBe('')
  })

  test('what was handled and is over is dropped a year later; what is unhandled or lasts stays', async () => {
    const site = await world.addPark()
    const [over, lasting, open] = [await short(site), await short(site), await short(site)]
    for (const { alarm } of [over, lasting]) await site.call(dispose, { body: { id: alarm.id, handling: ignored } })
    for (const { device } of [over, open]) await report(device, {})
    ahead += 367 * DAY
    onTestFinished(() => void (ahead -= 367 * DAY))
    await world.server.contexts.maintenance.jobs!.find(({ name }) => name === 'maintenance.dropOldAlerts')!.run()
    const left = await query<{ id: string }>(world.connectionString, 'SELECT id FROM device_resource_alert WHERE park_id = $1', [
      site.park.id,
    ])
    expect(left.map(({ id }) => id).toSorted()).toEqual([lasting.alarm.id, open.alarm.id].toSorted())
  })
})

describe('escalation', () => {
  const run = async () => ((await world.server.contexts.alarms.escalation.job.run()) as { counts: object }).counts

  test('marks what lasts and nobody has handled, once, shows it again and lists it in the e-mail', async () => {
    const site = await world.addPark()
    const to = `${crypto.randomUUID()}@example.org`
    const settings = { enabled: true, minutes: 10, minLevel: alarmLevel.high, emails: [to], language: 'en' as const }
    await site.call(escalationCalls.save, { body: settings })
    const [late, over, handled, busy] = [
      await short(site, { name: 'North gate' }),
      await short(site),
      await short(site),
      await site.device(),
    ]
    await report(busy, { cpu: 99 })
    await report(over.device, {})
    await site.call(dispose, { body: { id: handled.alarm.id, handling: followedUp } })
    const live = await site.listen(topics.deviceAlerts)
    onTestFinished(() => live.stop())
    ahead += 9 * MINUTE
    expect(await run()).toEqual({ alarms: 0 })
    ahead += MINUTE
    expect(await run()).toEqual({ alarms: 1 })
    expect(await run()).toEqual({ alarms: 0 })
    await live.row('the alarm again', (row) => row.id === late.alarm.id && row.escalatedAt !== null)
    const escalated = (await alarmsOf(site)).filter(({ escalatedAt }) => escalatedAt !== null)
    expect(escalated.map(({ id }) => id)).toEqual([late.alarm.id])
    const [mail] = (await world.call(messageCalls.messages, { query: { size: 100 } })).content.filter((message) => message.to === to)
    expect(await world.server.platform.messages.textOf(mail!.id)).toMatch(/Maintenance alarm · Disk · North gate · High/)
    // A processor that is busy is of a lower level.
    await site.call(escalationCalls.save, { body: { minLevel: alarmLevel.medium } })
    expect(await run()).toEqual({ alarms: 1 })
  })
})

test('a case has it with what ran short, its status and how it was handled', async () => {
  const site = await world.addPark()
  const { alarm } = await short(site, { name: 'North gate' })
  await site.call(dispose, { body: { id: alarm.id, handling: followedUp, dealingRecord: 'Disk cleared' } })
  const alarms = [{ kind: 'maintenance' as const, id: alarm.id }]
  const body = { name: 'Full disks', notes: '', format: 'xlsx', alarms } as const
  const { id } = await site.call(caseCalls.export, { body })
  const task = await isAt(site.client, id, 'exported')
  const { rows } = await readXlsx(Buffer.from(await (await fetchExport(site.client, task.id)).arrayBuffer()))
  const cells = rows.map((row) => row.map(({ value }) => String(value ?? '')))
  expect(cells).toHaveLength(3)
  expect(cells[2]).toEqual(expect.arrayContaining(['North gate', expect.stringContaining('Disk cleared')]))
  const elsewhere = await world.addPark()
  expect(await elsewhere.ask(caseCalls.export, { body })).toMatchObject({ status: 400 })
})
