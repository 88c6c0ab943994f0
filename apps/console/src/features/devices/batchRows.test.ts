import { expect, test } from 'vitest'
import { DEVICES_ADDED_AT_ONCE } from '@gatehouse/contract'
import { emptyRow, rowsOf, withPasted } from './batchRows.ts'

const named = (name: string, code = '') => ({ ...emptyRow(), name, code })

test('rows of a spreadsheet become names and codes; one cell stays what it is', () => {
  expect(rowsOf('East 1\tE-1\r\nEast 2\tE-2\r\n\r\n')).toEqual([
    { name: 'East 1', code: 'E-1' },
    { name: 'East 2', code: 'E-2' },
  ])
  expect(rowsOf('East 1, E-1\nEast 2')).toEqual([
    { name: 'East 1', code: 'E-1' },
    { name: 'East 2', code: '' },
  ])
  expect(rowsOf('东门，E-1\n西门，E-2')).toEqual([
    { name: '东门', code: 'E-1' },
    { name: '西门', code: 'E-2' },
  ])
  expect(rowsOf('East gate\n')).toBeNull()
})

test('pasted rows fill empty ones, keep what was typed and say how many found no room', () => {
  const typed = named('Typed', 'T-1')
  const { rows, leftOut } = withPasted(
    [typed, { ...emptyRow(), type: 4 }, named('After', 'A-1')],
    1,
    [
      { name: 'One', code: '1' },
      { name: 'Two', code: '2' },
    ],
    DEVICES_ADDED_AT_ONCE,
  )
  expect(rows.map(({ name }) => name)).toEqual(['Typed', 'One', 'Two', 'After'])
  expect(rows.map(({ type }) => type)).toEqual([3, 4, 4, 3])
  expect(leftOut).toBe(0)
  const many = Array.from({ length: 12 }, (_, at) => ({ name: `Many ${at}`, code: String(at) }))
  const full = withPasted([typed], 1, many, DEVICES_ADDED_AT_ONCE)
  expect([full.rows.length, full.leftOut]).toEqual([10, 3])
})
