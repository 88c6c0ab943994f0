/** Remote control of doors: who may use it, its outcomes, what other users see of it, and what is stored. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { deviceModel, doorOperation, openDoorStatus } from '@gatehouse/contract/enums'
import { DOOR_REQUESTS_KEPT, doorCalls, type DoorNow } from '@gatehouse/contract/doors/calls'
import { topics } from '@gatehouse/contract/realtime'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import type { DoorOutput } from '@gatehouse/terminal'
import type { DeviceOptions } from '@gatehouse/terminal/device/device'
import { startAnswering } from '../../../../../tests/support/answering-device.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'

const { open, normallyOpen, close } = doorOperation
const DAY = 86_400_000

let world: World
let guard: Client
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
  guard = await world.session({ permissions: ['device.list', 'own:door.open'] })
})
afterAll(() => world?.stop())

const control = (deviceId: string, operateType: 1 | 2 | 3 = open, client: Pick<Client, 'ask'> = world) =>
  client.ask(doorCalls.controlDoor, { body: { deviceId, operateType } })
const stateOf = async (deviceId: string, client: Pick<Client, 'call'> = guard): Promise<DoorNow> =>
  (await client.call(doorCalls.states, { query: { deviceIds: [deviceId] } }))[0]!
const requestsOf = async (deviceId: string) => (await guard.call(doorCalls.requests, { query: { deviceId } })).content
/** Run a job at a later time. */
async function later(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  ahead += milliseconds
  await work().finally(() => (ahead -= milliseconds))
}
/** Wait until another user sees a door in this state. */
const isSeen = (deviceId: string, state: DoorNow['state']) =>
  until(`the door to be seen ${state}`, async () => (await stateOf(deviceId)).state === state)

/** Return a lock whose movements end when the test decides. */
function manualLock() {
  const waiting: { end: () => void; jam: () => void }[] = []
  const move = () => new Promise<void>((resolve, reject) => waiting.push({ end: resolve, jam: () => reject(new Error('jammed')) }))
  const output: DoorOutput = { open: move, close: move }
  const next = async () => {
    await until('the lock to be moving', () => waiting.length > 0)
    return waiting.shift()!
  }
  return { output, end: async () => (await next()).end(), jam: async () => (await next()).jam() }
}

async function terminalWith(output: DoorOutput, doorOpenFor = 60_000) {
  const terminal = await world.terminal(undefined, { door: output, doorOpenFor })
  onTestFinished(() => terminal.stop())
  const { id } = terminal.device
  await until('the terminal to be seen online', async () => (await stateOf(id)).state === 'closed')
  return id
}

async function answering(operateDoor: DeviceOptions['operateDoor']) {
  const started = await startAnswering(world, world, { operateDoor })
  onTestFinished(() => started.device.stop())
  return started
}

describe('a device that takes no remote control is refused', () => {
  test('offline, whoever asks [VAL-140]', async () => {
    const device = await world.device()
    expect(await control(device.id)).toMatchObject({ status: 200, code: 400205 })
    expect(await requestsOf(device.id)).toEqual([])
  })

  test('of the Android version, although it is there [VAL-141, BEH-163]', async () => {
    const made = await world.device({ type: 3, model: deviceModel.android })
    const { device } = await startAnswering(world, world, {}, made)
    onTestFinished(() => device.stop())
    expect(await control(made.id)).toMatchObject({ status: 200, code: 400205 })
    await device.stop()
    const plain = await startAnswering(world, world)
    expect(await control(plain.made.id)).toMatchObject({ code: 0, data: { isSuccess: true } })
    await plain.stop()
    expect(await control(plain.made.id)).toMatchObject({ status: 200, code: 400205 })
  })
})

