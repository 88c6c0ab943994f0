import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RECORD_WINDOW_MAX } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { portrait } from '@gatehouse/dev-env/portraits'
import sharp from 'sharp'
import { recordId } from '../../platform/database/ids.ts'
import { passage, passages, sentBy } from './testing/records.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000
const DAY = 86_400_000

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

const area = () => world.server.contexts.records
const database = () => world.server.platform.db
const idAt = (door: MadeDevice, seq: number) => recordId(door.id, 'boot-1', seq)
const find = (park: Site, body: object = {}) => park.call(recordCalls.find, { body })
const send = (park: Site, door: MadeDevice, records: RecordObject[]) =>
  area().ingest({ deviceId: door.id, parkId: park.park.id }, sentBy(records, { sentAt: NOW }))

/** Create a park with one door that has sent these passages. */
async function parkWith(records: readonly Partial<RecordObject>[]) {
  const park = await world.addPark()
  const door = await park.device()
  if (records.length > 0) await send(park, door, passages(records))
  return { park, door }
}

describe('the list of records', () => {
  test('looks back seven days, and on to what a fast clock dated ahead', async () => {
    const { park } = await parkWith([
      { occurredAt: NOW - 7 * DAY - 1 },
      { occurredAt: NOW - 7 * DAY },
      { occurredAt: NOW - DAY },
      { occurredAt: NOW + 10 * MINUTE },
    ])
    const { content, total, totalExact } = await find(park)
    expect(content.map((record) => record.time)).toEqual([NOW + 10 * MINUTE, NOW - DAY, NOW - 7 * DAY])
    expect({ total, totalExact }).toEqual({ total: 3, totalExact: true })
  })

  test('takes a window with both ends, of at most a leap year', async () => {
    const { park } = await parkWith([{ occurredAt: NOW - 400 * DAY }, { occurredAt: NOW - 100 * DAY }, { occurredAt: NOW - 99 * DAY }])
    const times = async (body: object) => (await find(park, body)).content.map((record) => (record.time - NOW) / DAY)
    expect(await times({ startTime: NOW - 100 * DAY, endTime: NOW - 99 * DAY })).toEqual([-99, -100])
    expect(await times({ startTime: NOW - 100 * DAY + 1, endTime: NOW - 99 * DAY - 1 })).toEqual([])
    expect(await times({ endTime: NOW - 95 * DAY })).toEqual([-99, -100])
    expect(await times({ startTime: NOW - RECORD_WINDOW_MAX * DAY })).toEqual([-99, -100])

    for (const [window, path] of [
      [{ startTime: NOW, endTime: NOW - 1 }, 'endTime'],
      [{ startTime: NOW - (RECORD_WINDOW_MAX * DAY + 1), endTime: NOW }, 'endTime'],
      [{ startTime: NOW - (RECORD_WINDOW_MAX * DAY + 1) }, 'startTime'],
      [{ startTime: NOW + 1 }, 'startTime'],
    ] as const) {
      const answer = await park.ask(recordCalls.find, { body: window })
      expect(answer).toMatchObject({ status: 200, code: 900007, data: { fields: [{ path, rule: 'code.900007' }] } })
    }
  })

  test('is narrowed by each filter and by several together', async () => {
    const park = await world.addPark()
    const [front, back] = [await park.device(), await park.device()]
    const [wang, percent] = [await park.person({ name: '王小芳' }), await park.person({ name: '100% Wang' })]
    await send(
      park,
      front,
      passages([
        { occurredAt: NOW - 1 * MINUTE, personId: wang.id },
        { occurredAt: NOW - 2 * MINUTE, personId: wang.id, direction: 2 },
        { occurredAt: NOW - 3 * MINUTE, personId: percent.id, result: 0, failReason: 6 },
        { occurredAt: NOW - 4 * MINUTE, result: 0, failReason: 904 },
        { occurredAt: NOW - 5 * MINUTE, personName: 'Passer-by', result: 0, failReason: 19 },
      ]),
    )
    // The last was admitted by a code that identifies no person.
    await send(park, back, passages([{ occurredAt: NOW - 6 * MINUTE, personId: wang.id }, { occurredAt: NOW - 7 * MINUTE }]))
    const minutes = async (body: object) => (await find(park, body)).content.map((record) => (NOW - record.time) / MINUTE)
    expect(await minutes({ personId: wang.id })).toEqual([1, 2, 6])
    expect(await minutes({ personName: '小' })).toEqual([1, 2, 6])
    expect(await minutes({ personName: 'WANG' })).toEqual([3])
    expect(await minutes({ personName: '0%' })).toEqual([3])
    expect(await minutes({ personName: '_' })).toEqual([])
    expect(await minutes({ deviceId: back.id })).toEqual([6, 7])
    expect(await minutes({ direction: 2 })).toEqual([2])
    expect(await minutes({ result: 0 })).toEqual([3, 4, 5])
    expect(await minutes({ result: 1 })).toEqual([1, 2, 6, 7])
    expect(await minutes({ failReason: 6 })).toEqual([3])
    expect(await minutes({ stranger: true })).toEqual([4])
    expect(await minutes({ stranger: false })).toEqual([1, 2, 3, 5, 6, 7])
    expect(await minutes({ personId: wang.id, deviceId: front.id, direction: 1 })).toEqual([1])
    const latest = await park.call(recordCalls.ofPerson, { query: { personId: wang.id, size: 2 } })
    expect(latest.content.map((record) => (NOW - record.time) / MINUTE)).toEqual([1, 2])
    expect(await world.ask(recordCalls.ofPerson, { query: { personId: wang.id } })).toMatchObject({ status: 404 })
  })

  test('of strangers has unknown persons: neither a known one without a strategy, nor one let in by a code [BEH-168]', async () => {
    const park = await world.addPark()
    const [door, known] = [await park.device(), await park.person()]
    await send(
      park,
      door,
      passages([
        { occurredAt: NOW - 1 * MINUTE, result: 0, failReason: 904 },
        { occurredAt: NOW - 2 * MINUTE, result: 0, failReason: 19, personId: known.id },
        { occurredAt: NOW - 3 * MINUTE, result: 0, failReason: 902, personId: known.id },
        { occurredAt: NOW - 4 * MINUTE, result: 0, failReason: 19 },
        { occurredAt: NOW - 5 * MINUTE },
      ]),
    )
    const strangers = await find(park, { stranger: true })
    expect(strangers.content.map(({ time, personId, personName }) => [(NOW - time) / MINUTE, personId, personName])).toEqual([
      [1, null, ''],
    ])
    expect(strangers.total).toBe(1)
  })

  test('goes on by cursor without a gap or a repeat while new records come in', async () => {
    // Several records of the same moment: only the id orders them.
    const { park, door } = await parkWith(Array.from({ length: 9 }, (_, index) => ({ occurredAt: NOW - Math.floor(index / 4) * MINUTE })))
    const seen: string[] = []
    let after: string | undefined
    for (let seq = 10; seq < 30; seq++) {
      const page = await find(park, { size: 2, after })
      seen.push(...page.content.map((record) => record.id))
      after = page.next
      if (after === undefined) break
      await send(park, door, [passage(seq, { occurredAt: NOW + MINUTE })])
    }
    expect(seen).toHaveLength(9)
    expect(new Set(seen)).toEqual(new Set(Array.from({ length: 9 }, (_, index) => idAt(door, index + 1))))
  })

  test('goes by page number too, in both manners', async () => {
    const { park, door } = await parkWith([1, 2, 3].map((minute) => ({ occurredAt: NOW - minute * MINUTE })))
    const ids = async (body: object) => (await find(park, body)).content.map((record) => record.id)
    expect(await ids({ page: 2, size: 2 })).toEqual([idAt(door, 3)])
    expect(await ids({ pageNo: 1, pageSize: 1 })).toEqual([idAt(door, 2)])
    expect(await find(park, { page: 2, size: 2 })).not.toHaveProperty('next')
  })

  test('counts no further than pages reach, and goes on beyond by cursor', async () => {
    const { park, door } = await parkWith([])
    const count = 10_050
    for (let start = 1; start <= count; start += 500) {
      const portion = Array.from({ length: Math.min(500, count + 1 - start) }, (_, index) =>
        passage(start + index, { occurredAt: NOW - start - index }),
      )
      await send(park, door, portion)
    }
    const last = await find(park, { page: 100, size: 100 })
    expect(last).toMatchObject({ total: 10_001, totalExact: false })
    expect(last.content.at(-1)!.id).toBe(idAt(door, 10_000))
    const beyond = await find(park, { size: 100, after: last.next })
    expect(beyond.content.map((record) => record.id)).toEqual(Array.from({ length: 50 }, (_, index) => idAt(door, 10_001 + index)))
    expect(beyond).not.toHaveProperty('next')
    expect(await park.ask(recordCalls.find, { body: { page: 101, size: 100 } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'page', rule: 'max.number', params: { limit: 100 } }] },
    })
  })

  test.each(['x', `${NOW}`, `${NOW}_nobody`, `-1_${recordId('a', 'b', 1)}`])('refuses the cursor %s, which is none', async (after) => {
    expect(await world.ask(recordCalls.find, { body: { after } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'after', rule: 'invalid' }] },
    })
  })

  test('is for those who may see records, of their own park only', async () => {
    const { park, door } = await parkWith([{ occurredAt: NOW }])
    expect(await world.client.as(null).ask(recordCalls.find, { body: {} })).toMatchObject({ status: 401 })
    const planner = await world.session({ permissions: ['access.rule'], park: park.park })
    expect(await planner.ask(recordCalls.find, { body: {} })).toMatchObject({ status: 403, code: 100510 })
    expect(await planner.ask(recordCalls.delete, { params: { id: idAt(door, 1) } })).toMatchObject({ status: 403 })
    const abroad = await world.session({ permissions: ['access.record', 'own:access.record.delete'] })
    expect(await abroad.ask(recordCalls.read, { params: { id: idAt(door, 1) } })).toMatchObject({ status: 404 })
    expect(await abroad.ask(recordCalls.delete, { params: { id: idAt(door, 1) } })).toMatchObject({ status: 404 })
    const guard = await world.session({ permissions: ['access.record'], park: park.park })
    expect(await guard.ask(recordCalls.delete, { params: { id: idAt(door, 1) } })).toMatchObject({ status: 403, code: 100510 })
    expect((await guard.call(recordCalls.find, { body: {} })).total).toBe(1)
  })
})

