import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf, csvRowsOf, csvTextOf, fileSizeIssue } from './files.ts'

const MEBIBYTE = 1_048_576
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

test('a file of more than 50 MB is not imported [VAL-216]', () => {
  expect(fileSizeIssue('import', 50 * MEBIBYTE)).toBeNull()
  expect(fileSizeIssue('import', 50 * MEBIBYTE + 1)).toEqual({ path: 'file', rule: 'max.file', params: { limit: 50 * MEBIBYTE } })
})

test('a zip file has at most 300 MB [VAL-217]', () => {
  expect(fileSizeIssue('zip', 300 * MEBIBYTE)).toBeNull()
  expect(fileSizeIssue('zip', 300 * MEBIBYTE + 1)).toMatchObject({ rule: 'max.file', params: { limit: 300 * MEBIBYTE } })
})

test('a CSV file is read only as UTF-8 with a byte-order mark [VAL-218]', () => {
  expect(csvTextOf(bytesOf('\uFEFF名字'))).toBe('名字')
  expect(csvTextOf(bytesOf('名字'))).toBeNull()
  // GB 18030 after the byte-order mark of UTF-8.
  expect(csvTextOf(new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xfb, 0xd7, 0xd6]))).toBeNull()
  expect(csvTextOf(new Uint8Array([0xef, 0xbb]))).toBeNull()
})

test('cells hold commas, quotes and line ends; lines end either way', () => {
  expect(csvRowsOf('a,"b, ""c""\nd"\r\n\r\ne,f\n')).toEqual([
    ['a', 'b, "c"\nd'],
    ['e', 'f'],
  ])
  expect(csvRowsOf('last,line')).toEqual([['last', 'line']])
})

test('no cell is a formula to a spreadsheet program, and all come back as they were', () => {
  expect(csvOf([['=1+1', '-1', '@x']])).toBe("\uFEFF'=1+1,-1,'@x\r\n")
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '=', '-', '+', '@', '\t', '1', '字', ' ') })
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          cell.map((text) => `x${text}`),
          cell,
        ),
        { minLength: 1 },
      ),
      (rows) => {
        expect(csvRowsOf(csvTextOf(bytesOf(csvOf(rows)))!)).toEqual(rows)
      },
    ),
  )
})