test('while another user holds a door it is refused, and free again once his time is over [VAL-142]', async () => {
  const { made } = await answering(async () => ({ isSuccess: true, errorType: null }))
  const { holdSeconds } = await world.call(doorCalls.setting, { query: {} })
  expect(holdSeconds).toBe(10)
  expect(await control(made.id)).toMatchObject({ code: 0 })
  expect(await control(made.id, open, guard)).toMatchObject({ status: 200, code: 400206 })
  // The user who holds it open is unchanged.
  expect(await control(made.id, close)).toMatchObject({ code: 0 })
  expect((await stateOf(made.id)).heldBy).toMatchObject({ name: expect.any(String) })
  ahead += 10_001
  expect((await stateOf(made.id)).heldBy).toBeNull()
  expect(await control(made.id, open, guard)).toMatchObject({ code: 0 })
  expect(await control(made.id)).toMatchObject({ code: 400206 })
  ahead += 10_001
})

test('how long a door is held is the park’s to say', async () => {
  const park = await world.addPark()
  const { device, made } = await startAnswering(world, park)
  onTestFinished(() => device.stop())
  const other = await world.session({ park: park.park, permissions: ['device.list', 'own:door.open'] })
  const { version } = await park.call(doorCalls.setting, { query: {} })
  await park.call(doorCalls.saveSetting, { body: { holdSeconds: 0, confirmFlag: 1, version } })
  expect(await park.ask(doorCalls.saveSetting, { body: { holdSeconds: 5, confirmFlag: 0, version } })).toMatchObject({ status: 409 })
  expect(await park.ask(doorCalls.saveSetting, { body: { holdSeconds: 601, confirmFlag: 0 } })).toMatchObject({ status: 400 })
  expect(await other.ask(doorCalls.saveSetting, { body: { holdSeconds: 5, confirmFlag: 0 } })).toMatchObject({ status: 403 })
  expect(await park.call(doorCalls.setting, { query: { deviceId: made.id } })).toMatchObject({ holdSeconds: 0, confirmFlag: 1 })
  expect(await control(made.id, open, park)).toMatchObject({ code: 0 })
  expect(await control(made.id, open, other)).toMatchObject({ code: 0 })
})

describe('what a device answers is told with its error type and kept', () => {
  test('opened [STATE:openDoorRequest:0>1]', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { made } = await answering(async () => promise.then(() => ({ isSuccess: true, errorType: null })))
    const answer = control(made.id)
    const [asked] = await until('the request to be seen', async () => {
      const rows = await requestsOf(made.id)
      return rows.length > 0 ? rows : null
    })
    expect(asked).toMatchObject({
      status: openDoorStatus.requesting,
      operateType: open,
      deviceName: made.name,
      errorType: null,
      answeredAt: null,
    })
    resolve()
    expect(await answer).toMatchObject({ data: { isSuccess: true, errorType: null } })
    expect(await requestsOf(made.id)).toMatchObject([
      { id: asked!.id, status: openDoorStatus.success, account: 'admin', answeredAt: expect.any(Number) },
    ])
  })

  test.each([2, 3, 4])('refused by the device with error type %i', async (errorType) => {
    const { made } = await answering(async () => ({ isSuccess: false, errorType }))
    expect(await control(made.id)).toMatchObject({ code: 0, data: { isSuccess: false, errorType } })
    expect(await requestsOf(made.id)).toMatchObject([{ status: openDoorStatus.failed, errorType }])
  })

  test('no answer in time, and what came of it [BEH-164, STATE:openDoorRequest:0>2]', { tags: 'extended' }, async () => {
    const { made } = await answering(() => new Promise(() => {}))
    expect(await control(made.id)).toMatchObject({ code: 0, data: { isSuccess: false, errorType: 0 } })
    expect(await requestsOf(made.id)).toMatchObject([{ status: openDoorStatus.failed, errorType: 0 }])
  })

  test('lost while it was asked [STATE:openDoorRequest:0>3]', async () => {
    const { made, device } = await answering(() => new Promise(() => {}))
    const answer = control(made.id)
    await until('the device to be asked', async () => (await requestsOf(made.id)).length > 0)
    await device.stop()
    expect(await answer).toMatchObject({ code: 0, data: { isSuccess: false, errorType: 1 } })
    expect(await requestsOf(made.id)).toMatchObject([{ status: openDoorStatus.notConnected, errorType: 1 }])
  })

  test('a server that ends in good order notes what it was at, and one that does not leaves nothing open for ever', async () => {
    const { made } = await answering(() => new Promise(() => {}))
    const answer = control(made.id).catch(() => null)
    await until('the device to be asked', async () => (await requestsOf(made.id)).length > 0)
    await world.interrupted(async () => {})
    await answer
    expect(await requestsOf(made.id)).toMatchObject([{ status: openDoorStatus.failed, errorType: 0 }])
    // The state that a power cut leaves.
    await query(
      world.connectionString,
      `UPDATE door_request SET status = 0, error_type = NULL, answered_at = NULL WHERE device_id = '${made.id}'`,
    )
    const [job] = world.server.contexts.doors.jobs!
    await job!.run()
    expect(await requestsOf(made.id)).toMatchObject([{ status: openDoorStatus.requesting }])
    ahead += 61_000
    await job!.run()
    expect(await requestsOf(made.id)).toMatchObject([{ status: openDoorStatus.failed, errorType: 0 }])
    await later((DOOR_REQUESTS_KEPT + 1) * DAY, () => job!.run())
    expect(await requestsOf(made.id)).toEqual([])
  })
})

