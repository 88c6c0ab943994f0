/** Spreadsheets that are handed in: workbooks and CSV files, row by row. */
import { csvRows, csvTextOf } from '@gatehouse/contract/files'
import { Unreadable, type Steps } from './parser.ts'
import type { ReadableFile } from '../http/received-file.ts'
import { CELL_CHARACTERS, COLUMNS_MAX, workbookRows, type SheetRow } from './spreadsheet.ts'
import { looksZipped } from './zip-mark.ts'

export type { SheetRow } from './spreadsheet.ts'

interface SheetOptions {
  /** Characters of a cell that are kept. */
  cellMax: number
}

/** Rows and characters of one piece. */
const ROWS = 200
const CHARACTERS = 1_000_000

async function* csvSheet(file: ReadableFile, steps: Steps): AsyncGenerator<SheetRow[]> {
  const text = csvTextOf(await file.read(0, file.size))
  if (text === null) throw new Unreadable(900107)
  steps.spend(text.length)
  let line = 0
  for (const cells of csvRows(text, { columns: COLUMNS_MAX, characters: CELL_CHARACTERS })) yield [{ line: ++line, cells }]
}

async function* sheetOf(file: ReadableFile, steps: Steps): AsyncGenerator<SheetRow[]> {
  const start = await file.read(0, 8)
  // A workbook of Excel as it was before 2007.
  if (start.toString('hex').startsWith('d0cf11e0')) throw new Unreadable('sheetUnreadable')
  yield* looksZipped(start) ? workbookRows(file, steps) : csvSheet(file, steps)
}

/** Rows with their cells trimmed and cut, so many at a time. */
export async function* parse(file: ReadableFile, { cellMax }: SheetOptions, steps: Steps): AsyncGenerator<SheetRow[]> {
  let [piece, characters]: [SheetRow[], number] = [[], 0]
  for await (const rows of sheetOf(file, steps))
    for (const { line, cells } of rows) {
      const cut = cells.map((cell) => cell.trim().slice(0, cellMax))
      piece.push({ line, cells: cut })
      characters += cut.reduce((sum, { length }) => sum + length, 0)
      if (piece.length < ROWS && characters < CHARACTERS) continue
      yield piece
      ;[piece, characters] = [[], 0]
    }
  if (piece.length > 0) yield piece
}
