/**
 * The maximum cost of a spreadsheet: files designed to take long are read in a number of steps proportional to their bytes, and the steps
 * are counted correctly.
 */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CSV_BYTE_ORDER_MARK } from '@gatehouse/contract'
import { blocksEntered } from '../../../../../tests/support/blocks-entered.ts'
import { createSteps, Unreadable } from '../../platform/documents/parser.ts'
import { fileOf } from '../../platform/http/received-file.ts'
import { parse } from '../../platform/documents/sheet-parser.ts'
import { zipOf } from './testing/files.ts'

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PARTS = { worksheet: 'xl/worksheets/sheet1.xml', styles: 'xl/styles.xml', sharedStrings: 'xl/sharedStrings.xml' }
type Parts = Partial<Record<keyof typeof PARTS | 'workbook', string>>

/** Return a workbook of these parts, and the bytes it unpacks to. */
function workbookOf({
  workbook = '<workbook xmlns:r="r"><sheets><sheet name="x" r:id="worksheet"/></sheets></workbook>',
  ...parts
}: Parts) {
  const related = Object.entries(PARTS).map(([id, path]) => `<Relationship Id="${id}" Type="${RELATIONS}/${id}" Target="/${path}"/>`)
  const texts: Record<string, string> = {
    'xl/workbook.xml': workbook,
    'xl/_rels/workbook.xml.rels': `<Relationships>${related.join('')}</Relationships>`,
    [PARTS.worksheet]: '<worksheet><sheetData><row><c s="1"><v>46000</v></c></row></sheetData></worksheet>',
    ...Object.fromEntries(Object.entries(parts).map(([part, text]) => [PARTS[part as keyof typeof PARTS], text])),
  }
  const files = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text), deflate: true }))
  return { bytes: zipOf(files), unpacked: files.reduce((sum, { bytes }) => sum + bytes.length, 0) }
}

/** Return the steps a file takes, its refusal, and how much of it was read. */
async function looked(bytes: Uint8Array) {
  const steps = createSteps(2 ** 30)
  let [rows, cells] = [0, 0]
  try {
    for await (const piece of parse(fileOf(bytes), { cellMax: 300 }, steps)) {
      rows += piece.length
      cells = Math.max(cells, ...piece.map((row) => row.cells.length))
    }
    return { steps: steps.spent, told: null, rows, cells }
  } catch (error) {
    if (error instanceof Unreadable) return { steps: steps.spent, told: error.reason, rows, cells }
    throw error
  }
}

const bracketed = (count: number, length: number): string => {
  const formats = Array.from({ length: count }, (_, at) => `<numFmt numFmtId="${170 + at}" formatCode="${'['.repeat(length)}"/>`)
  const styles = Array.from({ length: count }, (_, at) => `<xf numFmtId="${170 + at}"/>`)
  return `<styleSheet><numFmts>${formats.join('')}</numFmts><cellXfs><xf/>${styles.join('')}</cellXfs></styleSheet>`
}

/** Maximum steps for each byte of a workbook: a row of one cell in its last column takes as many as any other. */
const PER_BYTE = 15

