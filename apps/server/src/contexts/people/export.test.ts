/** Persons as a file: its contents, for each reader, and that fifty thousand of them are streamed rather than collected. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT_EXPORT_ROWS, SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import { csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { personFormCalls } from '@gatehouse/contract/people/form'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { readXlsx } from '../../platform/documents/testing/xlsx.ts'
import { until } from '../../../../../tests/support/until.ts'

const DAY = 86_400_000
/** Winter in Europe. */
const NOW = Date.UTC(2026, 10, 21, 4)
const { export: call, exportProgress } = peopleCalls

let world: World
let number = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

type Query = Record<string, string | number | readonly string[]>

function fetchFor(
  client: Pick<Client, 'url' | 'credentials'>,
  query: Query,
  { language = 'en', signal }: { language?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const { bearer } = client.credentials as { bearer: string }
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])))
  return fetch(`${client.url}${call.url}?${search}`, {
    headers: { authorization: `Bearer ${bearer}`, 'accept-language': language },
    ...(signal && { signal }),
  })
}
const refusalOf = async (client: Client, query: Query = {}) => {
  const response = await fetchFor(client, query)
  const { data } = (await response.json()) as { data?: { fields?: { rule: string; params?: object }[] } }
  return { status: response.status, fields: data?.fields?.map(({ rule, params }) => ({ rule, params })) }
}
async function csvFor(client: Client, query: Query = {}, language?: string): Promise<string[][]> {
  const response = await fetchFor(client, { ...query, format: 'csv' }, language === undefined ? {} : { language })
  expect(response.status).toBe(200)
  return csvRowsOf(csvTextOf(new Uint8Array(await response.arrayBuffer()))!)
}
async function sheetFor(client: Client, query: Query = {}, language?: string) {
  const response = await fetchFor(client, query, language === undefined ? {} : { language })
  expect(response.status).toBe(200)
  return { ...(await readXlsx(new Uint8Array(await response.arrayBuffer()))), headers: response.headers }
}
/** Return rows as objects with the headings as keys. */
const recordsOf = ([headings, ...rows]: string[][]): Record<string, string>[] =>
  rows.map((row) => Object.fromEntries(headings!.map((heading, at) => [heading, row[at]!])))
const namesIn = (rows: string[][]): string[] => rows.slice(1).map(([name]) => name!)

/** Insert many persons at once, directly into the table. */
async function insertPersons(site: Site, count: number, nationality = 'NULL'): Promise<void> {
  const { groupId } = await site.person({ name: 'First' })
  await sql`INSERT INTO person (id, park_id, group_id, kind, name, work_number, gender, valid_to, nationality, created_at, updated_at)
    SELECT gen_random_uuid(), ${site.park.id}::uuid, ${groupId}::uuid, 'staff', 'Person ' || number, 'N' || number, 1 + number % 3,
      CASE WHEN number % 3 > 0 THEN ${new Date(NOW)}::timestamptz - (number % 700) * interval '1 hour' END,
      ${sql.raw(nationality)}, ${new Date(NOW)}::timestamptz - (number / 7) * interval '1 second', now()
    FROM generate_series(2, ${count}) number`.execute(world.server.platform.db)
}

