/**
 * Spreadsheets as people hand them in, read row by row: a workbook of Excel or its kin, the first sheet that is shown. What
 * is read is text as the person saw it: dates as dates, numbers as they are written, texts with their leading zeros.
 */
import type { Readable } from 'node:stream'
import sax from 'sax'
import { RandomAccessReader, fromRandomAccessReaderPromise, type Entry, type ZipFile } from 'yauzl'
import type { ReceivedFile } from './received-file.ts'

/** A row that holds something. */
export interface SheetRow {
  /** As the program counts it, from 1. */
  line: number
  /** By column, from 0; empty cells are empty texts, and may be left out at the end. */
  cells: string[]
}

/** The file is no workbook, or one that unpacks to more than is read. */
export class SpreadsheetUnreadable extends Error {
  override readonly name = 'SpreadsheetUnreadable'
  readonly rule: 'sheetUnreadable' | 'sheetTooLarge'
  constructor(rule: SpreadsheetUnreadable['rule'], cause?: unknown) {
    super(rule, { cause })
    this.rule = rule
  }
}

/** Bytes a sheet may unpack to: about two million cells. */
const SHEET_BYTES_MAX = 512 * 1024 * 1024
/** The same of texts, styles and the other parts, which are kept in memory. */
const PART_BYTES_MAX = 96 * 1024 * 1024
const ENTRIES_MAX = 10_000
const COLUMNS_MAX = 500
const CELL_CHARACTERS = 32_767
const DAY = 86_400_000
/** Days from Excel's day 0 to 1970, of the ordinary calendar and of the one that begins in 1904. */
const EPOCH_DAY = { 1900: 25_569, 1904: 24_107 } as const
/** Excel takes 1900 for a leap year: below this day its dates are one off. */
const FIRST_TRUE_DAY = 61

/** Lets a zip reader read a received file where it likes. */
export class ReceivedReader extends RandomAccessReader {
  readonly #file: ReceivedFile
  constructor(file: ReceivedFile) {
    super()
    this.#file = file
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return this.#file.stream(start, end)
  }
}

export const openZip = (file: ReceivedFile): Promise<ZipFile> =>
  fromRandomAccessReaderPromise(new ReceivedReader(file), file.size, {
    lazyEntries: true,
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: true,
  })

/** Whether a file begins as a zip does, an empty one included. */
export const looksZipped = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))

type Tag = { name: string; attributes: Record<string, string> }
const local = (name: string): string => name.slice(name.indexOf(':') + 1)
const attribute = ({ attributes }: Tag, wanted: string): string | undefined =>
  Object.entries(attributes).find(([name]) => local(name) === wanted)?.[1]

interface Listener {
  open?(name: string, tag: Tag): void
  close?(name: string): void
  text?(text: string): void
}

/** Walks through a part; `after` is called behind each piece, and may wait. */
async function walk(zip: ZipFile, entry: Entry, limit: number, listener: Listener, after?: () => Promise<void> | void): Promise<void> {
  if (entry.uncompressedSize > limit) throw new SpreadsheetUnreadable('sheetTooLarge')
  const parser = sax.parser(true, { xmlns: false })
  let fault: unknown = null
  const heard: Pick<sax.SAXParser, 'onerror' | 'onopentag' | 'onclosetag' | 'ontext' | 'oncdata'> = {
    onerror: (error) => void (fault ??= error),
    onopentag: (tag) => listener.open?.(local(tag.name), tag as Tag),
    onclosetag: (name) => listener.close?.(local(name)),
    ontext: (text) => listener.text?.(text),
    oncdata: (text) => listener.text?.(text),
  }
  Object.assign(parser, heard)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const stream = await zip.openReadStreamPromise(entry)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      parser.write(decoder.decode(chunk, { stream: true }))
      if (fault !== null) throw fault
      await after?.()
    }
    parser.write(decoder.decode()).close()
    if (fault !== null) throw fault
  } finally {
    stream.destroy()
  }
  await after?.()
}

const ESCAPED = /_x([0-9A-Fa-f]{4})_/g
const unescaped = (text: string): string =>
  text.includes('_x') ? text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text

/** Collects the texts of `t` elements; those of phonetic runs are how something is read, not what it says. */
function textCollector(): Required<Listener> & { take(): string } {
  let [text, inText, phonetic] = ['', false, 0]
  return {
    open(name) {
      if (name === 'rPh') phonetic++
      if (name === 't') inText = phonetic === 0
    },
    close(name) {
      if (name === 'rPh') phonetic--
      if (name === 't') inText = false
    },
    text(more) {
      if (inText && text.length < CELL_CHARACTERS) text += more
    },
    take() {
      const taken = unescaped(text.slice(0, CELL_CHARACTERS))
      text = ''
      return taken
    },
  }
}