describe('another guard sees the state of a door as it is', () => {
  test(
    'opening, opened, closing by itself and closed [STATE:door:closed>opening, STATE:door:opening>opened, ' +
      'STATE:door:opened>closing, STATE:door:closing>closed]',
    async () => {
      const lock = manualLock()
      const id = await terminalWith(lock.output, 50)
      const live = await world.listen(topics.doors)
      onTestFinished(() => live.stop())
      const answer = control(id)
      await isSeen(id, 'opening')
      await live.row('the door opening', (row) => row.deviceId === id && row.state === 'opening' && row.heldBy !== null)
      await lock.end()
      expect(await answer).toMatchObject({ data: { isSuccess: true } })
      await live.row('the door opened', (row) => row.deviceId === id && row.state === 'opened')
      await isSeen(id, 'closing')
      await lock.end()
      await isSeen(id, 'closed')
      await live.row('the door closed again', (row) => row.deviceId === id && row.state === 'closed')
    },
  )

  test(
    'held open and closed from here [STATE:door:closed>always opening, STATE:door:always opening>always open, ' +
      'STATE:door:always open>closing]',
    async () => {
      const lock = manualLock()
      const id = await terminalWith(lock.output)
      const outcome = control(id, normallyOpen)
      await isSeen(id, 'alwaysOpening')
      await lock.end()
      expect(await outcome).toMatchObject({ data: { isSuccess: true } })
      await isSeen(id, 'alwaysOpen')
      expect((await guard.call(doorCalls.states, { query: {} })).map(({ deviceId }) => deviceId)).toContain(id)
      const closed = control(id, close)
      await isSeen(id, 'closing')
      await lock.end()
      await closed
      await isSeen(id, 'closed')
    },
  )

  test('held open while it is open [STATE:door:opened>always opening]', async () => {
    const lock = manualLock()
    const id = await terminalWith(lock.output)
    const opened = control(id)
    await lock.end()
    await opened
    await isSeen(id, 'opened')
    const outcome = control(id, normallyOpen)
    await isSeen(id, 'alwaysOpening')
    await lock.end()
    expect(await outcome).toMatchObject({ data: { isSuccess: true } })
    await isSeen(id, 'alwaysOpen')
  })

  test('offline once it is lost, whatever it was before [STATE:door:*>offline (error)]', async () => {
    const { made, device } = await answering(() => new Promise(() => {}))
    const answer = control(made.id)
    await isSeen(made.id, 'opening')
    await device.stop()
    expect(await answer).toMatchObject({ data: { isSuccess: false, errorType: 1 } })
    await isSeen(made.id, 'offline')
  })

  test('a lock that does not obey leaves it closed', async () => {
    const lock = manualLock()
    const id = await terminalWith(lock.output)
    const answer = control(id)
    await lock.jam()
    expect(await answer).toMatchObject({ data: { isSuccess: false, errorType: 4 } })
    await isSeen(id, 'closed')
  })
})