describe('one record', () => {
  test('says by which checks it was decided, and on which settings', async () => {
    const { park, door } = await parkWith([
      { occurredAt: NOW, score: 88.5, revision: 'r-7', checks: '[[0,1,88.5,70,0.31],[99,0]]' },
      { occurredAt: NOW, checks: 'not ours' },
    ])
    const detail = await park.call(recordCalls.read, { params: { id: idAt(door, 1) } })
    expect(detail).toMatchObject({
      time: NOW,
      score: 88.5,
      settingsRevision: 'r-7',
      clockOffsetMs: 0,
      checks: [
        { code: 'face', ok: true, score: 88.5, threshold: 70, distance: 0.31 },
        { code: 'unknown', ok: false, number: 99 },
      ],
    })
    expect((await park.call(recordCalls.read, { params: { id: idAt(door, 2) } })).checks).toEqual([])
    expect(await park.ask(recordCalls.read, { params: { id: 'no-id' } })).toMatchObject({ status: 404 })
  })

  test('shows the face on file beside the one that was seen', async () => {
    const park = await world.addPark()
    const door = await park.device()
    const photo = await sharp(await portrait(11))
      .resize(800)
      .jpeg()
      .toBuffer()
    const person = await park.person({ photo })
    await send(park, door, passages([{ occurredAt: NOW, personId: person.id }]))
    const [record] = (await find(park)).content
    expect(record).toMatchObject({ captureImage: '', captureThumbnail: '' })
    const file = await fetch(world.url + record!.registeredImage)
    expect(file.status).toBe(200)
    expect((await sharp(await file.arrayBuffer()).metadata()).height).toBe(320)
  })
})

