/**
 * Creation of an export's file: a sheet, or a zip of the sheet and a folder of its pictures. Rows and pictures are streamed, so that fifty
 * thousand cost little more memory than fifty.
 */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { ExportFormat } from '@gatehouse/contract/exports/calls'
import { CSV_TYPE, csvStreamOf } from '../../platform/documents/csv.ts'
import { XLSX_TYPE, xlsxOf, type Sheet } from '../../platform/documents/xlsx.ts'

export const CONTENT_TYPES: Record<ExportFormat, string> = { xlsx: XLSX_TYPE, csv: CSV_TYPE, zip: 'application/zip' }

export interface PicturesOf<Row> {
  /** Heading of the column that names them, and name of their folder. */
  words: { column: string; folder: string }
  idsOf(row: Row): readonly string[]
  /** Return null for a deleted picture; an empty file takes its place, because the sheet names it. */
  load(id: string): Promise<Uint8Array | null>
  /** Told so many rows whose pictures are packed, those above a row without any among them. */
  packed(rows: number): void
}

interface Picture {
  id: string
  path: string
  /** Number of its row, from 1. */
  number: number
}

/** A row with the paths of its pictures in the file. */
interface Pictured<Row> {
  row: Row
  pictures: Picture[]
}

const NOTHING = Buffer.alloc(0)
/** Pictures that are read at once. */
const READ_AHEAD = 4

/** Return the path of a picture. It starts with the line in the sheet as spreadsheet programs count it; the headings are line 1. */
const pathOf = (folder: string, number: number, place: number): string =>
  `${folder}/${String(number + 1).padStart(5, '0')}${place === 0 ? '' : `-${place + 1}`}.webp`

/** The sheet alone. @param now time of its parts */
export const sheetFile = <Row>(sheet: Sheet<Row>, format: Exclude<ExportFormat, 'zip'>, now: number): Readable =>
  format === 'csv' ? csvStreamOf(sheet) : xlsxOf(sheet, now)

/** The sheet, with a column that names the pictures of each row, and behind it the pictures. A fault destroys the stream. */
export function picturedFile<Row>(sheet: Sheet<Row>, of: PicturesOf<Row>, now: number): Readable {
  const zip = new ZipFile()
  const file = zip.outputStream as Readable
  zip.on('error', (error: Error) => file.destroy(error))
  const found: Picture[] = []

  async function* numbered(): AsyncGenerator<Pictured<Row>> {
    let number = 0
    for await (const row of sheet.rows) {
      number++
      const pictures = of.idsOf(row).map((id, place) => ({ id, path: pathOf(of.words.folder, number, place), number }))
      found.push(...pictures)
      yield { row, pictures }
    }
  }

  const coming = new Map<number, Promise<Uint8Array | null>>()
  /** Return the picture at a place, and start to read the next ones. */
  function picture(at: number): Promise<Uint8Array | null> {
    for (let next = at; next < Math.min(at + READ_AHEAD, found.length); next++) {
      if (coming.has(next)) continue
      const bytes = of.load(found[next]!.id)
      // If nobody reads it any more, its error is ignored.
      bytes.catch(() => {})
      coming.set(next, bytes)
    }
    const bytes = coming.get(at)!
    coming.delete(at)
    return bytes
  }

  /** Add an entry. Its bytes are read when its turn comes, so only the next few are in memory. */
  function addPicture({ path, number }: Picture, at: number): void {
    // Compressed again although little is gained, because not every program reads stored entries of a stream.
    zip.addReadStreamLazy(path, { mtime: new Date(now), compressionLevel: 1 }, (take) => {
      picture(at).then(
        (bytes) => {
          of.packed(number)
          take(null, Readable.from([bytes ?? NOTHING]))
        },
        (error: unknown) => file.destroy(error as Error),
      )
    })
  }

  async function pack(): Promise<void> {
    const columns = sheet.columns.map((column) => ({ ...column, value: ({ row }: Pictured<Row>) => column.value(row) }))
    const named = {
      heading: of.words.column,
      kind: 'text' as const,
      width: 24,
      value: ({ pictures }: Pictured<Row>) => pictures.map(({ path }) => path).join(', '),
    }
    const source = xlsxOf({ ...sheet, columns: [...columns, named], rows: numbered() }, now)
    source.once('error', (error) => file.destroy(error))
    // Closing the file ends the reading too.
    file.once('close', () => source.destroy())
    zip.addReadStream(source, `${sheet.name}.xlsx`, { mtime: new Date(now) })
    await finished(source)
    found.forEach(addPicture)
    zip.end()
  }
  pack().catch((error: unknown) => file.destroy(error as Error))
  return file
}
