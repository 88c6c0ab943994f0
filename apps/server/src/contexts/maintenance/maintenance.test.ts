/** Maintenance of devices: their absences, logs, resources, and commands. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DEVICE_LOG_KEPT } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { exportStatus } from '@gatehouse/contract/enums'
import { maintenanceCalls, type DeviceAbsence, type DeviceLog } from '@gatehouse/contract/maintenance/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { startAnswering } from '../../../../../tests/support/answering-device.ts'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'

const MINUTE = 60_000
const DAY = 86_400_000

let world: World
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
  // In the first minute after a start no absences are recorded.
  ahead += 2 * MINUTE
})
afterAll(() => world?.stop())

const jobOf = (name: string) => world.server.contexts.maintenance.jobs!.find((job) => job.name === name)!
/** Run the job this much later. */
async function upkeep(milliseconds: number) {
  ahead += milliseconds
  return jobOf('maintenance.keepLogs')
    .run()
    .finally(() => (ahead -= milliseconds))
}
const clientOf = ({ code, secret }: MadeDevice) => createClient(world.url, { basic: [code, secret] })
const isOnline = async ({ id }: MadeDevice) => (await world.call(deviceCalls.read, { params: { id } })).onlineStatus === 1

describe('the offline log', () => {
  const absences = async (deviceId: string, period: object = {}): Promise<DeviceAbsence[]> =>
    (await world.call(maintenanceCalls.offline, { query: { deviceId, ...period } })).content

  test('tells when a device went and when it came back, once', async () => {
    const { made, stop } = await startAnswering(world, world)
    await world.settled()
    expect(await absences(made.id)).toEqual([])
    const wentAt = world.clock.now()
    await stop()
    await world.settled()
    const [away] = await absences(made.id)
    expect(away).toMatchObject({ deviceId: made.id, deviceName: made.name, until: null })
    expect(away!.since).toBeGreaterThanOrEqual(wentAt)
    ahead += 5 * MINUTE
    const back = await startAnswering(world, world, {}, made)
    onTestFinished(() => back.device.stop())
    await world.settled()
    const [ended, ...others] = await absences(made.id)
    expect(others).toEqual([])
    expect(ended).toMatchObject({ id: away!.id, since: away!.since })
    expect(ended!.until! - ended!.since).toBeGreaterThanOrEqual(5 * MINUTE)

    // A time range finds absences that overlap it.
    expect(await absences(made.id, { startTime: ended!.since + MINUTE, endTime: ended!.since + 2 * MINUTE })).toHaveLength(1)
    expect(await absences(made.id, { endTime: ended!.since - 1 })).toEqual([])
    expect(await absences(made.id, { startTime: ended!.until! + 1 })).toEqual([])
  })

  test('a repeated event tells nothing twice', async () => {
    const device = await world.device()
    const { absences: service } = world.server.contexts.maintenance.service
    const scope = { parkId: world.park.id }
    const at = world.clock.now()
    const happened = [
      { online: false, at },
      { online: true, at: at + 1_000 },
    ]
    for (const change of [...happened, ...happened]) await service.switched(scope, { deviceId: device.id, ...change })
    expect(await absences(device.id)).toMatchObject([{ since: at, until: at + 1_000 }])
  })

  test('a restart of the server invents no absences, and finds those who do not come back', async () => {
    const [stays, leaves] = [await startAnswering(world, world), await startAnswering(world, world)]
    onTestFinished(() => stays.device.stop())
    await world.settled()
    await world.interrupted(() => leaves.device.stop())
    await until('the one that stayed to be back', () => isOnline(stays.made))
    await world.settled()
    expect(await jobOf('maintenance.noteMissing').run()).toMatchObject({ counts: { devicesMissing: 0 } })
    ahead += 2 * MINUTE
    await jobOf('maintenance.noteMissing').run()
    await jobOf('maintenance.noteMissing').run()
    expect(await absences(stays.made.id)).toEqual([])
    expect(await absences(leaves.made.id)).toMatchObject([{ until: null }])
  })

  test('who was lost and came back within the first minute after a start was not away', async () => {
    const { made, stop } = await startAnswering(world, world)
    await world.interrupted(async () => {})
    await until('it to be back', () => isOnline(made))
    await stop()
    const back = await startAnswering(world, world, {}, made)
    onTestFinished(() => back.device.stop())
    await world.settled()
    expect(await absences(made.id)).toEqual([])
    ahead += 2 * MINUTE
  })

  test('goes with the device', async () => {
    const { made, stop } = await startAnswering(world, world)
    await stop()
    await world.settled()
    expect(await absences(made.id)).toHaveLength(1)
    await world.call(deviceCalls.delete, { query: { ids: [made.id] } })
    await world.settled()
    expect(await query(world.connectionString, `SELECT id FROM device_absence WHERE device_id = '${made.id}'`)).toEqual([])
  })
})

