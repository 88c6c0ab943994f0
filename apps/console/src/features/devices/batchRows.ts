/** Rows of the dialog that adds several devices, and their conversion from rows of a spreadsheet. */
import { deviceModel, deviceType } from '@gatehouse/contract/enums/devices'
import type { DeviceValues } from './deviceValues.ts'

export type BatchRow = Pick<DeviceValues, 'name' | 'code' | 'type' | 'model'>

export const emptyRow = (): BatchRow => ({ name: '', code: '', type: deviceType.faceAccessController, model: deviceModel.standard })

/** Return names and codes of pasted rows, whose cells are separated by tabs, commas or semicolons; null for a single cell. */
export function rowsOf(text: string): { name: string; code: string }[] | null {
  if (!/[\t\n;,，]/.test(text.trim())) return null
  return text
    .split(/\r?\n/)
    .map((line) => line.split(/[\t;,，]/).map((cell) => cell.trim()))
    .filter((cells) => cells.some(Boolean))
    .map(([name = '', code = '']) => ({ name, code }))
}

const isEmpty = ({ name, code }: BatchRow): boolean => !name && !code

/**
 * Insert pasted rows at an index, in place of the empty rows from there on, as far as the limit allows. Return all rows, and the number
 * of pasted rows that are left out.
 */
export function withPasted(
  rows: readonly BatchRow[],
  at: number,
  pasted: readonly { name: string; code: string }[],
  most: number,
): { rows: BatchRow[]; leftOut: number } {
  const before = rows.slice(0, at)
  const after = rows.slice(at).filter((row) => !isEmpty(row))
  const model = rows[at] ?? emptyRow()
  const room = Math.max(0, most - before.length - after.length)
  const put = pasted.slice(0, room).map((cells) => ({ ...emptyRow(), type: model.type, model: model.model, ...cells }))
  return { rows: [...before, ...put, ...after], leftOut: pasted.length - put.length }
}
