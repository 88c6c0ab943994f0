/**
 * Excel files, written as they are read: rows come from an iterator and leave as bytes, so a file of fifty thousand lines
 * costs no more memory than one of fifty. Texts are texts: no cell ever holds a formula.
 */
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** `moment`: epoch milliseconds, shown in the sheet's zone; `day`: `YYYY-MM-DD`. */
export type CellKind = 'text' | 'number' | 'moment' | 'day'

export interface SheetColumn<Row> {
  heading: string
  kind: CellKind
  /** In characters. */
  width: number
  /** Nothing is an empty cell. */
  value(row: Row): string | number | null
}

export interface Sheet<Row> {
  name: string
  columns: readonly SheetColumn<Row>[]
  rows: AsyncIterable<Row>
  /** Minutes east of UTC at a moment, for columns of moments. */
  offsetOf(epochMs: number): number
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const CELL_CHARACTERS = 32_767
const SHEET_NAME_CHARACTERS = 31
/** Days from Excel's day 0 to 1970. */
const EPOCH_DAY = 25_569
const DAY = 86_400_000
/** Characters gathered before they are handed on. */
const CHUNK = 65_536

/** Positions in `cellXfs` below. Texts are formatted as text, so that one beginning with = stays one when somebody edits it. */
const STYLE: Record<CellKind | 'heading', number> = { number: 0, text: 1, moment: 2, day: 3, heading: 4 }
const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`

const CONTENT_TYPES = `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SPREADSHEET}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/></Types>`
const ROOT_RELATIONS = `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`
const WORKBOOK_RELATIONS = `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`

/** What XML 1.0 cannot hold at all: most control characters, lone halves of characters, two non-characters. */
const UNPRINTABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

const escaped = (text: string): string => text.replace(UNPRINTABLE, '').replace(/[&<>"\r]/g, (character) => ENTITIES[character]!)

/** A text of a cell; `_x0041_` would be read as a character by its number, so such a beginning is written as one itself. */
const textOf = (text: string): string => escaped(text.slice(0, CELL_CHARACTERS).replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_'))

const textCell = (text: string, style: number): string =>
  `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${textOf(text)}</t></is></c>`

/** A sheet's name without what Excel refuses in one. */
const sheetName = (name: string): string =>
  escaped(
    name
      .replace(/[\\/?*[\]:]/g, ' ')
      .replace(/^'+|'+$/g, '')
      .slice(0, SHEET_NAME_CHARACTERS) || 'Sheet',
  )

function cellOf(kind: CellKind, value: string | number | null, offsetOf: (epochMs: number) => number): string {
  const style = STYLE[kind]
  if (value === null || value === '') return `<c s="${style}"/>`
  if (kind === 'text') return textCell(String(value), style)
  const number =
    kind === 'number'
      ? Number(value)
      : kind === 'day'
        ? Date.parse(`${value}T00:00:00Z`) / DAY + EPOCH_DAY
        : (Number(value) + offsetOf(Number(value)) * 60_000) / DAY + EPOCH_DAY
  return Number.isFinite(number) ? `<c s="${style}"><v>${number}</v></c>` : `<c s="${style}"/>`
}

async function* sheetXml<Row>({ columns, rows, offsetOf }: Sheet<Row>): AsyncGenerator<string> {
  const widths = columns
    .map(({ width, kind }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" style="${STYLE[kind]}" customWidth="1"/>`)
    .join('')
  let chunk = `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths}</cols><sheetData><row>${columns.map(({ heading }) => textCell(heading, STYLE.heading)).join('')}</row>`
  for await (const row of rows) {
    chunk += `<row>${columns.map(({ kind, value }) => cellOf(kind, value(row), offsetOf)).join('')}</row>`
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}</sheetData></worksheet>`
}

/** One sheet as a file. A fault while its rows are read destroys the stream. @param now time of its parts */
export function xlsxOf<Row>(sheet: Sheet<Row>, now: number): Readable {
  const zip = new ZipFile()
  const options = { mtime: new Date(now) }
  const workbook = `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${sheetName(sheet.name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`
  for (const [path, text] of [
    ['[Content_Types].xml', CONTENT_TYPES],
    ['_rels/.rels', ROOT_RELATIONS],
    ['xl/workbook.xml', workbook],
    ['xl/_rels/workbook.xml.rels', WORKBOOK_RELATIONS],
    ['xl/styles.xml', STYLES],
  ] as const)
    zip.addBuffer(Buffer.from(text), path, options)
  const source = Readable.from(sheetXml(sheet), { objectMode: false, highWaterMark: CHUNK })
  zip.addReadStream(source, 'xl/worksheets/sheet1.xml', options)
  zip.end()
  const file = zip.outputStream as Readable
  zip.on('error', (error: Error) => file.destroy(error))
  source.on('error', (error) => file.destroy(error))
  // Whoever breaks off a download ends the reading too.
  file.once('close', () => source.destroy())
  return file
}
