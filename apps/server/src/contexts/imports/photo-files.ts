/** Photographs as they are handed in: one picture, or a zip of them, read one by one. Names say whose they are, folders nothing. */
import sharp from 'sharp'
import type { Entry, ZipFile } from 'yauzl'
import { FACE_FILE_MAX, FACE_IMAGE_MIN, IMAGE_PIXELS_MAX, PICTURES_PER_BATCH, ZIP_MAX } from '@gatehouse/contract'
import type { ReceivedFile } from '../../platform/received-file.ts'
import { InvalidRequest } from '../../platform/refusal.ts'
import { looksZipped, openZip } from '../../platform/spreadsheet.ts'
import type { StoredIssue } from './schema.ts'

export interface PhotoName {
  filename: string
  /** Without its ending. */
  stem: string
  /** The stem without `_2`, `-2` or ` (2)`; null where it has none. */
  base: string | null
  /** 1 unless its name says otherwise. */
  position: number
}

export interface PhotoFile extends PhotoName {
  /** Null where they could not be read, or are too many. */
  bytes: Buffer | null
  /** Why it can be nobody's photograph. */
  issue: StoredIssue | null
}

/** Files of a zip, whatever they are, and what they unpack to in all: pictures hardly pack. */
const ENTRIES_MAX = 20_000
const UNPACKED_MAX = 2 * ZIP_MAX
const NAME_CHARACTERS = 120
/** What file systems and archivers leave behind. */
const JUNK = /(^|\/)(__MACOSX\/|\.[^/]*$|Thumbs\.db$|desktop\.ini$)/i
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'avif', 'avis'])

const issueOf = (code: number, rule = `code.${code}`): StoredIssue => ({ field: 'photo', code, rule })

export function photoNameOf(path: string): PhotoName {
  const filename = path.replaceAll('\\', '/').split('/').at(-1)!.trim().slice(-NAME_CHARACTERS)
  const stem = filename.replace(/\.[^.]*$/, '').trim()
  const match = /^(.+?)\s*(?:[_-]([1-9])|\(([1-9])\))$/.exec(stem)
  return { filename, stem, base: match?.[1] ?? null, position: Number(match?.[2] ?? match?.[3] ?? 1) }
}

/** What is wrong with a picture as far as its first bytes tell; the face engine says the rest. */
async function issueOfBytes(bytes: Buffer): Promise<StoredIssue | null> {
  if (bytes.subarray(4, 8).toString('latin1') === 'ftyp' && HEIC_BRANDS.has(bytes.subarray(8, 12).toString('latin1')))
    return issueOf(200205, 'heic')
  if (bytes.length > FACE_FILE_MAX) return issueOf(200206)
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ format: '', width: 0, height: 0 }))
  if (!['jpeg', 'png', 'webp'].includes(format)) return issueOf(200205)
  if (width * height > IMAGE_PIXELS_MAX) return issueOf(200206)
  return Math.min(width, height) < Math.min(...FACE_IMAGE_MIN) ? issueOf(200208) : null
}

/** A name as its archiver wrote it: UTF-8 where it says so or can be nothing else, else the Chinese of Windows. */
export function entryName(entry: Pick<Entry, 'fileNameRaw' | 'generalPurposeBitFlag' | 'extraFields'>): string {
  const unicode = entry.extraFields.find(({ id }) => id === 0x7075)
  if (unicode !== undefined && unicode.data.length > 5) return unicode.data.subarray(5).toString('utf8')
  if ((entry.generalPurposeBitFlag & 0x800) !== 0) return entry.fileNameRaw.toString('utf8')
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(entry.fileNameRaw)
    } catch {
      // The next one.
    }
  }
  return entry.fileNameRaw.toString('latin1')
}

const invalid = (rule: string, params?: Record<string, number>): never => {
  throw new InvalidRequest([{ path: 'file', rule, ...(params && { params }) }])
}

interface Picture {
  entry: Entry
  name: PhotoName
}

async function picturesOf(zip: ZipFile): Promise<Picture[]> {
  if (zip.entryCount > ENTRIES_MAX) invalid('zipPictures', { limit: PICTURES_PER_BATCH, count: zip.entryCount })
  const pictures: Picture[] = []
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    const path = entryName(entry).replaceAll('\\', '/')
    if (path.endsWith('/') || JUNK.test(path)) continue
    if (entry.isEncrypted()) invalid('zipEncrypted')
    unpacked += entry.uncompressedSize
    pictures.push({ entry, name: photoNameOf(path) })
  }
  if (pictures.length > PICTURES_PER_BATCH) invalid('zipPictures', { limit: PICTURES_PER_BATCH, count: pictures.length })
  if (unpacked > UNPACKED_MAX) invalid('zipTooLarge')
  return pictures
}

/** The bytes of an entry; null where it is not what it says it is. */
async function bytesOf(zip: ZipFile, entry: Entry): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  try {
    // Ends with an error at the first byte beyond the size it has declared.
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  } catch {
    return null
  }
}

/**
 * The pictures of an upload, one after the other.
 * @throws InvalidRequest at `file` for a zip that is none, is encrypted, or holds more than is taken
 */
export async function* photosOf(file: ReceivedFile): AsyncGenerator<PhotoFile> {
  if (!looksZipped(await file.read(0, 4))) {
    const name = photoNameOf(file.filename)
    if (file.size > FACE_FILE_MAX) yield { ...name, bytes: null, issue: issueOf(200206) }
    else {
      const bytes = await file.read(0, file.size)
      yield { ...name, bytes, issue: await issueOfBytes(bytes) }
    }
    return
  }
  const zip = await openZip(file).catch(() => invalid('zipUnreadable'))
  try {
    const pictures = await picturesOf(zip).catch((error: unknown) => {
      if (error instanceof InvalidRequest) throw error
      return invalid('zipUnreadable')
    })
    for (const { entry, name } of pictures) {
      if (entry.uncompressedSize > FACE_FILE_MAX) yield { ...name, bytes: null, issue: issueOf(200206) }
      else {
        const bytes = await bytesOf(zip, entry)
        yield { ...name, bytes, issue: bytes === null ? issueOf(200205) : await issueOfBytes(bytes) }
      }
    }
  } finally {
    zip.close()
  }
}