describe('the picture of a record', () => {
  const picture = (colour: string) =>
    sharp({ create: { width: 400, height: 400, channels: 3, background: colour } })
      .jpeg()
      .toBuffer()
  const put = (door: MadeDevice, id: string, file: Uint8Array) =>
    createClient(world.url, { basic: [door.code, door.secret] }).ask(deviceProtocolCalls.picture, { params: { id }, file })

  async function fileOf(door: MadeDevice): Promise<string> {
    const record = await database()
      .selectFrom('accessRecord')
      .select('captureFileId as fileId')
      .where('id', '=', idAt(door, 1))
      .executeTakeFirst()
    return record!.fileId!
  }

  test('is kept once, however often it is sent, and told once', async () => {
    const { park, door } = await parkWith([{ occurredAt: NOW, hasPicture: true }])
    const id = idAt(door, 1)
    await Promise.all([put(door, id, await picture('red')), put(door, id, await picture('red'))])
    const [first] = (await find(park)).content
    expect(first!.captureImage).toMatch(/\/320\?/)
    expect(first!.captureThumbnail).toMatch(/\/96\?/)
    const files = () => database().selectFrom('file').select('id').where('parkId', '=', park.park.id).execute()
    const before = await files()
    expect(await put(door, id, await picture('blue'))).toMatchObject({ status: 200, code: 0, data: { id } })
    expect((await find(park)).content[0]).toEqual(first)
    expect(await files()).toEqual(before)

    const { dominant } = await sharp(await (await fetch(world.url + first!.captureImage)).arrayBuffer()).stats()
    expect(dominant.r).toBeGreaterThan(200)
    const events = await database()
      .selectFrom('outbox')
      .select('payload')
      .where('name', '=', 'record.pictured')
      .where('parkId', '=', park.park.id)
      .execute()
    expect(events).toEqual([{ payload: { recordId: id, time: NOW } }])
  })

  test('is taken from the device of the record only, and only if it is one', async () => {
    const { park, door } = await parkWith([{ occurredAt: NOW, hasPicture: true }])
    const other = await park.device()
    expect(await put(other, idAt(door, 1), await picture('red'))).toMatchObject({ status: 404 })
    expect(await put(door, idAt(door, 2), await picture('red'))).toMatchObject({ status: 404 })
    expect(await put(door, idAt(door, 1), Buffer.from('no picture'))).toMatchObject({ status: 200, code: 200205 })
    expect(await put(door, idAt(door, 1), (await picture('red')).subarray(0, 200))).toMatchObject({ status: 200, code: 200205 })
    expect((await find(park)).content[0]).toMatchObject({ captureImage: '' })
  })

  test('is kept as the terminal sent it, and its small variants are made for whoever looks first', async () => {
    const { park, door } = await parkWith([{ occurredAt: NOW, hasPicture: true }])
    const sent = await sharp({ create: { width: 640, height: 480, channels: 3, background: 'red' } })
      .webp()
      .toBuffer()
    await put(door, idAt(door, 1), sent)
    const scope = { parkId: park.park.id }
    const fileId = await fileOf(door)
    expect(await world.server.platform.storage.load(scope, fileId, 'full')).toEqual(sent)
    const variants = async () => {
      const names = await readdir(join(world.dataDir, 'files'), { recursive: true })
      return names.flatMap((name) => (name.includes(fileId) ? [name.split('.').at(-1)] : [])).sort()
    }
    expect(await variants()).toEqual(['full'])
    const { captureImage, captureThumbnail } = (await find(park)).content[0]!
    const looked = await Promise.all([1, 2, 3].map(async () => Buffer.from(await (await fetch(world.url + captureImage)).arrayBuffer())))
    expect(await sharp(looked[0]).metadata()).toMatchObject({ format: 'webp', width: 320, height: 240 })
    expect(looked[1]).toEqual(looked[0])
    expect(looked[2]).toEqual(looked[0])
    expect(await variants()).toEqual(['320', 'full'])
    expect(await sharp(await (await fetch(world.url + captureThumbnail)).arrayBuffer()).metadata()).toMatchObject({ width: 96, height: 96 })
    expect(await variants()).toEqual(['320', '96', 'full'])
  })

  test.each(['jpeg', 'webp'] as const)('as %s with a turn and a place in its Exif is given out upright and without', async (format) => {
    const { park, door } = await parkWith([{ occurredAt: NOW, hasPicture: true }])
    const wide = sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
    const turned = wide.withMetadata({ orientation: 6, exif: { IFD3: { GPSLatitude: '51/1 30/1 0/1' } } })
    await put(door, idAt(door, 1), await turned.toFormat(format).toBuffer())
    const fileId = await fileOf(door)
    for (const variant of ['full', '320'] as const) {
      const bytes = await world.server.platform.storage.load({ parkId: park.park.id }, fileId, variant)
      const { width, height, exif, orientation } = await sharp(bytes!).metadata()
      expect(height).toBeGreaterThan(width)
      expect({ exif, orientation }).toEqual({ exif: undefined, orientation: undefined })
    }
  })

  test('is taken for a record of long ago too', async () => {
    const { park, door } = await parkWith([{ occurredAt: NOW - 300 * DAY, hasPicture: true }])
    expect(await put(door, idAt(door, 1), await picture('red'))).toMatchObject({ status: 200, code: 0 })
    const [record] = (await find(park, { startTime: NOW - 301 * DAY })).content
    expect(record!.captureImage).toMatch(/\/320\?/)
  })

  test('goes with its record', async () => {
    const { park, door } = await parkWith([{ occurredAt: NOW, hasPicture: true }, { occurredAt: NOW }])
    const id = idAt(door, 1)
    await put(door, id, await picture('red'))
    expect(await park.call(recordCalls.delete, { params: { id } })).toEqual({ id })
    expect(await park.ask(recordCalls.delete, { params: { id } })).toMatchObject({ status: 404 })
    expect((await find(park)).content.map((record) => record.id)).toEqual([idAt(door, 2)])
    expect(await database().selectFrom('file').select('kept').where('parkId', '=', park.park.id).execute()).toEqual([{ kept: false }])
    // Its number stays used: a record sent again is not restored.
    expect(await send(park, door, [passage(1, { occurredAt: NOW })])).toBe(2)
    expect((await find(park)).total).toBe(1)
  })
})