describe('what stands in it', () => {
  let site: Site
  beforeAll(async () => {
    site = await world.addPark({ zone: 'Europe/Berlin' })
    await site.person({
      name: 'Ada Lovelace',
      workNumber: '0042',
      phone: '13800138000',
      gender: 2,
      cardNumber: '4711',
      idNumber: 'AB1234567',
      birthday: '1985-12-10',
      validFrom: Date.UTC(2026, 6, 1, 10),
      validTo: Date.UTC(2026, 11, 1, 10),
      remark: '=HYPERLINK("http://example.org","x")',
    })
  })

  test('every field in the words of the language, times by the clock of the park at their own moment', async () => {
    const [ada] = recordsOf(await csvFor(site.client))
    expect(ada).toMatchObject({
      Name: 'Ada Lovelace',
      'Work no.': '0042',
      Phone: '13800138000',
      Gender: 'Female',
      Register: 'Staff',
      Status: 'Enabled',
      // UTC+2 in July, UTC+1 in December.
      'Valid from (Europe/Berlin)': '2026-07-01 12:00:00',
      'Valid until (Europe/Berlin)': '2026-12-01 11:00:00',
      'Card number': '4711',
      'ID number': 'AB1234567',
      Birthday: '1985-12-10',
      Photo: 'No',
      'Personal password': 'No',
      'Face recognition consent': 'Not recorded',
      'Added (Europe/Berlin)': '2026-11-21 05:00:00',
    })
    for (const [language, name, status] of [
      ['zh-CN', '姓名', '已启用'],
      ['zh-TW', '姓名', '已啟用'],
    ] as const) {
      const [inChinese] = recordsOf(await csvFor(site.client, {}, language))
      expect(inChinese).toMatchObject({ [name]: 'Ada Lovelace' })
      expect(
        Object.values(inChinese!).some((value) => /[启啟]/.test(value)),
        status,
      ).toBe(true)
    }
  })

  test('on the day on which the clocks change, times before and after it stand by the clock of their moment', async () => {
    const ends = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)]
    const ids: string[] = []
    for (const [at, validTo] of ends.entries()) ids.push((await site.person({ name: `Change ${at}`, validTo })).id)
    const rows = recordsOf(await csvFor(site.client, { ids, sort: 'validTo' }))
    // At the end of summer time, the hour from two to three o'clock occurs twice.
    expect(rows.map((row) => row['Valid until (Europe/Berlin)'])).toEqual(['2026-10-25 02:30:00', '2026-10-25 02:30:00'])
    await site.call(peopleCalls.delete, { query: { ids } })
  })

  test('an Excel file holds the same: texts as texts, times and days as numbers with a format, its name the day in the park', async () => {
    const { rows, name, headers } = await sheetFor(site.client, { kind: 'staff' })
    expect(name).toBe('Staff')
    expect(decodeURIComponent(headers.get('content-disposition')!)).toBe("attachment; filename*=UTF-8''Staff 2026-11-21.xlsx")
    const headings = rows[0]!.map(({ value }) => value)
    const cell = (heading: string) => rows[1]![headings.indexOf(heading)]!
    expect(cell('Work no.').value).toBe('0042')
    // Day 46,204 is 1 July 2026.
    expect(cell('Valid from (Europe/Berlin)').value).toBe(46_204.5)
    expect(cell('Birthday').value).toBe(31_391)
    expect(cell('Remark')).toEqual({ value: '=HYPERLINK("http://example.org","x")', style: 1, formula: false })
    expect(rows.flat().some(({ formula }) => formula)).toBe(false)
  })

  test('a CSV file is UTF-8 with its mark, and no cell is a formula: one that begins like one begins with an apostrophe', async () => {
    const { id } = await site.person({ name: '@SUM(A1)', workNumber: '+1', remark: '-2+3' })
    const response = await fetchFor(site.client, { ids: [id], format: 'csv' })
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf))
    const text = new TextDecoder().decode(bytes)
    const [, line] = text.split('\r\n')
    expect(line).toMatch(/^'@SUM\(A1\),'\+1,/)
    expect(line).toContain(",'-2+3,")
    // A reader that follows the format gets the original texts.
    expect(namesIn(csvRowsOf(csvTextOf(bytes)!))).toEqual(['@SUM(A1)'])
    await site.call(peopleCalls.delete, { query: { ids: [id] } })
  })

  test('names, phones and ID numbers are masked for whom they are masked, and for nobody else [BEH-011]', async () => {
    const masked = await world.session({ park: site.park, masking: true })
    expect(recordsOf(await csvFor(masked))[0]).toMatchObject({
      Name: 'A********e',
      Phone: '138****8000',
      'ID number': 'AB1****67',
      'Work no.': '0042',
    })
    const cells = (await sheetFor(masked)).rows.flat().map(({ value }) => value)
    expect(cells).not.toContain('Ada Lovelace')
    expect(cells).not.toContain('AB1234567')
    const plain = await world.session({ park: site.park })
    expect(recordsOf(await csvFor(plain))[0]).toMatchObject({ Name: 'Ada Lovelace', Phone: '13800138000', 'ID number': 'AB1234567' })
  })

  test("the fields of the park's own form stand in it by their titles, in its order", async () => {
    const { fields } = await site.call(personFormCalls.change, { body: { fields: [{ title: 'Shoe_size' }, { title: 'Locker' }] } })
    const [size, locker] = fields.map(({ id }) => id) as [string, string]
    const { id } = await site.person({
      name: 'Grace Hopper',
      customFields: [
        { id: locker, value: '=12' },
        { id: size, value: '38' },
      ],
    })
    const rows = await csvFor(site.client, { ids: [id] })
    expect(rows[0]!.slice(rows[0]!.indexOf('Shoe_size'))).toEqual([
      'Shoe_size',
      'Locker',
      'Remark',
      'Added (Europe/Berlin)',
      'Changed (Europe/Berlin)',
    ])
    expect(recordsOf(rows)[0]).toMatchObject({ Shoe_size: '38', Locker: '=12' })
    await site.call(peopleCalls.delete, { query: { ids: [id] } })
  })

  test('stands in the log of reads with everybody who is in it, and with nobody else', async () => {
    const reader = await world.session({ park: site.park })
    const grace = await site.person({ name: 'Grace Hopper' })
    await csvFor(reader, { ids: [grace.id] })
    const reads = async () =>
      (
        await sql<{
          subjects: string[]
        }>`SELECT subjects FROM read_log WHERE park_id = ${site.park.id} AND url = ${call.url} AND ${grace.id} = ANY(subjects)`.execute(
          world.server.platform.db,
        )
      ).rows
    expect(await until('the read is noted', async () => ((await reads()).length > 0 ? reads() : null))).toEqual([{ subjects: [grace.id] }])
    await site.call(peopleCalls.delete, { query: { ids: [grace.id] } })
  })
})

