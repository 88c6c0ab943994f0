/**
 * Excel files, written while their rows are read: rows come from an iterator and leave as bytes, so a file of fifty thousand lines takes
 * no more memory than one of fifty. Texts are written as texts, never as formulas.
 */
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/**
 * `decimal`: a number with one digit after the point. `moment`: epoch milliseconds, shown to the second on the sheet's clock; `hour`:
 * `YYYY-MM-DDThh` on that clock; `day`: `YYYY-MM-DD`; `month`: `YYYY-MM`. A value that does not match its kind, such as the label of a
 * sum, is written as a text.
 */
export type CellKind = 'text' | 'number' | 'decimal' | 'moment' | 'hour' | 'day' | 'month'

export interface SheetColumn<Row> {
  heading: string
  kind: CellKind
  /** In characters. */
  width: number
  /** Return the value of a row; null or an empty text is an empty cell. */
  value(row: Row): string | number | null
}

/** The clock that a sheet shows moments on. */
export interface SheetClock {
  /** Name in headings: `UTC+08:00`, or the zone where its offset changes. */
  zone: string
  /** Return the minutes east of UTC at a moment. */
  offsetOf(epochMs: number): number
}

export interface Sheet<Row> {
  name: string
  columns: readonly SheetColumn<Row>[]
  rows: AsyncIterable<Row>
  clock: SheetClock
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
/** 1 March 1900: Excel treats 1900 as a leap year, so its earlier days are one off, and it has no dates before that year. */
const FIRST_TRUE_DAY = 61
const SECOND = 1000
const MINUTE = 60_000
const DAY = 86_400_000
/** Characters collected before they are written. */
const CHUNK = 65_536

/** Positions in `cellXfs` below. Texts have the text format, so that one starting with = stays a text when it is edited. */
const STYLE: Record<CellKind | 'heading', number> = { number: 0, text: 1, moment: 2, day: 3, heading: 4, hour: 5, month: 6, decimal: 7 }
const FORMATS = ['yyyy\\-mm\\-dd\\ hh:mm:ss', 'yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm', 'yyyy\\-mm', '0.0']
  .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`)
  .join('')
const STYLES =
  `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="5">${FORMATS}</numFmts>` +
  `<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  `<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
  `<fills count="2"><fill><patternFill patternType="none"/></fill>` +
  `<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>` +
  `<cellStyleXfs count="1"><xf/></cellStyleXfs>` +
  `<cellXfs count="8"><xf/><xf numFmtId="49" applyNumberFormat="1"/>` +
  `<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/>` +
  `<xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/><xf numFmtId="166" applyNumberFormat="1"/>` +
  `<xf numFmtId="167" applyNumberFormat="1"/><xf numFmtId="168" applyNumberFormat="1"/></cellXfs></styleSheet>`

const sheetPath = (number: number): string => `worksheets/sheet${number}.xml`
const numbersOf = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

const contentTypes = (count: number): string =>
  `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
  `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  `<Default Extension="xml" ContentType="application/xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>${numbersOf(count)
    .map((number) => `<Override PartName="/xl/${sheetPath(number)}" ContentType="${SPREADSHEET}.worksheet+xml"/>`)
    .join('')}<Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/></Types>`
const ROOT_RELATIONS =
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`
const workbookRelations = (count: number): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${numbersOf(count)
    .map((number) => `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="${sheetPath(number)}"/>`)
    .join('')}<Relationship Id="rId${count + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`

/** Characters that XML 1.0 cannot contain: most control characters, lone surrogates, two non-characters. */
const UNPRINTABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