describe('a device’s log', () => {
  const logsOf = async (deviceId: string): Promise<DeviceLog[]> =>
    (await world.call(maintenanceCalls.logs, { query: { deviceId } })).content
  const isAt = (deviceId: string, status: number) =>
    until(`the log to be at ${status}`, async () => (await logsOf(deviceId))[0]?.status === status)
  const fileOf = async ({ fileUrl }: DeviceLog) => {
    const bearer = (world.client.credentials as { bearer: string }).bearer
    return fetch(world.url + fileUrl, { headers: { authorization: `Bearer ${bearer}` } })
  }

  test('is sent by the terminal, names nobody who passed, is encrypted at rest, and removed after seven days [BEH-182]', async () => {
    const terminal = await world.terminal()
    onTestFinished(() => terminal.stop())
    const photo = await drawnFace()
    await world.person({ name: 'Zacharias Quill', photo, permittedAt: terminal.device })
    await world.settled()
    await terminal.show(photo)
    const { id } = await world.call(maintenanceCalls.requestLog, { query: { deviceId: terminal.device.id } })
    await isAt(terminal.device.id, exportStatus.exported)
    const [log] = await logsOf(terminal.device.id)
    expect(log).toMatchObject({
      id,
      deviceName: terminal.device.name,
      errorType: null,
      size: expect.any(Number),
      keptUntil: expect.any(Number),
    })
    const file = await fileOf(log!)
    expect(file.headers.get('content-disposition')).toContain(`${terminal.device.code}-`)
    const text = gunzipSync(Buffer.from(await file.arrayBuffer())).toString()
    expect(text).toContain(`as "${terminal.device.name}"`)
    expect(text).not.toContain('Quill')
    const [stored] = await query<{ id: string; kept: boolean }>(
      world.connectionString,
      `SELECT id, kept FROM file WHERE id = (SELECT file_id FROM device_log WHERE id = '${id}')`,
    )
    expect(stored).toMatchObject({ kept: true })
    const path = join(world.dataDir, 'files', stored!.id.slice(-2), `${stored!.id}.full`)
    expect(() => gunzipSync(readFileSync(path))).toThrow('incorrect header check')

    await upkeep(DEVICE_LOG_KEPT * DAY - MINUTE)
    expect(await logsOf(terminal.device.id)).toHaveLength(1)
    expect(await upkeep(DEVICE_LOG_KEPT * DAY + MINUTE)).toMatchObject({ outcome: 'success', counts: { deviceLogs: 1 } })
    expect(await logsOf(terminal.device.id)).toEqual([])
    expect((await fileOf(log!)).status).toBe(404)
    expect(existsSync(path)).toBe(false)
  })

  test('waits for a device that is offline, until it is back', async () => {
    const made = await world.device()
    const { id } = await world.call(maintenanceCalls.requestLog, { query: { deviceId: made.id } })
    expect(await world.call(maintenanceCalls.requestLog, { query: { deviceId: made.id } })).toEqual({ id })
    expect(await logsOf(made.id)).toMatchObject([{ id, status: exportStatus.waiting, fileUrl: '', keptUntil: null }])
    const { promise, resolve } = Promise.withResolvers<void>()
    const { device } = await startAnswering(
      world,
      world,
      {
        commands: {
          async sendLog({ requestId }) {
            await promise
            await clientOf(made).call(maintenanceCalls.sendLog, { params: { id: requestId }, file: gzipSync('nothing happened') })
            return {}
          },
        },
      },
      made,
    )
    onTestFinished(() => device.stop())
    await isAt(made.id, exportStatus.exporting)
    resolve()
    await isAt(made.id, exportStatus.exported)
    const [log] = await logsOf(made.id)
    expect(log!.can).toEqual({ download: true, retry: false })
    expect(gunzipSync(Buffer.from(await (await fileOf(log!)).arrayBuffer())).toString()).toBe('nothing happened')
    // Sent again, the log is the stored one.
    await clientOf(made).call(maintenanceCalls.sendLog, { params: { id }, file: gzipSync('something else') })
    expect(gunzipSync(Buffer.from(await (await fileOf(log!)).arrayBuffer())).toString()).toBe('nothing happened')
  })

  test('fails after a day, and is asked for again', async () => {
    const made = await world.device()
    const { id } = await world.call(maintenanceCalls.requestLog, { query: { deviceId: made.id } })
    expect((await logsOf(made.id))[0]!.can).toEqual({ download: false, retry: false })
    expect(await world.ask(maintenanceCalls.retryLog, { params: { id } })).toMatchObject({ status: 409 })
    await upkeep(DAY + MINUTE)
    expect((await logsOf(made.id))[0]!.can).toEqual({ download: false, retry: true })
    expect(await logsOf(made.id)).toMatchObject([{ id, status: exportStatus.failed, errorType: 1 }])
    await world.call(maintenanceCalls.retryLog, { params: { id } })
    expect(await logsOf(made.id)).toMatchObject([{ id, status: exportStatus.waiting, errorType: null }])
  })

  test('fails where the device cannot send it', async () => {
    const { made, device } = await startAnswering(world, world)
    onTestFinished(() => device.stop())
    await world.call(maintenanceCalls.requestLog, { query: { deviceId: made.id } })
    await isAt(made.id, exportStatus.failed)
    expect(await logsOf(made.id)).toMatchObject([{ errorType: 4 }])
  })

  test('is taken from the device that was asked, and only as what it is', async () => {
    const [made, other] = [await world.device(), await world.device()]
    const { id } = await world.call(maintenanceCalls.requestLog, { query: { deviceId: made.id } })
    const send = (from: MadeDevice, file: Uint8Array) => clientOf(from).ask(maintenanceCalls.sendLog, { params: { id }, file })
    expect(await send(other, gzipSync('x'))).toMatchObject({ status: 404 })
    expect(await send(made, Buffer.from('plain'))).toMatchObject({ status: 400 })
    expect(await send(made, Buffer.alloc(9 * 1024 * 1024))).toMatchObject({ status: 413 })
    expect(await logsOf(made.id)).toMatchObject([{ status: exportStatus.waiting }])
  })
})

