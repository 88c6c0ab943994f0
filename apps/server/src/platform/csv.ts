/** CSV files, written as they are read, like the Excel ones beside them; a cell that would be a formula is none (`csvOf`). */
import { Readable } from 'node:stream'
import { CSV_BYTE_ORDER_MARK } from '@gatehouse/contract'
import { csvOf } from '@gatehouse/contract/files'
import type { CellKind, Sheet } from './xlsx.ts'

export const CSV_TYPE = 'text/csv; charset=utf-8'

/** Characters gathered before they are handed on. */
const CHUNK = 65_536

/** Without the mark that stands at the beginning of a file once. */
const linesOf = (rows: readonly (readonly string[])[]): string => csvOf(rows).slice(CSV_BYTE_ORDER_MARK.length)

/** A moment as the clock on the wall shows it: `YYYY-MM-DD hh:mm`. */
function cellOf(kind: CellKind, value: string | number | null, offsetOf: (epochMs: number) => number): string {
  if (value === null || value === '') return ''
  if (kind !== 'moment') return String(value)
  const moment = new Date(Number(value) + offsetOf(Number(value)) * 60_000)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString().slice(0, 16).replace('T', ' ')
}

async function* csvText<Row>({ columns, rows, offsetOf }: Sheet<Row>): AsyncGenerator<string> {
  let chunk = CSV_BYTE_ORDER_MARK + linesOf([columns.map(({ heading }) => heading)])
  for await (const row of rows) {
    chunk += linesOf([columns.map(({ kind, value }) => cellOf(kind, value(row), offsetOf))])
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** One sheet as a file. A fault while its rows are read destroys the stream. */
export const csvStreamOf = <Row>(sheet: Sheet<Row>): Readable => Readable.from(csvText(sheet), { objectMode: false, highWaterMark: CHUNK })