describe('who is in it', () => {
  let site: Site
  let other: Client
  beforeAll(async () => {
    site = await world.addPark()
    await site.person({ name: 'Staff', validTo: NOW + 6 * DAY })
    await site.person({ name: 'Customer', kind: 'customer' })
    await sql`INSERT INTO person (id, park_id, group_id, kind, name, gender, created_at, updated_at)
      SELECT gen_random_uuid(), park_id, group_id, 'special', 'Looked out for', 3, now(), now() FROM person
      WHERE park_id = ${site.park.id} LIMIT 1`.execute(world.server.platform.db)
    other = await world.session({ park: site.park, roleSign: 'other' })
  })

  test('those of the filter, as the list has them', async () => {
    expect(namesIn(await csvFor(site.client, { kind: 'customer' }))).toEqual(['Customer'])
    expect(namesIn(await csvFor(site.client, { expiringDays: 7 }))).toEqual(['Staff'])
    expect(namesIn(await csvFor(site.client, { name: 'ust', hasFace: 0 }))).toEqual(['Customer'])
    expect(await refusalOf(site.client, { groupId: crypto.randomUUID() })).toMatchObject({ status: 404 })
    expect(await refusalOf(site.client, { expiringDays: 0 })).toMatchObject({ status: 400 })
  })

  test('those named, once each; one who is not there, or of another park, is answered as absent', async () => {
    const foreign = await (await world.addPark()).person()
    const { content } = await site.call(peopleCalls.list, { query: { name: 'Customer' } })
    const { id } = content[0]!
    expect(namesIn(await csvFor(site.client, { ids: [id, id] }))).toEqual(['Customer'])
    expect(await refusalOf(site.client, { ids: [id, foreign.id] })).toEqual({ status: 404, fields: undefined })
    expect(await refusalOf(site.client, { ids: [id, crypto.randomUUID()] })).toEqual({ status: 404, fields: undefined })
  })

  test('whom to look out for: not for the role that must not see them', async () => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM person WHERE park_id = ${site.park.id} AND kind = 'special'`.execute(
      world.server.platform.db,
    )
    const named = { kind: 'special', ids: rows.map(({ id }) => id) }
    expect(namesIn(await csvFor(site.client, { kind: 'special' }))).toEqual(['Looked out for'])
    expect(namesIn(await csvFor(site.client, named))).toEqual(['Looked out for'])
    expect(await refusalOf(other, named)).toMatchObject({ status: 404 })
    expect(namesIn(await csvFor(other)).toSorted()).toEqual(['Customer', 'Staff'])
    expect(await refusalOf(other, { kind: 'special' })).toMatchObject({ status: 400, fields: [{ rule: 'exportEmpty' }] })
  })

  test('nobody at all: refused with a sentence', async () => {
    expect(await refusalOf(site.client, { name: 'Nobody at all' })).toEqual({
      status: 400,
      fields: [{ rule: 'exportEmpty', params: undefined }],
    })
  })

  test('is refused to whoever may not see persons', async () => {
    const guest = await world.session({ park: site.park, permissions: ['access', 'access.record'] })
    expect((await fetchFor(guest, {})).status).toBe(403)
  })
})

describe('fifty thousand', () => {
  let site: Site
  beforeAll(async () => {
    site = await world.addPark()
    // Texts that cannot be compressed: the data in transit exceeds every buffer between server and reader.
    await insertPersons(site, SERVER_EXPORT_RECORDS, "(SELECT string_agg(md5(number || '-' || part), '') FROM generate_series(1, 24) part)")
  })
  const progressOf = (id: string) => site.call(exportProgress, { query: { id } })

  test(
    'are more than a browser would export by itself, and leave as they are read: who does not take them holds them up [BEH-184]',
    { tags: 'extended' },
    async () => {
      expect(SERVER_EXPORT_RECORDS).toBeGreaterThan(CLIENT_EXPORT_ROWS)
      const id = `progress-${++number}`
      const response = await fetchFor(site.client, { format: 'csv', progress: id })
      const reader = response.body!.getReader()
      expect((await reader.read()).done).toBe(false)
      // The rest is not read: the server stops reading rows once the buffers between the two are full.
      let before = -1
      const openReads = await until('the reading to stand still', async () => {
        const { written } = (await progressOf(id))!
        const still = written === before
        before = written
        return still && written
      })
      expect(openReads).toBeGreaterThan(0)
      expect(openReads).toBeLessThan(SERVER_EXPORT_RECORDS / 2)
      expect(await progressOf(id)).toMatchObject({ total: SERVER_EXPORT_RECORDS })
      // Other users cannot see it.
      expect(await (await world.session({ park: site.park })).call(exportProgress, { query: { id } })).toBeNull()

      let lines = 0
      for (let part = await reader.read(); !part.done; part = await reader.read()) for (const byte of part.value) if (byte === 10) lines++
      expect(lines).toBeGreaterThan(SERVER_EXPORT_RECORDS - 5_000)
      expect(await until('the progress to be gone', async () => (await progressOf(id)) === null)).toBe(true)
    },
  )

  test('whoever breaks off is read nothing more for', async () => {
    const id = `progress-${++number}`
    const abort = new AbortController()
    const noted = async () =>
      (
        await sql<{
          count: number
        }>`SELECT coalesce(sum(cardinality(subjects)), 0)::integer AS count FROM read_log WHERE park_id = ${site.park.id}`.execute(
          world.server.platform.db,
        )
      ).rows[0]!.count
    await world.server.platform.audit.settled()
    const before = await noted()
    const response = await fetchFor(site.client, { format: 'csv', progress: id }, { signal: abort.signal })
    await response.body!.getReader().read()
    abort.abort()
    await until('the progress to be gone', async () => (await progressOf(id)) === null)
    await world.server.platform.audit.settled()
    expect((await noted()) - before).toBeLessThan(SERVER_EXPORT_RECORDS / 2)
  })

  test('come in the order of the list, each once, whatever it is sorted by', async () => {
    const some = await world.addPark()
    await insertPersons(some, 2_500)
    for (const sort of ['createdAt', 'name', 'workNumber', 'validTo']) {
      for (const order of ['asc', 'desc']) {
        const rows = recordsOf(await csvFor(some.client, { sort, order }))
        expect(rows, `${sort} ${order}`).toHaveLength(2_500)
        expect(new Set(rows.map((row) => row['Name'])).size, `${sort} ${order}`).toBe(2_500)
        const first = await some.call(peopleCalls.list, { query: { sort: sort as 'name', order: order as 'asc', size: 100 } })
        expect(
          rows.slice(0, 100).map((row) => row['Name']),
          `${sort} ${order}`,
        ).toEqual(first.content.map(({ name }) => name))
        const last = await some.call(peopleCalls.list, { query: { sort: sort as 'name', order: order as 'asc', size: 100, page: 25 } })
        expect(
          rows.slice(-100).map((row) => row['Name']),
          `${sort} ${order}`,
        ).toEqual(last.content.map(({ name }) => name))
      }
    }
  })

  test(
    'make an Excel file that opens again with all of them, and one more is refused with a sentence',
    { tags: 'extended', timeout: 240_000 },
    async () => {
      const { rows } = await sheetFor(site.client)
      expect(rows).toHaveLength(SERVER_EXPORT_RECORDS + 1)
      expect(new Set(rows.slice(1).map(([name]) => name!.value)).size).toBe(SERVER_EXPORT_RECORDS)
      await site.person({ name: 'One too many' })
      expect(await refusalOf(site.client)).toEqual({
        status: 400,
        fields: [{ rule: 'exportTooMany', params: { limit: SERVER_EXPORT_RECORDS } }],
      })
      expect(namesIn(await csvFor(site.client, { name: 'One too many' }))).toEqual(['One too many'])
    },
  )
})

/** Whether LibreOffice is installed on this machine. */
function hasLibreOffice(): boolean {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.skipIf(!hasLibreOffice())(
  'LibreOffice opens it',
  async () => {
    const site = await world.addPark()
    await site.person({ name: '王小明', workNumber: '0042', remark: '=1+1' })
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-export-'))
    try {
      const response = await fetchFor(site.client, {})
      writeFileSync(join(folder, 'persons.xlsx'), new Uint8Array(await response.arrayBuffer()))
      execFileSync(
        'soffice',
        ['--headless', '--convert-to', 'csv:Text - txt - csv (StarCalc):44,34,76', '--outdir', folder, join(folder, 'persons.xlsx')],
        { stdio: 'ignore' },
      )
      const text = readFileSync(join(folder, 'persons.csv'), 'utf8')
      expect(text).toContain('王小明')
      expect(text).toContain('0042')
      expect(text).toContain('=1+1')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  120_000,
)
