/** Rules of uploaded files, the same in the form and on the server. */
import type { FieldIssue } from './envelope.ts'
import { CSV_BYTE_ORDER_MARK, DEVICE_PACKAGE_MAX, IMPORT_FILE_MAX, ZIP_MAX } from './limits.ts'

/** Purpose of an uploaded file. */
export type FileUse = 'import' | 'zip' | 'devicePackage'
const LARGEST: Record<FileUse, number> = { import: IMPORT_FILE_MAX, zip: ZIP_MAX, devicePackage: DEVICE_PACKAGE_MAX }

/** Return the issue of a file that is larger than its use allows; null if it is not. @param bytes size of the file */
export function fileSizeIssue(use: FileUse, bytes: number, path = 'file'): FieldIssue | null {
  return bytes > LARGEST[use] ? { path, rule: 'max.file', params: { limit: LARGEST[use] } } : null
}

const MARK = [0xef, 0xbb, 0xbf]

/**
 * Return the text of a CSV file, without its byte-order mark.
 *
 * @returns null where it is not UTF-8 or lacks the mark: code 900107
 */
export function csvTextOf(bytes: Uint8Array): string | null {
  if (!MARK.every((byte, at) => bytes[at] === byte)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** How much of a CSV text is read if it was written by others. */
export interface CsvLimits {
  /** Cells of a row; further ones are omitted. */
  columns: number
  /** Characters of a cell, approximately: the rest is omitted. */
  characters: number
}

/** Yield the rows of a CSV text (RFC 4180); either kind of line end is accepted, empty lines are omitted. */
export function* csvRows(
  text: string,
  { columns, characters }: CsvLimits = { columns: Infinity, characters: Infinity },
): Generator<string[]> {
  let row: string[] = []
  let cell = ''
  /** Start of the part of the cell that is not in `cell` yet. */
  let from = 0
  let quoted = false
  const take = (to: number): void => {
    if (to > from && cell.length < characters) cell += text.slice(from, Math.min(to, from + characters))
    from = to + 1
  }
  const endCell = (at: number): void => {
    take(at)
    if (row.length < columns) row.push(shownAsText(cell))
    cell = ''
  }
  for (let at = 0; at <= text.length; at++) {
    const character = text[at]
    if (quoted && character !== undefined) {
      if (character !== '"') continue
      take(at)
      // Two quotation marks stand for one.
      if (text[at + 1] === '"') from = ++at
      else quoted = false
    } else if (character === '"' && cell === '' && at === from) {
      quoted = true
      from = at + 1
    } else if (character === ',') endCell(at)
    else if (character === '\r') take(at)
    else if (character === '\n' || character === undefined) {
      endCell(at)
      if (row.some((value) => value !== '')) yield row
      row = []
    }
  }
}

/** Return all rows of a CSV text. */
export const csvRowsOf = (text: string): string[][] => [...csvRows(text)]

/** Whether a spreadsheet program would run a value as a formula, in full-width characters too; numbers are not formulas. */
const isFormula = (value: string): boolean => /^[=+\-@＝＋－＠\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value)
const shownAsText = (value: string): string => (value.startsWith("'") && isFormula(value.slice(1)) ? value.slice(1) : value)

const cellOf = (value: string): string => {
  const text = isFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Return a CSV file that a spreadsheet program reads correctly: with the byte-order mark, and without a cell that it would take for a
 * formula.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  CSV_BYTE_ORDER_MARK + rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