describe('the steps of a spreadsheet', () => {
  test('formats of brackets that never close are looked at as far as a format is long, each once', async () => {
    for (const [count, length] of [
      [4, 60_000],
      [5000, 300],
      [1, 65_000],
    ] as const) {
      const { bytes, unpacked } = workbookOf({ styles: bracketed(count, length) })
      expect(await looked(bytes)).toEqual({
        steps: expect.toSatisfy((steps: number) => steps < 2 * unpacked),
        told: null,
        rows: 1,
        cells: 1,
      })
    }
    // The same format in each of a hundred thousand styles.
    const many = workbookOf({
      styles:
        `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${'"'.repeat(255)}"/></numFmts>` +
        `<cellXfs>${'<xf numFmtId="170"/>'.repeat(100_000)}</cellXfs></styleSheet>`,
    })
    expect((await looked(many.bytes)).steps).toBeLessThan(2 * many.unpacked)
  })

  test('are as many as its bytes, whatever it is made of', async () => {
    const count = fc.constantFrom(1, 100, 20_000)
    const sheet = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
    const parts = fc.oneof(
      fc
        .tuple(count, fc.constantFrom(1, 255, 65_000))
        .map(([formats, length]): Parts => ({ styles: bracketed(Math.min(formats, 2000), Math.ceil(length / formats)) })),
      count.map((depth): Parts => ({ worksheet: '<a>'.repeat(depth) })),
      count.map((depth): Parts => ({ worksheet: '<a>'.repeat(depth) + '</b>'.repeat(depth) })),
      count.map((tags): Parts => ({ worksheet: sheet('</b>'.repeat(tags)) })),
      count.map((names): Parts => ({ worksheet: sheet(`<row ${Array.from({ length: names }, (_, at) => `a${at}=""`).join(' ')}/>`) })),
      count.map((texts): Parts => ({ sharedStrings: `<sst>${'<si><t>x</t></si>'.repeat(texts)}</sst>` })),
      count.map((texts): Parts => ({ sharedStrings: `<sst><si>${'<r><t>&amp;_x0041_</t></r>'.repeat(texts)}</si></sst>` })),
      count.map((rows): Parts => ({ worksheet: sheet('<row><c r="SF1"/></row>'.repeat(rows)) })),
      count.map((rows): Parts => ({ worksheet: sheet('<row><c r="SF1" t="str"><v>x</v></c></row>'.repeat(rows)) })),
      count.map((cells): Parts => ({ worksheet: sheet(`<row>${'<c r="A1" t="str"><v>x</v></c>'.repeat(cells)}</row>`) })),
      count.map((digits): Parts => ({ worksheet: sheet(`<row><c><v>${'9'.repeat(digits)}.${'1.'.repeat(digits)}</v></c></row>`) })),
      count.map((entities): Parts => ({ worksheet: sheet(`<row><c t="str"><v>${'&#65;'.repeat(entities)}</v></c></row>`) })),
      count.map((sheets): Parts => ({ workbook: `<workbook><sheets>${'<sheet state="hidden"/>'.repeat(sheets)}</sheets></workbook>` })),
      count.map((marks): Parts => ({ worksheet: `<!DOCTYPE a [${'<!ENTITY a "b">'.repeat(marks)}]>${sheet('')}` })),
      count.map((marks): Parts => ({ worksheet: `${'<!-- -->'.repeat(marks)}${'<?a b?>'.repeat(marks)}${sheet('')}` })),
    )
    await fc.assert(
      fc.asyncProperty(parts, async (made) => {
        const { bytes, unpacked } = workbookOf(made)
        const { steps, cells } = await looked(bytes)
        expect(steps).toBeLessThan(PER_BYTE * unpacked)
        expect(cells).toBeLessThanOrEqual(500)
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['a cell', `<worksheet><sheetData><row><c t="str"><v>${' '.repeat(8_000_000)}</v></c></row></sheetData></worksheet>`],
    ['the room between tags', `<worksheet><sheetData>${'\n'.repeat(8_000_000)}<row/></sheetData></worksheet>`],
  ])('end early where %s holds more than any of Excel’s', async (_, worksheet) => {
    const { told, steps } = await looked(workbookOf({ worksheet }).bytes)
    expect(told).toBe('sheetTooLarge')
    expect(steps).toBeLessThan(2_000_000)
  })

  test('of a text file are its characters, and rows end where no spreadsheet goes on', async () => {
    for (const text of [
      ','.repeat(1_000_000),
      'name,'.repeat(200_000),
      '"'.repeat(1_000_000),
      '""'.repeat(500_000),
      '(\n'.repeat(500_000),
      '='.repeat(1_000_000),
    ]) {
      const { steps, cells } = await looked(Buffer.from(CSV_BYTE_ORDER_MARK + text))
      expect(steps).toBeLessThanOrEqual(text.length)
      expect(cells).toBeLessThanOrEqual(500)
    }
  })

  test('are what it really does: no code of it is entered much more often than it says', { tags: 'extended' }, async () => {
    const times = (count: number, text: string): string => text.repeat(count)
    const files: Record<string, { bytes: Uint8Array }> = {
      formats: workbookOf({ styles: bracketed(4, 60_000) }),
      'many formats': workbookOf({ styles: bracketed(2000, 255) }),
      'closed in vain': workbookOf({ worksheet: times(60, '<a>') + times(20_000, '</b>') }),
      'nested without end': workbookOf({ worksheet: times(50_000, '<a>') + times(50_000, '</b>') }),
      'wide and empty': workbookOf({
        worksheet: `<worksheet><sheetData>${times(5000, '<row><c r="SF1"/></row>')}</sheetData></worksheet>`,
      }),
      texts: workbookOf({ sharedStrings: `<sst>${times(5000, '<si><t>x</t></si>')}</sst>` }),
      commas: { bytes: Buffer.from(CSV_BYTE_ORDER_MARK + times(100_000, ',')) },
      quotes: { bytes: Buffer.from(CSV_BYTE_ORDER_MARK + times(100_000, '""')) },
      lines: { bytes: Buffer.from(CSV_BYTE_ORDER_MARK + times(50_000, 'a\n')) },
    }
    for (const [name, { bytes }] of Object.entries(files)) {
      let steps = 0
      const entered = await blocksEntered(
        /platform\/(spreadsheet|zip)|documents\/sheet-parser|contract\/src\/files|\/sax\.js/,
        async () => {
          steps = (await looked(bytes)).steps
        },
      )
      expect(entered, name).toBeGreaterThan(100)
      expect(entered / steps, name).toBeLessThan(10)
    }
  })
})