async function sharedTexts(zip: ZipFile, entry: Entry | undefined): Promise<string[]> {
  const texts: string[] = []
  if (entry === undefined) return texts
  const collector = textCollector()
  await walk(zip, entry, PART_BYTES_MAX, {
    ...collector,
    close(name) {
      collector.close(name)
      if (name === 'si') texts.push(collector.take())
    },
  })
  return texts
}

type Shown = 'number' | 'day' | 'moment' | 'time'

/** Formats that every program knows by number. */
const BUILT_IN = (id: number): Shown =>
  id === 22
    ? 'moment'
    : (id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)
      ? 'day'
      : (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)
        ? 'time'
        : 'number'

/** How a number of this format is shown: texts in quotes and brackets are no letters of it. */
function shownBy(code: string): Shown {
  const letters = code
    .replace(/"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]|[_*]./gi, '')
    .split(';')[0]!
    .toLowerCase()
  const [day, time] = [/[yde]/.test(letters) && !/e[+-]/.test(letters), /[hs]/.test(letters)]
  return day && time ? 'moment' : day ? 'day' : time ? 'time' : /^m+$/.test(letters) ? 'day' : 'number'
}

async function formats(zip: ZipFile, entry: Entry | undefined): Promise<Shown[]> {
  const shown: Shown[] = []
  if (entry === undefined) return shown
  const own = new Map<number, Shown>()
  let inCells = false
  await walk(zip, entry, PART_BYTES_MAX, {
    open(name, tag) {
      if (name === 'numFmt') own.set(Number(attribute(tag, 'numFmtId')), shownBy(attribute(tag, 'formatCode') ?? ''))
      if (name === 'cellXfs') inCells = true
      const id = Number(attribute(tag, 'numFmtId') ?? 0)
      if (inCells && name === 'xf') shown.push(own.get(id) ?? BUILT_IN(id))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return shown
}

const two = (number: number): string => String(number).padStart(2, '0')

/** A number of a sheet as the person saw it: `1001`, `2026-03-31`, `2026-03-31 08:30`. */
function textOfNumber(raw: string, shown: Shown, epoch: keyof typeof EPOCH_DAY): string {
  const number = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(number)) return raw
  if (shown !== 'number' && number >= 0 && number < 2_958_466) {
    const off = epoch === 1900 && number < FIRST_TRUE_DAY ? 1 : 0
    const moment = new Date(Math.round((number + off - EPOCH_DAY[epoch]) * 86_400) * 1000)
    const [day, time] = [moment.toISOString().slice(0, 10), `${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())}`]
    const seconds = moment.getUTCSeconds()
    const clock = seconds === 0 ? time : `${time}:${two(seconds)}`
    if (number < 1 && shown !== 'day') return clock
    return shown === 'day' || moment.getTime() % DAY === 0 ? day : `${day} ${clock}`
  }
  if (Number.isInteger(number)) return BigInt(number).toString()
  // What a program shows has fifteen digits; the sixteenth is an artefact of its arithmetic.
  return String(Number(number.toPrecision(15)))
}

/** `BC12` → 54; -1 where it names no column. */
function columnOf(reference: string | undefined): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference ?? '')?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** Where parts lie that are named from a part: `xl/workbook.xml` and `worksheets/a.xml`. */
function resolved(from: string, target: string): string {
  const path = target.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  }
  return path.join('/')
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  if (zip.entryCount > ENTRIES_MAX) throw new SpreadsheetUnreadable('sheetTooLarge')
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileNameRaw.toString('utf8').replaceAll('\\', '/').replace(/^\//, '').toLowerCase(), entry)
  return entries
}

async function relationsOf(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  part: string,
): Promise<Map<string, { type: string; path: string }>> {
  const relations = new Map<string, { type: string; path: string }>()
  const folder = part.split('/').slice(0, -1)
  const entry = entries.get([...folder, '_rels', `${part.split('/').at(-1)!}.rels`].join('/').toLowerCase())
  if (entry === undefined) return relations
  await walk(zip, entry, PART_BYTES_MAX, {
    open(name, tag) {
      const [id, type, target] = ['Id', 'Type', 'Target'].map((wanted) => attribute(tag, wanted))
      if (name === 'Relationship' && id !== undefined && target !== undefined)
        relations.set(id, { type: (type ?? '').split('/').at(-1)!, path: resolved(part, target).toLowerCase() })
    },
  })
  return relations
}

interface Workbook {
  sheet: Entry
  texts: string[]
  shown: Shown[]
  epoch: keyof typeof EPOCH_DAY
}

async function workbookOf(zip: ZipFile): Promise<Workbook> {
  const entries = await entriesOf(zip)
  const root = [...(await relationsOf(zip, entries, '')).values()].find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const book = entries.get(root)
  if (book === undefined) throw new SpreadsheetUnreadable('sheetUnreadable')
  const relations = await relationsOf(zip, entries, root)
  let [epoch, sheetPath]: [keyof typeof EPOCH_DAY, string | undefined] = [1900, undefined]
  await walk(zip, book, PART_BYTES_MAX, {
    open(name, tag) {
      if (name === 'workbookPr' && ['1', 'true'].includes(attribute(tag, 'date1904') ?? '')) epoch = 1904
      // `sheetId` ends like the reference to the part.
      const reference = Object.entries(tag.attributes).find(([key]) => key.includes(':') && local(key) === 'id')?.[1]
      if (name === 'sheet' && (attribute(tag, 'state') ?? 'visible') === 'visible') sheetPath ??= relations.get(reference ?? '')?.path
    },
  })
  const part = (type: string) => entries.get([...relations.values()].find((one) => one.type === type)?.path ?? '')
  const sheet = entries.get(sheetPath ?? 'xl/worksheets/sheet1.xml')
  if (sheet === undefined) throw new SpreadsheetUnreadable('sheetUnreadable')
  return { sheet, epoch, texts: await sharedTexts(zip, part('sharedStrings')), shown: await formats(zip, part('styles')) }
}

/**
 * Reads the rows of a workbook, a piece at a time. Rows that hold nothing are passed over.
 * @throws SpreadsheetUnreadable, at whichever row; whatever `take` throws
 */
export async function readWorkbook(file: ReceivedFile, take: (rows: SheetRow[]) => Promise<void>): Promise<void> {
  let zip: ZipFile | null = null
  let taking = false
  try {
    zip = await openZip(file)
    const { sheet, texts, shown, epoch } = await workbookOf(zip)
    const collector = textCollector()
    let rows: SheetRow[] = []
    let row: SheetRow = { line: 0, cells: [] }
    let [column, type, style, value, inValue] = [-1, 'n', 0, '', false]
    const cellText = (): string => {
      const inline = collector.take()
      if (type === 's') return texts[Number(value)] ?? ''
      if (type === 'inlineStr') return inline
      if (type === 'str') return unescaped(value)
      if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
      if (type === 'd') return value.replace('T', ' ').replace(/(\.\d+)?Z?$/, '')
      return type === 'e' ? value : textOfNumber(value, shown[style] ?? 'number', epoch)
    }
    await walk(
      zip,
      sheet,
      SHEET_BYTES_MAX,
      {
        open(name, tag) {
          collector.open(name, tag)
          if (name === 'row') {
            row = { line: Number(attribute(tag, 'r')) || row.line + 1, cells: [] }
            column = -1
          }
          if (name === 'c') {
            const named = columnOf(attribute(tag, 'r'))
            column = named < 0 ? column + 1 : named
            type = attribute(tag, 't') ?? 'n'
            style = Number(attribute(tag, 's') ?? 0)
            value = ''
          }
          if (name === 'v') inValue = true
        },
        close(name) {
          collector.close(name)
          if (name === 'v') inValue = false
          if (name === 'c' && column < COLUMNS_MAX) {
            const text = cellText()
            while (row.cells.length < column) row.cells.push('')
            row.cells[column] = text
          }
          if (name === 'row' && row.cells.some((cell) => cell.trim() !== '')) rows.push(row)
        },
        text(text) {
          collector.text(text)
          if (inValue && value.length < CELL_CHARACTERS) value += text
        },
      },
      async () => {
        if (rows.length === 0) return
        const taken = rows
        rows = []
        taking = true
        await take(taken)
        taking = false
      },
    )
  } catch (error) {
    if (taking || error instanceof SpreadsheetUnreadable) throw error
    throw new SpreadsheetUnreadable('sheetUnreadable', error)
  } finally {
    zip?.close()
  }
}