const escaped = (text: string): string => text.replace(UNPRINTABLE, '').replace(/[&<>"\r]/g, (character) => ENTITIES[character]!)

/** Return a text of a cell; `_x0041_` would be read as an escaped character, so its underscore is itself escaped. */
const textOf = (text: string): string => escaped(text.slice(0, CELL_CHARACTERS).replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_'))

const textCell = (text: string, style: number): string =>
  `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${textOf(text)}</t></is></c>`

/** Return a sheet's name without characters that Excel refuses. */
const sheetName = (name: string): string =>
  escaped(
    name
      .replace(/[\\/?*[\]:]/g, ' ')
      .replace(/^'+|'+$/g, '')
      .slice(0, SHEET_NAME_CHARACTERS) || 'Sheet',
  )

/** Return the heading of a column; those of times name the clock. */
export const headingOf = <Row>({ heading, kind }: SheetColumn<Row>, { zone }: SheetClock): string =>
  kind === 'moment' || kind === 'hour' ? `${heading} (${zone})` : heading

/** Suffix that completes a written time of each kind to an ISO 8601 moment. */
const REST: Partial<Record<CellKind, string>> = { hour: ':00Z', day: 'T00:00Z', month: '-01T00:00Z' }
/** Checked because `Date.parse` accepts many other texts. */
const WRITTEN = /^\d{4}-\d\d(-\d\d(T\d\d)?)?$/

/** Return the wall-clock time of a value as milliseconds since 1970 on that clock; NaN for a value that is not a time. */
export function wallClock(kind: CellKind, value: string | number, { offsetOf }: SheetClock): number {
  if (kind !== 'moment') return WRITTEN.test(String(value)) ? Date.parse(`${value}${REST[kind]}`) : NaN
  const moment = Math.floor(Number(value) / SECOND) * SECOND
  return Number.isNaN(moment) ? moment : moment + offsetOf(moment) * MINUTE
}

function cellOf(kind: CellKind, value: string | number | null, clock: SheetClock): string {
  const style = STYLE[kind]
  if (value === null || value === '') return `<c s="${style}"/>`
  if (kind === 'text') return textCell(String(value), style)
  const plain = kind === 'number' || kind === 'decimal'
  const number = plain ? Number(value) : wallClock(kind, value, clock) / DAY + EPOCH_DAY
  if (Number.isFinite(number) && (plain || number >= FIRST_TRUE_DAY)) return `<c s="${style}"><v>${number}</v></c>`
  return typeof value === 'string' ? textCell(value, STYLE.text) : `<c s="${style}"/>`
}

async function* sheetXml<Row>({ columns, rows, clock }: Sheet<Row>): AsyncGenerator<string> {
  const widths = columns
    .map(({ width, kind }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" style="${STYLE[kind]}" customWidth="1"/>`)
    .join('')
  let chunk =
    `${DECLARATION}<worksheet xmlns="${MAIN}">` +
    `<sheetViews><sheetView workbookViewId="0">` +
    `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<cols>${widths}</cols><sheetData>` +
    `<row>${columns.map((column) => textCell(headingOf(column, clock), STYLE.heading)).join('')}</row>`
  for await (const row of rows) {
    chunk += `<row>${columns.map(({ kind, value }) => cellOf(kind, value(row), clock)).join('')}</row>`
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}</sheetData></worksheet>`
}

/**
 * Return a sheet as a file, optionally followed by a second one. An error while rows are read destroys the stream.
 * @param now modification time of its parts
 */
export function xlsxOf<Row>(sheet: Sheet<Row>, now: number, behind?: Sheet<readonly string[]>): Readable {
  const zip = new ZipFile()
  const options = { mtime: new Date(now) }
  const names = [sheet.name, ...(behind === undefined ? [] : [behind.name])]
  const sheets = names.map((name, at) => `<sheet name="${sheetName(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')
  const workbook = `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets}</sheets></workbook>`
  for (const [path, text] of [
    ['[Content_Types].xml', contentTypes(names.length)],
    ['_rels/.rels', ROOT_RELATIONS],
    ['xl/workbook.xml', workbook],
    ['xl/_rels/workbook.xml.rels', workbookRelations(names.length)],
    ['xl/styles.xml', STYLES],
  ] as const)
    zip.addBuffer(Buffer.from(text), path, options)
  const sources = [sheetXml(sheet), ...(behind === undefined ? [] : [sheetXml(behind)])].map((xml) =>
    Readable.from(xml, { objectMode: false, highWaterMark: CHUNK }),
  )
  for (const [at, source] of sources.entries()) zip.addReadStream(source, `xl/${sheetPath(at + 1)}`, options)
  zip.end()
  const file = zip.outputStream as Readable
  zip.on('error', (error: Error) => file.destroy(error))
  for (const source of sources) {
    source.on('error', (error) => file.destroy(error))
    // An aborted download ends the reading too.
    file.once('close', () => source.destroy())
  }
  return file
}