describe('resources', () => {
  const look = (deviceId: string) => world.call(maintenanceCalls.resource, { body: { deviceId } })
  const alertsOf = async (deviceId: string) => (await world.call(maintenanceCalls.resourceAlerts, { query: { deviceId } })).content

  test('are asked of a device that is there, and else are those it told last', async () => {
    const now = { cpu: 12.5, memory: 40, disk: 61 }
    const { made, stop } = await startAnswering(world, world, { commands: { resource: async () => now } })
    expect(await look(made.id)).toMatchObject({
      usage: now,
      isFresh: true,
      errorType: null,
      thresholds: { cpu: 90, memory: 90, disk: 90 },
      alerts: [],
    })
    await stop()
    expect(await look(made.id)).toMatchObject({ usage: now, isFresh: false, errorType: null })
    expect(await look((await world.device()).id)).toMatchObject({ usage: null, isFresh: false })
  })

  test('raise an alert when a share is too much, once, and end it', async () => {
    const made = await world.device()
    const report = (usage: object) =>
      clientOf(made).call(maintenanceCalls.reportResource, { body: { cpu: 1, memory: 2, disk: 3, ...usage } })
    expect(await report({})).toEqual({ thresholds: { cpu: 90, memory: 90, disk: 90 } })
    await report({ disk: 93 })
    await report({ disk: 95 })
    const [alert, ...others] = await alertsOf(made.id)
    expect(others).toEqual([])
    expect(alert).toMatchObject({ deviceId: made.id, deviceName: made.name, kind: 'disk', value: 93, threshold: 90, clearedAt: null })
    const announced = await query<{ payload: object }>(
      world.connectionString,
      `SELECT payload FROM outbox WHERE name = 'device.resourceAlert'`,
    )
    expect(announced.map(({ payload }) => payload)).toEqual([{ deviceId: made.id, alertId: alert!.id, kind: 'disk' }])
    expect((await look(made.id)).alerts).toMatchObject([{ id: alert!.id }])
    await report({ disk: 89 })
    expect((await look(made.id)).alerts).toEqual([])
    expect(await alertsOf(made.id)).toMatchObject([{ id: alert!.id, clearedAt: expect.any(Number) }])
    expect((await world.call(maintenanceCalls.resourceAlerts, { query: { deviceId: made.id, open: true } })).total).toBe(0)
  })

  test('a terminal tells of itself, goes by the park’s thresholds, and tells again when one is crossed', async () => {
    const park = await world.addPark()
    const usage = { cpu: 10, memory: 20, disk: 30 }
    let looks = 0
    const terminal = await world.terminal(await park.device(), { usage: async () => (looks++, { ...usage }), usageEvery: 30 })
    onTestFinished(() => terminal.stop())
    const { id } = terminal.device
    const alertKinds = async () => (await park.call(maintenanceCalls.resource, { body: { deviceId: id } })).alerts.map(({ kind }) => kind)
    await until(
      'it to have told',
      async () => (await query(world.connectionString, `SELECT 1 FROM device_resource WHERE device_id = '${id}'`)).length > 0,
    )
    usage.memory = 91
    await until('the alert', async () => (await park.call(maintenanceCalls.resourceAlerts, { query: { deviceId: id } })).total === 1)
    usage.memory = 20
    await until(
      'its end',
      async () => (await park.call(maintenanceCalls.resourceAlerts, { query: { deviceId: id, open: true } })).total === 0,
    )
    // An unchanged report does not send another notification.
    const [before] = await query<{ at: number }>(world.connectionString, `SELECT at FROM device_resource WHERE device_id = '${id}'`)
    const seen = looks
    await until('some more looks', () => looks > seen + 5)
    expect(await query<{ at: number }>(world.connectionString, `SELECT at FROM device_resource WHERE device_id = '${id}'`)).toEqual([
      before,
    ])
    await park.call(maintenanceCalls.saveThresholds, { body: { cpu: 90, memory: 90, disk: 30 } })
    await until(
      'the new threshold to be crossed',
      async () => (await park.call(maintenanceCalls.resourceAlerts, { query: { deviceId: id, open: true } })).total === 1,
    )
    expect(await alertKinds()).toEqual(['disk'])
    expect(await park.ask(maintenanceCalls.saveThresholds, { body: { cpu: 0, memory: 90, disk: 101 } })).toMatchObject({ status: 400 })
  })
})

