/** Spreadsheets that are handed in, as areas read them. */
import { defineParser } from './parser.ts'
import type { parse } from './sheet-parser.ts'

/** Reads workbooks and CSV files, row by row, in the parsing thread. */
export const sheetParser = defineParser<typeof parse>('sheet', new URL('./sheet-parser.ts', import.meta.url), {
  workMs: 120_000,
  ahead: 25,
})
