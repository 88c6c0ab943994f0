/** CSV files, written as they are read, like the Excel ones beside them; a cell that would be a formula is none (`csvOf`). */
import { Readable } from 'node:stream'
import { CSV_BYTE_ORDER_MARK } from '@gatehouse/contract'
import { csvOf } from '@gatehouse/contract/files'
import { headingOf, wallClock, type CellKind, type Sheet, type SheetClock } from './xlsx.ts'

export const CSV_TYPE = 'text/csv; charset=utf-8'

/** Characters gathered before they are handed on. */
const CHUNK = 65_536

/** Without the mark that stands at the beginning of a file once. */
const linesOf = (rows: readonly (readonly string[])[]): string => csvOf(rows).slice(CSV_BYTE_ORDER_MARK.length)

/** Characters of `YYYY-MM-DD hh:mm:ss` that a time of each kind is shown with. */
const SHOWN: Partial<Record<CellKind, number>> = { moment: 19, hour: 16, day: 10, month: 7 }

function cellOf(kind: CellKind, value: string | number | null, clock: SheetClock): string {
  if (value === null || value === '') return ''
  if (kind === 'decimal') return Number.isFinite(Number(value)) ? Number(value).toFixed(1) : String(value)
  const shown = SHOWN[kind]
  if (shown === undefined) return String(value)
  const moment = new Date(wallClock(kind, value, clock))
  if (!Number.isNaN(moment.getTime())) return moment.toISOString().slice(0, shown).replace('T', ' ')
  return typeof value === 'string' ? value : ''
}

async function* csvText<Row>({ columns, rows, clock }: Sheet<Row>): AsyncGenerator<string> {
  let chunk = CSV_BYTE_ORDER_MARK + linesOf([columns.map((column) => headingOf(column, clock))])
  for await (const row of rows) {
    chunk += linesOf([columns.map(({ kind, value }) => cellOf(kind, value(row), clock))])
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** One sheet as a file. A fault while its rows are read destroys the stream. */
export const csvStreamOf = <Row>(sheet: Sheet<Row>): Readable => Readable.from(csvText(sheet), { objectMode: false, highWaterMark: CHUNK })
