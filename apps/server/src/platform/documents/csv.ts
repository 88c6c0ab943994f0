/** CSV files, written while their rows are read, like Excel files; a cell that would be a formula is escaped (`csvOf`). */
import { Readable } from 'node:stream'
import { CSV_BYTE_ORDER_MARK } from '@gatehouse/contract'
import { csvOf } from '@gatehouse/contract/files'
import { headingOf, wallClock, type CellKind, type Sheet, type SheetClock } from './xlsx.ts'

export const CSV_TYPE = 'text/csv; charset=utf-8'

/** Characters collected before they are written. */
const CHUNK = 65_536

/** Return lines without the byte order mark, which a file contains only at its start. */
const linesOf = (rows: readonly (readonly string[])[]): string => csvOf(rows).slice(CSV_BYTE_ORDER_MARK.length)

/** Characters of `YYYY-MM-DD hh:mm:ss` that are shown for each kind of time. */
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

/** Return a sheet as a file. An error while its rows are read destroys the stream. */
export const csvStreamOf = <Row>(sheet: Sheet<Row>): Readable => Readable.from(csvText(sheet), { objectMode: false, highWaterMark: CHUNK })
