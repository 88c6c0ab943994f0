/**
 * Uploaded spreadsheets, read row by row: the first visible sheet of a workbook of Excel or a similar program. Cells are read as the text
 * a person saw: dates as dates, numbers as written, texts with their leading zeros.
 */
import sax from 'sax'
import type { Entry, ZipFile } from 'yauzl'
import { Unreadable, type Steps } from './parser.ts'
import type { ReadableFile } from '../http/received-file.ts'
import { shownBy, shownByNumber, textOfNumber, type Epoch, type Shown } from './spreadsheet-numbers.ts'
import { openZip } from './zip.ts'

/** A row that is not empty. */
export interface SheetRow {
  /** Row number of the spreadsheet program, from 1. */
  line: number
  /** By column, from 0; empty cells are empty texts, and may be absent at the end. */
  cells: string[]
}

/** Bytes a sheet may unpack to: about two million cells. */
const SHEET_BYTES_MAX = 512 * 1024 * 1024
/** The same for texts, styles and the other parts, which are kept in memory. */
const PART_BYTES_MAX = 96 * 1024 * 1024
const ENTRIES_MAX = 10_000
const RELATIONS_MAX = 10_000
/** Most different texts: as many as cells. */
const TEXTS_MAX = 2_000_000
/** Most columns that are read. */
export const COLUMNS_MAX = 500
const FORMATS_MAX = 1000
const STYLES_MAX = 65_536
export const CELL_CHARACTERS = 32_767
/**
 * Most characters between two tags: a full cell with each character escaped. Reading hundreds of megabytes of useless text would take
 * time, too.
 */
const TEXT_MAX = 8 * CELL_CHARACTERS
/** Most levels of elements, and most attributes of one tag, which no real workbook reaches. */
const DEPTH_MAX = 64
const ATTRIBUTES_MAX = 128

type Tag = { name: string; attributes: Record<string, string> }
const local = (name: string): string => name.slice(name.indexOf(':') + 1)
const attribute = ({ attributes }: Tag, attributeName: string): string | undefined =>
  Object.entries(attributes).find(([name]) => local(name) === attributeName)?.[1]

interface Listener {
  open?(name: string, tag: Tag): void
  close?(name: string): void
  text?(text: string): void
}

const tooLarge = (): never => {
  throw new Unreadable('sheetTooLarge')
}

/** Parse a part, and yield after each chunk of it. */
async function* walk(zip: ZipFile, entry: Entry, limit: number, steps: Steps, listener: Listener): AsyncGenerator<void> {
  if (entry.uncompressedSize > limit) tooLarge()
  const parser = sax.parser(true, { xmlns: false })
  let [depth, attributes, characters] = [0, 0, 0]
  const text = (more: string): void => {
    if ((characters += more.length) > TEXT_MAX) tooLarge()
    listener.text?.(more)
  }
  // An error thrown here ends the parser at once; otherwise it would go on to the end of the chunk and report each fault again.
  const heard: Pick<sax.SAXParser, 'onerror' | 'onopentagstart' | 'onattribute' | 'onopentag' | 'onclosetag' | 'ontext' | 'oncdata'> = {
    onerror: (error) => {
      throw error
    },
    onopentagstart() {
      attributes = 0
      characters = 0
      if (++depth > DEPTH_MAX) throw new Unreadable('sheetUnreadable')
    },
    onattribute() {
      if (++attributes > ATTRIBUTES_MAX) throw new Unreadable('sheetUnreadable')
    },
    onopentag: (tag) => {
      steps.spend(1 + attributes)
      listener.open?.(local(tag.name), tag as Tag)
    },
    onclosetag: (name) => {
      depth--
      characters = 0
      listener.close?.(local(name))
    },
    ontext: text,
    oncdata: text,
  }
  Object.assign(parser, heard)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const stream = await zip.openReadStreamPromise(entry)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      steps.spend(chunk.length)
      parser.write(decoder.decode(chunk, { stream: true }))
      yield
    }
    parser.write(decoder.decode()).close()
  } finally {
    stream.destroy()
  }
  yield
}

/** Parse a part that is kept in memory. */
async function walkThrough(zip: ZipFile, entry: Entry, steps: Steps, listener: Listener): Promise<void> {
  const pieces = walk(zip, entry, PART_BYTES_MAX, steps, listener)
  while (!(await pieces.next()).done);
}

const ESCAPED = /_x([0-9A-Fa-f]{4})_/g
const unescaped = (text: string): string =>
  text.includes('_x') ? text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text

/** Return a collector of the texts of `t` elements, except phonetic runs, which give the reading of a text and are not part of it. */
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

async function sharedTexts(zip: ZipFile, entry: Entry | undefined, steps: Steps): Promise<string[]> {
  const texts: string[] = []
  if (entry === undefined) return texts
  const collector = textCollector()
  await walkThrough(zip, entry, steps, {
    ...collector,
    close(name) {
      collector.close(name)
      if (name !== 'si') return
      if (texts.length >= TEXTS_MAX) tooLarge()
      texts.push(collector.take())
    },
  })
  return texts
}

