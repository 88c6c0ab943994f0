/** Content of exported access records: in each format, the language, and what each reader may see. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { CSV_BYTE_ORDER_MARK, SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { failReason } from '@gatehouse/contract/enums'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type MadePerson, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { recordId } from '../../platform/database/ids.ts'
import { readXlsx } from '../../platform/documents/testing/xlsx.ts'
import { passages, sentBy } from '../records/testing/records.ts'
import { exported, fetchExport, isAt, partsOfZip, startExport, type ExportBody } from './testing/exports.ts'
import { holdDisk } from './testing/slow-disk.ts'

/** Winter in Europe. */
const NOW = Date.UTC(2026, 10, 21, 4)
const MINUTE = 60_000
const DAY = 86_400_000

let world: World
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW + ahead } })
})
afterAll(() => world?.stop())

const idAt = (door: MadeDevice, seq: number): string => recordId(door.id, 'boot-1', seq)
const send = ({ park }: Site, door: MadeDevice, records: RecordObject[]) =>
  world.server.contexts.records.ingest({ deviceId: door.id, parkId: park.id }, sentBy(records, { sentAt: world.clock.now() }))

type Row = Record<string, string>
/** Return rows as objects with the headings as keys. */
const recordsOf = ([headings, ...rows]: readonly (readonly string[])[]): Row[] =>
  rows.map((row) => Object.fromEntries(headings!.map((heading, at) => [heading, row[at]!])))
const csvFor = async (client: Client, body: ExportBody = {}, language?: string): Promise<string[][]> =>
  csvRowsOf(csvTextOf((await exported(client, { ...body, format: 'csv' }, language)).bytes)!)
const sheetOf = async (bytes: Uint8Array): Promise<Row[]> =>
  recordsOf((await readXlsx(bytes)).rows.map((row) => row.map(({ value }) => String(value ?? ''))))
const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .webp()
    .toBuffer()

