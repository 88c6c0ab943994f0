/** Excel files, read back with a separate zip library. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import { csvStreamOf } from './csv.ts'
import { readXlsx } from './testing/xlsx.ts'
import { xlsxOf, type SheetColumn } from './xlsx.ts'

interface Line {
  text: string
  number: number | null
  moment: number | null
  day: string | null
}
const columns: SheetColumn<Line>[] = [
  { heading: 'Text', kind: 'text', width: 20, value: ({ text }) => text },
  { heading: 'Number & more', kind: 'number', width: 10, value: ({ number }) => number },
  { heading: 'Moment', kind: 'moment', width: 18, value: ({ moment }) => moment },
  { heading: 'Day', kind: 'day', width: 12, value: ({ day }) => day },
]
const NOW = Date.UTC(2026, 10, 21, 4)
const SHANGHAI = { zone: 'UTC+08:00', offsetOf: () => 480 }
const EMPTY: Line = { text: '', number: null, moment: null, day: null }

async function* of<T>(rows: Iterable<T>): AsyncGenerator<T> {
  for (const row of rows) yield row
}
const fileOf = (rows: AsyncIterable<Line>, name = 'Lines') => xlsxOf({ name, columns, rows, clock: SHANGHAI }, NOW)
const written = async (rows: readonly Partial<Line>[], name?: string) =>
  readXlsx(await buffer(fileOf(of(rows.map((row) => ({ ...EMPTY, ...row }))), name)))
const textsOf = async (...texts: string[]) => (await written(texts.map((text) => ({ text })))).rows.slice(1).map(([cell]) => cell!.value)

test('numbers, moments and days are numbers that carry a format, an absent value is an empty cell', async () => {
  const { rows } = await written([{ number: -1.5, moment: Date.UTC(2026, 0, 1, 16), day: '2026-01-02' }, {}])
  expect(rows[0]!.map(({ value }) => value)).toEqual(['Text', 'Number & more', 'Moment (UTC+08:00)', 'Day'])
  // 2 January 2026 is day 46,024 since the end of 1899; sixteen o'clock in UTC is its beginning eight hours east.
  expect(rows[1]!.map(({ value }) => value)).toEqual([null, -1.5, 46_024, 46_024])
  const [, number, moment, day] = rows[1]!.map(({ style }) => style)
  expect(new Set([number, moment, day]).size).toBe(3)
  expect(rows[2]!.map(({ value }) => value)).toEqual([null, null, null, null])
})

test('times are shown to the second, hours, months and decimals by their formats, and what is none of them stays a text', async () => {
  const times: SheetColumn<readonly (string | number | null)[]>[] = (['moment', 'hour', 'month', 'decimal', 'day'] as const).map(
    (kind, at) => ({ heading: kind, kind, width: 20, value: (row) => row[at] ?? null }),
  )
  // 23:59:59.999 is still that day.
  const rows = [
    [Date.UTC(2026, 0, 1, 15, 59, 59, 999), '2026-01-02T05', '2026-01', 36.64, '2026-01-02'],
    ['All', 'All', 'All', '⚠', '1899-12-31'],
  ]
  const sheet = () => ({ name: 'Times', columns: times, rows: of(rows), clock: SHANGHAI })
  const read = await readXlsx(await buffer(xlsxOf(sheet(), NOW)))
  expect(read.rows[0]!.map(({ value }) => value)).toEqual(['moment (UTC+08:00)', 'hour (UTC+08:00)', 'month', 'decimal', 'day'])
  const [moment, hour, ...others] = read.rows[1]!.map(({ value }) => value as number)
  expect([moment, hour].map((day) => Math.round(day! * 86_400))).toEqual([46_024 * 86_400 - 1, 46_024 * 86_400 + 5 * 3600])
  expect(others).toEqual([46_023, 36.64, 46_024])
  expect(read.rows[2]!.map(({ value, style }) => [value, style])).toEqual(['All', 'All', 'All', '⚠', '1899-12-31'].map((text) => [text, 1]))
  const formats = read.parts.get('xl/styles.xml')!
  const codes = new Map(
    [...formats.matchAll(/numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code!.replaceAll('\\', '')]),
  )
  const styles = [.../<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(formats)![1]!.matchAll(/<xf[^>]*>/g)].map(
    ([xf]) => /numFmtId="(\d+)"/.exec(xf)?.[1],
  )
  expect(read.rows[1]!.map(({ style }) => codes.get(styles[style]))).toEqual([
    'yyyy-mm-dd hh:mm:ss',
    'yyyy-mm-dd hh:mm',
    'yyyy-mm',
    '0.0',
    'yyyy-mm-dd',
  ])
  // As in the file: numbers, which have no type of their own, with the position of their format.
  expect(/<row><c s="\d"><v>46023\.99/.test(read.parts.get('xl/worksheets/sheet1.xml')!)).toBe(true)
  expect(csvRowsOf(csvTextOf(await buffer(csvStreamOf(sheet())))!).slice(1)).toEqual([
    ['2026-01-01 23:59:59', '2026-01-02 05:00', '2026-01', '36.6', '2026-01-02'],
    ['All', 'All', 'All', '⚠', '1899-12-31'],
  ])
})

test('another sheet stands behind the first one', async () => {
  const notes = [{ heading: 'Note', kind: 'text' as const, width: 20, value: ([note]: readonly string[]) => note ?? null }]
  const behind = { name: 'Notes', columns: notes, rows: of([['Read me']]), clock: SHANGHAI }
  const { parts } = await readXlsx(await buffer(xlsxOf({ name: 'Lines', columns, rows: of([EMPTY]), clock: SHANGHAI }, NOW, behind)))
  expect([...parts.get('xl/workbook.xml')!.matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name)).toEqual(['Lines', 'Notes'])
  expect(parts.get('xl/worksheets/sheet2.xml')).toContain('Read me')
  expect(parts.get('[Content_Types].xml')).toContain('/xl/worksheets/sheet2.xml')
})

describe('a text stays the text it is', () => {
  test('where it begins like a formula', async () => {
    const dangerous = ['=1+1', "=cmd|' /C calc'!A0", '+1', '-1', '@SUM(A1)', '\t=1', '=HYPERLINK("http://example.org","x")']
    const { rows, parts } = await written(dangerous.map((text) => ({ text })))
    expect(rows.slice(1).map(([cell]) => cell)).toEqual(dangerous.map((value) => ({ value, style: 1, formula: false })))
    // Format 49 is text: such a cell stays a text when it is edited.
    expect(/<cellXfs[^>]*><xf\/><xf numFmtId="49"/.test(parts.get('xl/styles.xml')!)).toBe(true)
  })
  test('where it looks like mark-up, an escape or a number', async () => {
    const texts = [
      '<b>&amp;"\'</b>',
      ']]>',
      '_x0041_',
      '_x005F_x0041_',
      '007',
      '1e5',
      ' two  blanks ',
      'line\nbreak',
      'line\r\nbreak',
      '王小明 🚪',
    ]
    expect(await textsOf(...texts)).toEqual(texts)
  })
  test('but for what no file can hold', async () => {
    expect(await textsOf('a\u0000b\u001Fc', 'a\uD800b', 'a\uDC00b', 'x'.repeat(40_000))).toEqual(['abc', 'ab', 'ab', 'x'.repeat(32_767)])
  })
})

test('a sheet has a name that is allowed in one', async () => {
  expect((await written([], "'A/B: [C]*?'")).name).toBe('A B   C   ')
  expect((await written([], 'x'.repeat(40))).name).toHaveLength(31)
  expect((await written([], '')).name).toBe('Sheet')
})

test('rows are read as the file is taken, never all at once', async () => {
  const total = 50_000
  let read = 0
  async function* rows(): AsyncGenerator<Line> {
    // Texts that cannot be made small: else what is read ahead of the compression is a large part of the file.
    for (; read < total; read++)
      yield { ...EMPTY, text: createHash('sha512').update(String(read)).digest('base64'), number: read, moment: NOW }
  }
  const file = fileOf(rows())
  // Nothing is consumed yet, and little is read ahead.
  for (let turns = 0; turns < 1_000; turns++) await turn()
  expect(read).toBeLessThan(total / 2)
  const sheet = await readXlsx(await buffer(file))
  expect(sheet.rows).toHaveLength(total + 1)
  expect(sheet.rows.at(-1)![1]!.value).toBe(total - 1)
})

test('a fault while rows are read breaks the file off instead of ending it', async () => {
  async function* rows(): AsyncGenerator<Line> {
    yield { ...EMPTY, text: 'first' }
    throw new Error('the database is away')
  }
  await expect(buffer(fileOf(rows()))).rejects.toThrow('the database is away')
})

test('who breaks off a download ends the reading', async () => {
  let over = false
  async function* rows(): AsyncGenerator<Line> {
    try {
      for (let number = 0; ; number++) yield { ...EMPTY, text: `Person ${number}`.repeat(20), number: Math.random() }
    } finally {
      over = true
    }
  }
  const file = fileOf(rows())
  let bytes = 0
  for await (const chunk of file) if ((bytes += (chunk as Buffer).length) > 200_000) break
  for (let turns = 0; turns < 1_000 && !over; turns++) await turn()
  expect(over).toBe(true)
})