test('rows for live screens are those of the list, in the order asked for, of this park', async () => {
  const { park, door } = await parkWith([{ occurredAt: NOW - MINUTE }, { occurredAt: NOW }])
  const elsewhere = await parkWith([{ occurredAt: NOW }])
  const asked = [idAt(door, 1), idAt(elsewhere.door, 1), idAt(door, 3), idAt(door, 2)]
  const rows = await area().records.rows({ parkId: park.park.id }, asked)
  expect(rows).toEqual((await find(park)).content.toReversed())
})

test('an erased park has nothing left, and its neighbour everything', async () => {
  const neighbour = await parkWith([{ occurredAt: NOW }])
  const { park, door } = await parkWith([{ occurredAt: NOW }, { occurredAt: NOW - DAY }, { occurredAt: NOW, personId: 'unstorable' }])
  await park.strategy({ devices: [door], methods: [1, 4] })
  await neighbour.park.strategy({ devices: [neighbour.door], methods: [1, 4] })
  const { records, strategies } = world.server.contexts
  const removed = await world.server.platform.transaction(async (tx) => {
    const counts = {}
    for (const one of [records, strategies]) Object.assign(counts, await one.erasePark!(tx, { parkId: park.park.id }))
    return counts
  })
  expect(removed).toEqual({ records: 2, strategies: 1, timeRules: 2 })
  expect((await find(park)).total).toBe(0)
  expect(await area().ackSeq(door.id, 'boot-1')).toBe(0)
  expect(await database().selectFrom('unstorableRecord').select('seq').where('parkId', '=', park.park.id).execute()).toEqual([])
  expect((await park.call(timeRuleCalls.list, { query: {} })).content.map((rule) => rule.isDefault)).toEqual([true])
  expect((await find(neighbour.park)).total).toBe(1)
  expect((await neighbour.park.call(strategyCalls.find, { body: {} })).content[0]).toMatchObject({ deviceCount: 1 })
})