describe('a file of access records', () => {
  let site: Site
  let door: MadeDevice
  let ada: MadePerson
  let evil: MadePerson
  const pictures: Buffer[] = []
  beforeAll(async () => {
    site = await world.addPark({ zone: 'Europe/Berlin' })
    door = await site.device({ name: 'North gate' })
    const research = await site.personGroup({ name: 'Research' })
    const { id: groupId } = await site.call(peopleCalls.createGroup, { body: { name: 'Platform', parentId: research.id, type: 1 } })
    ada = await site.person({ name: 'Ada Lovelace', workNumber: '0042', groupId })
    evil = await site.person({ name: '@SUM(A1)', workNumber: '+1' })
    const of = ({ id, name }: MadePerson) => ({ personId: id, personName: name })
    await send(
      site,
      door,
      passages([
        // UTC+2 in summer, UTC+1 in winter.
        { ...of(ada), occurredAt: Date.UTC(2026, 6, 1, 10, 30, 5), score: 81, temperature: 36.64, mask: 1, helmet: 0, hasPicture: true },
        { ...of(evil), occurredAt: NOW - 3 * MINUTE, direction: 2, verifyType: 2, score: null, temperature: -2 },
        { occurredAt: NOW - 2 * MINUTE, result: 0, failReason: failReason.notRegistered, score: 60, temperature: -1, hasPicture: true },
        { ...of(ada), occurredAt: NOW - MINUTE, result: 0, failReason: 777 },
      ]),
    )
    for (const [seq, colour] of [
      [1, 'red'],
      [3, 'blue'],
    ] as const) {
      const file = await picture(colour)
      pictures.push(file)
      await createClient(world.url, { basic: [door.code, door.secret] }).call(deviceProtocolCalls.picture, {
        params: { id: idAt(door, seq) },
        file,
      })
    }
  })
  const since = { startTime: Date.UTC(2026, 6, 1) }

  test("is an Excel sheet of all that screens show, newest first, times on the park's clock, with department and door code", async () => {
    const { task, bytes, response } = await exported(site.client, since)
    expect(task).toMatchObject({
      kind: 'accessRecord',
      format: 'xlsx',
      fileName: 'Access records 2026-11-21 0500.xlsx',
      done: 4,
      total: 4,
      size: bytes.length,
      reason: null,
    })
    expect(response.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect(decodeURIComponent(response.headers.get('content-disposition')!)).toBe(
      "attachment; filename*=UTF-8''Access records 2026-11-21 0500.xlsx",
    )
    const rows = await sheetOf(bytes)
    expect(rows[3]).toEqual({
      // Day 46,204 is 1 July 2026; UTC+2.
      'Time (Europe/Berlin)': String(46_204 + (12 * 3600 + 30 * 60 + 5) / 86_400),
      Name: 'Ada Lovelace',
      'Work no.': '0042',
      Department: 'Research / Platform',
      'Contact who came instead': '',
      Door: 'North gate',
      'Door code': door.code,
      Direction: 'In',
      'Verified by': 'Face',
      Result: 'Admitted',
      Reason: '',
      Temperature: '36.6',
      Mask: 'Mask',
      Helmet: 'No helmet',
      Similarity: '90',
    })
    expect(rows[2]).toMatchObject({
      'Time (Europe/Berlin)': String(46_347 + (4 * 60 + 57) / 1440),
      Direction: 'Out',
      'Verified by': 'Card',
      Temperature: '',
      Mask: '',
      Helmet: '',
      Similarity: '',
    })
    expect(rows.map(({ Temperature }) => Temperature)).toEqual(['', '⚠', '', '36.6'])
    // A stranger belongs to no department.
    expect(rows.map(({ Department }) => Department)).toEqual(['Research / Platform', '', expect.any(String), 'Research / Platform'])
    // An unknown reason is shown as its number.
    expect(rows.map(({ Result, Reason }) => [Result, Reason])).toEqual([
      ['Refused', '777'],
      ['Refused', 'Similarity too low'],
      ['Admitted', ''],
      ['Admitted', ''],
    ])
  })

  test('runs nothing that a name says, in Excel as little as in CSV, which is UTF-8 with its mark', async () => {
    const sheet = await readXlsx((await exported(site.client, since)).bytes)
    expect(sheet.rows.flat().some(({ formula }) => formula)).toBe(false)
    const { bytes, task } = await exported(site.client, { ...since, format: 'csv' })
    expect(task.fileName).toMatch(/\.csv$/)
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    expect(text.startsWith(CSV_BYTE_ORDER_MARK)).toBe(true)
    expect(text).toContain(`,'@SUM(A1),'+1,`)
    expect(text).toContain('2026-07-01 12:30:05,Ada Lovelace,0042,Research / Platform,')
    expect(recordsOf(csvRowsOf(csvTextOf(bytes)!)).map(({ Name }) => Name)).toEqual(['Ada Lovelace', '', '@SUM(A1)', 'Ada Lovelace'])
  })

  test('is a zip of the sheet and of the pictures where they are asked for, each named by the line of its row', async () => {
    const { task, bytes } = await exported(site.client, { ...since, format: 'zip' })
    expect(task).toMatchObject({ done: 4, total: 4, format: 'zip' })
    const parts = await partsOfZip(bytes)
    expect([...parts.keys()]).toEqual(['Access records.xlsx', 'Pictures/00003.webp', 'Pictures/00005.webp'])
    const rows = await sheetOf(parts.get('Access records.xlsx')!)
    expect(rows.map(({ Picture }) => Picture)).toEqual(['', 'Pictures/00003.webp', '', 'Pictures/00005.webp'])
    // The third line of the sheet is its second row: the picture is what the terminal sent, byte for byte.
    expect(parts.get('Pictures/00003.webp')!.equals(pictures[1]!)).toBe(true)
    expect(parts.get('Pictures/00005.webp')!.equals(pictures[0]!)).toBe(true)
  })

  test('speaks the language of whoever asked', async () => {
    for (const [language, title, headings, values] of [
      ['zh-CN', '通行记录', ['门点', '结果'], ['North gate', '已放行']],
      ['zh-TW', '通行紀錄', ['門點', '結果'], ['North gate', '已放行']],
    ] as const) {
      const { task, bytes } = await exported(site.client, { ...since, format: 'csv' }, language)
      expect(task.fileName.startsWith(title)).toBe(true)
      const row = recordsOf(csvRowsOf(csvTextOf(bytes)!)).at(-1)!
      expect(headings.map((heading) => row[heading])).toEqual(values)
    }
  })

  test('masks the same for whom screens mask, and for nobody else [BEH-011]', async () => {
    const masked = await world.session({ park: site.park, masking: true })
    expect(recordsOf(await csvFor(masked, { personId: ada.id, ...since })).map(({ Name, 'Work no.': number }) => [Name, number])).toEqual([
      ['A********e', '0042'],
      ['A********e', '0042'],
    ])
    const plain = await world.session({ park: site.park })
    expect(recordsOf(await csvFor(plain, { personId: ada.id, ...since }))[0]).toMatchObject({ Name: 'Ada Lovelace' })
  })

  test('holds what the filter of the list holds: without a window the days the list looks back', async () => {
    const namesFor = async (body: ExportBody) => recordsOf(await csvFor(site.client, body)).map(({ Name }) => Name)
    expect(await namesFor({})).toHaveLength(3)
    expect(await namesFor({ stranger: true })).toEqual([''])
    expect(await namesFor({ personName: 'love' })).toEqual(['Ada Lovelace'])
    expect(await namesFor({ ...since, result: 1, direction: 1 })).toEqual(['Ada Lovelace'])
    expect(await namesFor({ ...since, endTime: NOW - DAY })).toEqual(['Ada Lovelace'])
  })

  test('says of a passage that it was somebody else', async () => {
    await site.call(clinicCalls.correct, { params: { id: idAt(door, 1) }, body: {} })
    const rows = recordsOf(await csvFor(site.client, since))
    expect(rows[3]).toMatchObject({ Reason: 'Wrong match' })
  })

  test('stands in the log of reads with whom it tells of, and in the log of what was done', async () => {
    const reader = await world.session({ park: site.park })
    await exported(reader, { ...since, result: 1, direction: 1 })
    await world.server.platform.audit.settled()
    const reads = await sql<{
      url: string
      subjects: string[]
    }>`SELECT url, subjects FROM read_log WHERE park_id = ${site.park.id} ORDER BY occurred_at, id`.execute(world.server.platform.db)
    const mine = reads.rows.slice(-2)
    expect(mine[0]).toEqual({ url: exportCalls.accessRecord.url, subjects: [idAt(door, 1), ada.id] })
    expect(mine[1]).toMatchObject({ url: exportCalls.download.url })
    const done = await sql<{
      url: string
      changes: { entity: string; label: string }[]
    }>`SELECT url, changes FROM operation_log WHERE park_id = ${site.park.id} ORDER BY occurred_at DESC, id DESC LIMIT 1`.execute(
      world.server.platform.db,
    )
    expect(done.rows).toMatchObject([
      { url: exportCalls.accessRecord.url, changes: [{ entity: 'exportTask', label: 'Access records 2026-11-21 0500.xlsx' }] },
    ])
  })

  test('names nobody who was erased, and says so', async () => {
    await site.call(privacyCalls.erase, { body: { personIds: [evil.id], reason: 'Asked for in writing' } })
    expect(recordsOf(await csvFor(site.client, since)).map(({ Name }) => Name)).toEqual([
      'Ada Lovelace',
      '',
      'Erased person',
      'Ada Lovelace',
    ])
  })

  test('holds the passages there were when it was asked for, as they are read by then', async () => {
    const park = await world.addPark()
    const gate = await park.device()
    await send(park, gate, passages([{ occurredAt: NOW - MINUTE }]))
    const release = holdDisk(world.server.platform.storage)
    const blocking = await startExport(park.client)
    await isAt(park.client, blocking, 'exporting')
    const id = await startExport(park.client, { format: 'csv' })
    ahead += 1
    await send(park, gate, [{ ...passages([{ occurredAt: NOW - 2 * MINUTE }])[0]!, seq: 2 }])
    release()
    expect(await isAt(park.client, id, 'exported')).toMatchObject({ done: 1, total: 1 })
    expect(await csvFor(park.client)).toHaveLength(3)
  })

  test('tells no department of whom the register does not hold any more', async () => {
    await site.call(peopleCalls.delete, { query: { ids: [ada.id] } })
    const [, , , passage] = recordsOf(await csvFor(site.client, since))
    expect(passage).toMatchObject({ Name: 'Ada Lovelace', Department: '' })
  })
})

describe('how many', () => {
  const refusalOf = (client: Client, body: ExportBody = {}) => client.ask(exportCalls.accessRecord, { body })

  test('none are refused with a sentence [VAL-221], a window that is none with its code', async () => {
    const site = await world.addPark()
    expect(await refusalOf(site.client)).toMatchObject({ status: 400, data: { fields: [{ path: '', rule: 'exportEmpty' }] } })
    expect(await refusalOf(site.client, { startTime: NOW, endTime: NOW - 1 })).toMatchObject({
      status: 200,
      code: 900007,
      data: { fields: [{ path: 'endTime' }] },
    })
    const foreign = await world.device()
    await send(world, foreign, passages([{ occurredAt: NOW - MINUTE }]))
    expect(await refusalOf(site.client, { deviceId: foreign.id })).toMatchObject({
      status: 400,
      data: { fields: [{ rule: 'exportEmpty' }] },
    })
    expect((await site.call(exportCalls.list, { query: {} })).total).toBe(0)
  })

  test(
    '50,000 are exported, each once; one more is refused with a sentence [VAL-220, BEH-183]',
    { tags: 'extended', timeout: 180_000 },
    async () => {
      const site = await world.addPark()
      const door = await site.device()
      await send(site, door, passages([{ occurredAt: NOW - MINUTE }]))
      await sql`INSERT INTO access_record (id, park_id, occurred_at, received_at, zone, local_date, local_hour, device_id, device_name,
        person_name, work_number, direction, verify_type, result, checks, settings_revision)
      SELECT gen_random_uuid(), park_id, occurred_at - (number / 3) * interval '1 second', received_at, zone, local_date, local_hour,
      device_id, device_name, 'Passage ' || number, '', 1, 1, 1, '[]', ''
      FROM access_record, generate_series(1, ${SERVER_EXPORT_RECORDS}) number
      WHERE park_id = ${site.park.id} AND device_id = ${door.id}`.execute(world.server.platform.db)
      expect(await refusalOf(site.client)).toMatchObject({
        status: 400,
        data: { fields: [{ path: '', rule: 'exportTooMany', params: { limit: SERVER_EXPORT_RECORDS } }] },
      })
      const rows = recordsOf(await csvFor(site.client, { personName: 'Passage' }))
      expect(rows).toHaveLength(SERVER_EXPORT_RECORDS)
      expect(new Set(rows.map(({ Name }) => Name)).size).toBe(SERVER_EXPORT_RECORDS)
    },
  )
})

test('a download that broke off goes on where it was', async () => {
  const site = await world.addPark()
  await send(site, await site.device(), passages([{ occurredAt: NOW - MINUTE }]))
  const { task, bytes, response } = await exported(site.client)
  const rest = await fetchExport(site.client, task.id, { range: 'bytes=100-', 'if-range': response.headers.get('etag')! })
  expect(rest.status).toBe(206)
  expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(100))).toBe(true)
})