describe('a named command', () => {
  const run = (deviceId: string, command: 'restart' | 'synchronise' | 'resource') =>
    world.ask(maintenanceCalls.controlAgent, { body: { deviceId, command } })

  test('is refused for a device that is not there', async () => {
    expect(await run((await world.device()).id, 'synchronise')).toMatchObject({ status: 200, code: 400001 })
  })

  test('is run by a terminal, which answers', async () => {
    let restarts = 0
    const terminal = await world.terminal(undefined, { onRestart: () => void restarts++ })
    onTestFinished(() => terminal.stop())
    await until('the terminal to be seen', () => isOnline(terminal.device))
    const { data } = await run(terminal.device.id, 'resource')
    expect(data).toMatchObject({
      isSuccess: true,
      errorType: null,
      result: { cpu: expect.any(Number), memory: expect.any(Number), disk: expect.any(Number) },
    })
    expect(await run(terminal.device.id, 'synchronise')).toMatchObject({ code: 0, data: { isSuccess: true, result: {} } })
    expect(await run(terminal.device.id, 'restart')).toMatchObject({ code: 0, data: { isSuccess: true } })
    await until('the restart', () => restarts === 1)
  })

  test('a device that does not know it says so', async () => {
    const { made, device } = await startAnswering(world, world)
    onTestFinished(() => device.stop())
    expect(await run(made.id, 'restart')).toMatchObject({ code: 0, data: { isSuccess: false, errorType: 4, result: null } })
  })
})