/** Return how the numbers of each style are shown. A format is parsed once, when the first style names it. */
async function formats(zip: ZipFile, entry: Entry | undefined, steps: Steps): Promise<Shown[]> {
  const shown: Shown[] = []
  if (entry === undefined) return shown
  const codes = new Map<number, string>()
  const cached = new Map<number, Shown>()
  function shownAs(id: number): Shown {
    const before = cached.get(id)
    if (before !== undefined) return before
    const code = codes.get(id)
    const found = code === undefined ? shownByNumber(id) : shownBy(code, steps)
    if (code !== undefined) cached.set(id, found)
    return found
  }
  let inCells = false
  await walkThrough(zip, entry, steps, {
    open(name, tag) {
      if (name === 'numFmt' && codes.size < FORMATS_MAX) codes.set(Number(attribute(tag, 'numFmtId')), attribute(tag, 'formatCode') ?? '')
      if (name === 'cellXfs') inCells = true
      if (inCells && name === 'xf' && shown.length < STYLES_MAX) shown.push(shownAs(Number(attribute(tag, 'numFmtId') ?? 0)))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return shown
}

/** Return the column of a reference: `BC12` → 54; -1 where it names no column. */
function columnOf(reference: string | undefined): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference ?? '')?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** Return the path of a part that is named relative to another part, such as `worksheets/a.xml` in `xl/workbook.xml`. */
function resolved(from: string, target: string): string {
  const path = target.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  }
  return path.join('/')
}

async function entriesOf(zip: ZipFile, steps: Steps): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  if (zip.entryCount > ENTRIES_MAX) tooLarge()
  for await (const entry of zip.eachEntry()) {
    steps.spend(1 + entry.fileNameRaw.length)
    entries.set(entry.fileNameRaw.toString('utf8').replaceAll('\\', '/').replace(/^\//, '').toLowerCase(), entry)
  }
  return entries
}

async function relationsOf(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  part: string,
  steps: Steps,
): Promise<Map<string, { type: string; path: string }>> {
  const relations = new Map<string, { type: string; path: string }>()
  const folder = part.split('/').slice(0, -1)
  const entry = entries.get([...folder, '_rels', `${part.split('/').at(-1)!}.rels`].join('/').toLowerCase())
  if (entry === undefined) return relations
  await walkThrough(zip, entry, steps, {
    open(name, tag) {
      const [id, type, target] = ['Id', 'Type', 'Target'].map((attributeName) => attribute(tag, attributeName))
      if (name === 'Relationship' && id !== undefined && target !== undefined && relations.size < RELATIONS_MAX)
        relations.set(id, { type: (type ?? '').split('/').at(-1)!, path: resolved(part, target).toLowerCase() })
    },
  })
  return relations
}

interface Workbook {
  sheet: Entry
  texts: string[]
  shown: Shown[]
  epoch: Epoch
}

async function workbookOf(zip: ZipFile, steps: Steps): Promise<Workbook> {
  const entries = await entriesOf(zip, steps)
  const roots = [...(await relationsOf(zip, entries, '', steps)).values()]
  const root = roots.find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const book = entries.get(root)
  if (book === undefined) throw new Unreadable('sheetUnreadable')
  const relations = await relationsOf(zip, entries, root, steps)
  let [epoch, sheetPath]: [Epoch, string | undefined] = [1900, undefined]
  await walkThrough(zip, book, steps, {
    open(name, tag) {
      if (name === 'workbookPr' && ['1', 'true'].includes(attribute(tag, 'date1904') ?? '')) epoch = 1904
      // Only a prefixed `id` is the reference to the part; `sheetId` is not.
      const reference = Object.entries(tag.attributes).find(([key]) => key.includes(':') && local(key) === 'id')?.[1]
      if (name === 'sheet' && (attribute(tag, 'state') ?? 'visible') === 'visible') sheetPath ??= relations.get(reference ?? '')?.path
    },
  })
  const part = (type: string) => entries.get([...relations.values()].find((one) => one.type === type)?.path ?? '')
  const sheet = entries.get(sheetPath ?? 'xl/worksheets/sheet1.xml')
  if (sheet === undefined) throw new Unreadable('sheetUnreadable')
  return { sheet, epoch, texts: await sharedTexts(zip, part('sharedStrings'), steps), shown: await formats(zip, part('styles'), steps) }
}

/** Return a collector of the rows of a sheet, without empty ones. */
function rowCollector({ texts, shown, epoch }: Omit<Workbook, 'sheet'>, steps: Steps): Required<Listener> & { take(): SheetRow[] } {
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
  return {
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
        // Empty cells are created only before a cell with content: otherwise one short tag could create a row of any length.
        if (text.trim() !== '') {
          steps.spend(Math.max(0, column - row.cells.length))
          while (row.cells.length < column) row.cells.push('')
          row.cells[column] = text
        } else if (column < row.cells.length) row.cells[column] = ''
      }
      if (name === 'row' && row.cells.length > 0) rows.push(row)
    },
    text(text) {
      collector.text(text)
      if (inValue && value.length < CELL_CHARACTERS) value += text
    },
    take() {
      const taken = rows
      rows = []
      return taken
    },
  }
}

/**
 * Yield the rows of a workbook, a chunk at a time, without empty ones.
 * @throws Unreadable, at any row
 */
export async function* workbookRows(file: ReadableFile, steps: Steps): AsyncGenerator<SheetRow[]> {
  let zip: ZipFile | null = null
  try {
    zip = await openZip(file)
    const { sheet, ...rest } = await workbookOf(zip, steps)
    const collector = rowCollector(rest, steps)
    for await (const _ of walk(zip, sheet, SHEET_BYTES_MAX, steps, collector)) {
      const rows = collector.take()
      if (rows.length > 0) yield rows
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable('sheetUnreadable', undefined, error)
  } finally {
    zip?.close()
  }
}
