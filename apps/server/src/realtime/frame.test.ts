/** Frames for readers who see personal data masked, and for others. */
import { expect, test, vi } from 'vitest'
import { FRAME_LIMIT, frameOf } from './frame.ts'

interface Body {
  rows: { id: number; name: string }[]
  more?: number
}
const rowsOf = (count: number, name: string) => Array.from({ length: count }, (_, id) => ({ id, name }))
const masking = (name: string) => vi.fn<(row: unknown) => object>((row) => ({ ...(row as object), name }))
const read = (text: string) => JSON.parse(text) as Body

test('a masked frame carries the same rows with what the mask leaves of them, and counts the same', () => {
  const frame = frameOf(rowsOf(3, 'Zacharias'), 4, masking('Z*s'))
  expect(read(frame.body(2))).toEqual({ rows: rowsOf(3, 'Zacharias'), more: 6 })
  expect(read(frame.body(2, true))).toEqual({ rows: rowsOf(3, 'Z*s'), more: 6 })
})

test('a masked frame keeps the limit of a frame where masked rows are longer, and counts those left out', () => {
  const frame = frameOf(rowsOf(500, 'x'), 10, masking('y'.repeat(300)))
  const [plain, masked] = [frame.body(5), frame.body(5, true)]
  expect(Buffer.byteLength(masked)).toBeLessThanOrEqual(FRAME_LIMIT - 512 + '"more":510'.length + 1)
  for (const text of [plain, masked]) expect(read(text).rows.length + read(text).more!).toBe(515)
  expect(read(masked).rows.length).toBeLessThan(read(plain).rows.length)
})

test('nothing is masked while nobody needs it, and then once for all', () => {
  const mask = masking('*')
  const frame = frameOf(rowsOf(10, 'Zacharias'), 0, mask)
  for (let reader = 0; reader < 5; reader++) frame.body()
  expect(mask).not.toHaveBeenCalled()
  for (let reader = 0; reader < 5; reader++) frame.body(reader, true)
  expect(mask).toHaveBeenCalledTimes(10)
})

test('rows without anything personal are the same for everybody', () => {
  const frame = frameOf(rowsOf(2, 'Gate'))
  expect(frame.body(1, true)).toBe(frame.body(1))
})