describe('one operation at several doors', () => {
  test('is reported for each, and none stops the others [BEH-167]', async () => {
    const works = await answering(async () => ({ isSuccess: true, errorType: null }))
    const jams = await answering(async () => ({ isSuccess: false, errorType: 4 }))
    const busy = await answering(async () => ({ isSuccess: true, errorType: null }))
    const away = await world.device()
    expect(await control(busy.made.id, open, guard)).toMatchObject({ code: 0 })
    const made = [works.made, away, jams.made, busy.made]
    const { results } = await world.call(doorCalls.controlMany, {
      body: { deviceIds: [...made.map(({ id }) => id), away.id], operateType: close },
    })
    expect(results).toEqual([
      { deviceId: works.made.id, deviceName: works.made.name, isSuccess: true, errorType: null, code: null },
      { deviceId: away.id, deviceName: away.name, isSuccess: false, errorType: null, code: 400205 },
      { deviceId: jams.made.id, deviceName: jams.made.name, isSuccess: false, errorType: 4, code: null },
      { deviceId: busy.made.id, deviceName: busy.made.name, isSuccess: false, errorType: null, code: 400206 },
    ])
    expect(await requestsOf(works.made.id)).toMatchObject([{ operateType: close, status: openDoorStatus.success }])
  })

  test('goes on where all are held by others, and names at most a hundred', async () => {
    const busy = await answering(async () => ({ isSuccess: true, errorType: null }))
    await control(busy.made.id, open, guard)
    const { results } = await world.call(doorCalls.controlMany, { body: { deviceIds: [busy.made.id], operateType: open } })
    expect(results).toMatchObject([{ isSuccess: false, code: 400206 }])
    const many = Array.from({ length: 101 }, () => busy.made.id)
    expect(await world.ask(doorCalls.controlMany, { body: { deviceIds: many, operateType: open } })).toMatchObject({ status: 400 })
    const elsewhere = await (await world.addPark()).device()
    expect(await world.ask(doorCalls.controlMany, { body: { deviceIds: [busy.made.id, elsewhere.id], operateType: open } })).toMatchObject({
      status: 404,
    })
  })
})

test('who opened what is found by door, person, outcome and time', async () => {
  const park = await world.addPark()
  const [first, second] = [
    await startAnswering(world, park),
    await startAnswering(world, park, { operateDoor: async () => ({ isSuccess: false, errorType: 2 }) }),
  ]
  onTestFinished(() => Promise.all([first.device.stop(), second.device.stop()]).then(() => {}))
  await control(first.made.id, open, park)
  await control(second.made.id, close, park)
  const found = async (wanted: object) => (await park.call(doorCalls.requests, { query: wanted })).content.map(({ deviceId }) => deviceId)
  expect(await found({})).toEqual([second.made.id, first.made.id])
  expect(await found({ deviceId: first.made.id })).toEqual([first.made.id])
  expect(await found({ operateType: close })).toEqual([second.made.id])
  expect(await found({ status: openDoorStatus.success })).toEqual([first.made.id])
  expect(await found({ operator: 'nobody' })).toEqual([])
  expect(await found({ operator: 'ADMI' })).toHaveLength(2)
  expect(await found({ startTime: world.clock.now() + 1_000 })).toEqual([])
  expect(await found({ endTime: world.clock.now() + 1_000 })).toHaveLength(2)
})
