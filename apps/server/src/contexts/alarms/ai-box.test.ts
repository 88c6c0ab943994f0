/** Events of AI boxes: taken once with their picture, listed, shown live, and handled. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AI_BOX_EVENTS, AI_BOX_IMAGE_MAX, aiBoxCalls } from '@gatehouse/contract/alarms/ai-box'
import { aiBoxDeviceCalls } from '@gatehouse/contract/device/ai-box'
import { alarmHandlingStatusAlt, alarmLevel } from '@gatehouse/contract/enums/alarms'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { topics } from '@gatehouse/contract/realtime'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { eventPicture } from '@gatehouse/dev-env/simulator/ai-boxes'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { flatPng } from '../../../../../tests/support/pictures.ts'
import { until } from '../../../../../tests/support/until.ts'
import { plausibleTime } from './ai-box-receiving.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const { unhandled, falseAlarm, ignored, handling } = alarmHandlingStatusAlt

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

interface Box {
  site: Site
  device: MadeDevice
  client: Client
}
async function createBox(site: Site, options: Parameters<Site['device']>[0] = {}): Promise<Box> {
  const device = await site.device({ ...options, type: deviceType.aiBox })
  return { site, device, client: createClient(world.url, { basic: [device.code, device.secret] }) }
}
let events = 0
const eventOf = (values: object = {}) => ({ eventId: `event ${++events}`, eventType: 'fire', eventTime: world.clock.now(), ...values })
const send = ({ client }: Pick<Box, 'client'>, values: object = {}) => client.call(aiBoxDeviceCalls.event, { body: eventOf(values) })
const rowsOf = async ({ site }: Pick<Box, 'site'>, filter: object = {}) => (await site.call(aiBoxCalls.list, { body: filter })).content
const imageOf = async () => (await eventPicture('fire')).toString('base64')

describe('an event of a box', () => {
  test('is an alarm with its picture, and the box counts as paired', async () => {
    const box = await createBox(await world.addPark())
    const { id, repeated } = await send(box, { ipcName: 'Gate 3', image: await imageOf() })
    expect(repeated).toBe(false)
    const [alarm, ...others] = await rowsOf(box)
    expect(others).toEqual([])
    expect(alarm).toMatchObject({
      id,
      deviceId: box.device.id,
      deviceName: box.device.name,
      eventType: 'fire',
      eventTypeName: 'Fire',
      ipcName: 'Gate 3',
      level: alarmLevel.high,
      status: unhandled,
      can: { dispose: true },
      dealtAt: null,
    })
    const picture = await fetch(new URL(alarm!.imagePath, world.url))
    expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({ format: 'webp', width: 640, height: 360 })
    const device = await box.site.call(deviceCalls.read, { params: { id: box.device.id } })
    expect(device).toMatchObject({ authorisationStatus: 1, lastSeenAt: expect.any(Number) })
  })

  test('is taken once, however often and however concurrently it is sent; another box may use the same id', async () => {
    const site = await world.addPark()
    const [box, other] = [await createBox(site), await createBox(site)]
    const body = eventOf({ image: await imageOf() })
    const answers = await Promise.all(Array.from({ length: 5 }, () => box.client.call(aiBoxDeviceCalls.event, { body })))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1)
    // What was stored is not looked at again.
    expect(await box.client.call(aiBoxDeviceCalls.event, { body: { ...body, image: 'no picture' } })).toEqual({
      id: answers[0]!.id,
      repeated: true,
    })
    expect(await other.client.call(aiBoxDeviceCalls.event, { body })).toMatchObject({ repeated: false })
    expect(await rowsOf(box)).toHaveLength(2)
  })

  test('is refused with 200205 where its picture is none, too large, or has too many pixels, and is not stored', async () => {
    const box = await createBox(await world.addPark())
    const bad = {
      text: 'no picture at all!',
      empty: '====',
      otherFormat: Buffer.from('GIF89a not taken').toString('base64'),
      cut: (await eventPicture('fire')).subarray(0, 60).toString('base64'),
      huge: flatPng(40_000, 40_000).toString('base64'),
      long: 'A'.repeat((AI_BOX_IMAGE_MAX * 4) / 3 + 100),
    }
    for (const [name, image] of Object.entries(bad))
      expect(await box.client.ask(aiBoxDeviceCalls.event, { body: eventOf({ image }) }), name).toMatchObject({
        status: 200,
        code: 200205,
        data: { fields: [{ path: 'image' }] },
      })
    expect(await rowsOf(box)).toEqual([])
    await send(box)
    expect(await rowsOf(box)).toMatchObject([{ imagePath: '' }])
  })

  test('is taken of AI boxes only, which must show their secret', async () => {
    const site = await world.addPark()
    const door = await site.device()
    const asDoor = createClient(world.url, { basic: [door.code, door.secret] })
    expect(await asDoor.ask(aiBoxDeviceCalls.event, { body: eventOf() })).toMatchObject({ status: 404 })
    const { device } = await createBox(site)
    const wrong = createClient(world.url, { basic: [device.code, 'WRONG-SECRET'] })
    expect(await wrong.ask(aiBoxDeviceCalls.event, { body: eventOf() })).toMatchObject({ status: 401 })
    expect(await site.client.ask(aiBoxDeviceCalls.event, { body: eventOf() })).toMatchObject({ status: 401 })
  })

  test('has the level the box names, else that of its kind', async () => {
    const box = await createBox(await world.addPark())
    for (const values of [{ eventType: 'smoking' }, { eventType: 'crowd' }, { eventType: 'goose' }, { eventType: 'fire', level: 1 }])
      await send(box, values)
    const levels = Object.fromEntries((await rowsOf(box)).map(({ eventType, level }) => [eventType, level]))
    expect(levels).toEqual({ smoking: 1, crowd: 2, goose: 2, fire: 1 })
  })

  test('of a clock that was not set counts as of when it was received, so that lists show it', () => {
    const now = Date.UTC(2026, 10, 30)
    expect(plausibleTime(now - 365 * DAY, now)).toBe(now - 365 * DAY)
    for (const time of [0, now - 367 * DAY, now + HOUR]) expect(plausibleTime(time, now)).toBe(now)
  })
})

describe('the list', () => {
  test('filters by camera, level, event, device, state and time, and goes on by cursor', async () => {
    const site = await world.addPark()
    const [box, other] = [await createBox(site), await createBox(site)]
    const now = world.clock.now()
    await send(box, { ipcName: 'North', eventType: 'fire', eventTime: now - 3 * HOUR })
    await send(box, { ipcName: 'South', eventType: 'smoking', eventTime: now - 2 * HOUR })
    await send(other, { ipcName: 'South', eventType: 'bird', eventTypeName: 'A bird', eventTime: now - HOUR })
    const found = async (filter: object) => (await rowsOf(box, filter)).map(({ eventType }) => eventType)
    expect(await found({})).toEqual(['bird', 'smoking', 'fire'])
    expect(await found({ range: 'South' })).toEqual(['bird', 'smoking'])
    expect(await found({ level: alarmLevel.high })).toEqual(['fire'])
    expect(await found({ event: 'bird' })).toEqual(['bird'])
    expect(await found({ deviceId: other.device.id })).toEqual(['bird'])
    expect(await found({ tab: 'handled' })).toEqual([])
    expect(await found({ startTime: now - 2.5 * HOUR, endTime: now - 1.5 * HOUR })).toEqual(['smoking'])
    const first = await site.call(aiBoxCalls.list, { body: { size: 2 } })
    expect(first).toMatchObject({ total: 3, totalExact: true })
    const rest = await site.call(aiBoxCalls.list, { body: { size: 2, after: first.next! } })
    expect([...first.content, ...rest.content].map(({ eventType }) => eventType)).toEqual(['bird', 'smoking', 'fire'])
    expect(rest.next).toBeUndefined()
  })

  test('refuses a window that ends before it begins, or is longer than 366 days, with 900007', async () => {
    const now = world.clock.now()
    for (const [body, path] of [
      [{ startTime: now, endTime: now - 1 }, 'endTime'],
      [{ startTime: now - 367 * DAY }, 'startTime'],
    ] as const)
      expect(await world.ask(aiBoxCalls.list, { body })).toMatchObject({ code: 900007, data: { fields: [{ path }] } })
  })

  test('is filtered by the cameras and events that boxes told of, known ones in the language of the request', async () => {
    const box = await createBox(await world.addPark())
    await send(box, { ipcName: 'North', eventType: 'bird', eventTypeName: 'A bird' })
    await send(box, { eventType: 'smoke' })
    expect(await box.site.call(aiBoxCalls.range, {})).toEqual([{ value: 'North', name: 'North' }])
    const words = await box.site.call(aiBoxCalls.event, {})
    expect(words.map(({ value }) => value)).toEqual([...AI_BOX_EVENTS, 'bird'])
    expect(words.at(-1)).toEqual({ value: 'bird', name: 'A bird' })
    expect(await box.site.call(aiBoxCalls.level, {})).toContainEqual({ value: '3', name: 'High' })
    const chinese = await fetch(world.url + aiBoxCalls.event.url, {
      headers: { authorization: `Bearer ${(box.site.client.credentials as { bearer: string }).bearer}`, 'accept-language': 'zh-CN' },
    })
    expect(((await chinese.json()) as { data: object[] }).data).toContainEqual({ value: 'fire', name: '明火' })
  })

  test('of another park has none of it', async () => {
    const box = await createBox(await world.addPark())
    const { id } = await send(box, { ipcName: 'North' })
    const elsewhere = await world.addPark()
    expect(await rowsOf({ site: elsewhere })).toEqual([])
    expect(await elsewhere.call(aiBoxCalls.range, {})).toEqual([])
    expect(await elsewhere.ask(aiBoxCalls.dispose, { body: { id, status: handling } })).toMatchObject({ code: 500012 })
  })
})

describe('handling', () => {
  test.each([falseAlarm, ignored, handling] as const)('to state %i saves operator and dealing record [BEH-157]', async (status) => {
    const box = await createBox(await world.addPark())
    const { id } = await send(box)
    const alarm = await box.site.call(aiBoxCalls.dispose, { body: { id, status, dealingRecord: 'Looked at it' } })
    expect(alarm).toMatchObject({ id, status, dealingRecord: 'Looked at it', dealtAt: expect.any(Number), can: { dispose: false } })
    expect(alarm.operator).not.toBe('')
    expect(await rowsOf(box, { tab: 'unhandled' })).toEqual([])
    expect(await rowsOf(box, { tab: 'handled' })).toMatchObject([{ id, status, operator: alarm.operator }])
    expect(await box.site.ask(aiBoxCalls.dispose, { body: { id, status: falseAlarm } })).toMatchObject({ code: 500013 })
  })

  test('of an alarm that is not there is refused with 500012, and needs the permission to handle besides that to see', async () => {
    const box = await createBox(await world.addPark())
    const { id } = await send(box)
    const body = { id, status: ignored }
    expect(await world.ask(aiBoxCalls.dispose, { body: { ...body, id: crypto.randomUUID() } })).toMatchObject({ code: 500012 })
    const reader = await world.session({ park: box.site.park, permissions: ['access.alert'] })
    expect(await reader.ask(aiBoxCalls.dispose, { body })).toMatchObject({ code: 100510 })
    const handler = await world.session({ park: box.site.park, permissions: ['access.alert', 'surveillance.alert.handle'] })
    expect(await handler.call(aiBoxCalls.dispose, { body })).toMatchObject({ status: ignored })
  })

  test('and new alarms are shown live', async () => {
    const box = await createBox(await world.addPark())
    const live = await box.site.listen(topics.aiBoxEvents)
    const { id } = await send(box, { eventType: 'fall', ipcName: 'Stairs', image: await imageOf() })
    const bubble = await live.row('the new alarm', (row) => row.id === id)
    expect(bubble).toMatchObject({ bubbleType: 'aiBoxAlarm', eventType: 'fall', ipcName: 'Stairs', status: unhandled })
    expect(bubble.imagePath).not.toBe('')
    await box.site.call(aiBoxCalls.dispose, { body: { id, status: handling } })
    await live.row('the handled alarm', (row) => row.id === id && row.status === handling)
    await live.stop()
  })
})

test('an alarm outlives its device by name, and goes a year later with its picture, or with its park', async () => {
  const site = await world.addPark()
  const box = await createBox(site)
  const { id } = await send(box, { ipcName: 'North', image: await imageOf() })
  await site.call(deviceCalls.delete, { query: { ids: [box.device.id] } })
  expect(await rowsOf(box)).toMatchObject([{ id, deviceName: box.device.name }])
  const { db } = world.server.platform
  await db
    .updateTable('aiBoxAlarm')
    .set({ receivedAt: new Date(world.clock.now() - 367 * DAY) as never })
    .where('id', '=', id)
    .execute()
  const row = await db.selectFrom('aiBoxAlarm').select('fileId').where('id', '=', id).executeTakeFirstOrThrow()
  const job = world.server.contexts.alarms.jobs!.find(({ name }) => name === 'alarms.dropAiBoxAlarms')!
  expect(await job.run()).toMatchObject({ outcome: 'success' })
  expect(await rowsOf(box)).toEqual([])
  await until('the file to be released', async () => {
    const file = await db.selectFrom('file').select('kept').where('id', '=', row.fileId!).executeTakeFirst()
    return file?.kept !== true
  })
})
