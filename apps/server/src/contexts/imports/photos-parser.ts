/** A zip of photographs, one after the other: names say whose they are. Whether they are pictures is not asked here. */
import type { Entry, ZipFile } from 'yauzl'
import { FACE_FILE_MAX, PICTURES_PER_BATCH, ZIP_MAX } from '@gatehouse/contract'
import { Unreadable, type Steps } from '../../platform/documents/parser.ts'
import type { ReadableFile } from '../../platform/http/received-file.ts'
import { openZip } from '../../platform/documents/zip.ts'
import { photoNameOf, type PhotoName } from './photo-names.ts'

export interface ZippedPhoto extends PhotoName {
  /** Null where they could not be read, or are too many. */
  bytes: Uint8Array | null
  /** More bytes than a photograph may have. */
  isTooLarge: boolean
}

/** Files of a zip, whatever they are, and what they unpack to in all: pictures hardly pack. */
const ENTRIES_MAX = 20_000
const UNPACKED_MAX = 2 * ZIP_MAX
/** What file systems and archivers leave behind. */
const JUNK = /(^|\/)(__MACOSX\/|\.[^/]*$|Thumbs\.db$|desktop\.ini$)/i

/** A name as its archiver wrote it: UTF-8 where it says so or can be nothing else, else the Chinese of Windows. */
function entryName(entry: Pick<Entry, 'fileNameRaw' | 'generalPurposeBitFlag' | 'extraFields'>): string {
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

interface Picture {
  entry: Entry
  name: PhotoName
}

async function picturesOf(zip: ZipFile, steps: Steps): Promise<Picture[]> {
  const tooMany = (count: number): never => {
    throw new Unreadable('zipPictures', { limit: PICTURES_PER_BATCH, count })
  }
  if (zip.entryCount > ENTRIES_MAX) tooMany(zip.entryCount)
  const pictures: Picture[] = []
  let unpacked = 0
  let count = 0
  for await (const entry of zip.eachEntry()) {
    steps.spend(1 + entry.fileNameRaw.length + entry.extraFieldRaw.length)
    const path = entryName(entry).replaceAll('\\', '/')
    if (path.endsWith('/') || JUNK.test(path)) continue
    if (entry.isEncrypted()) throw new Unreadable('zipEncrypted')
    unpacked += entry.uncompressedSize
    if (++count <= PICTURES_PER_BATCH) pictures.push({ entry, name: photoNameOf(path) })
  }
  if (count > PICTURES_PER_BATCH) tooMany(count)
  if (unpacked > UNPACKED_MAX) throw new Unreadable('zipTooLarge')
  return pictures
}

/** The bytes of an entry; null where it is not what it says it is. */
async function bytesOf(zip: ZipFile, entry: Entry): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(entry.uncompressedSize)
  let at = 0
  try {
    // Ends with an error at the first byte beyond the size it has declared.
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    return bytes
  } catch {
    return null
  }
}

export async function* parse(file: ReadableFile, _options: object, steps: Steps): AsyncGenerator<ZippedPhoto> {
  const unreadable = (error: unknown): never => {
    throw error instanceof Unreadable ? error : new Unreadable('zipUnreadable', undefined, error)
  }
  const zip = await openZip(file).catch(unreadable)
  try {
    for (const { entry, name } of await picturesOf(zip, steps).catch(unreadable)) {
      const isTooLarge = entry.uncompressedSize > FACE_FILE_MAX
      steps.spend(isTooLarge ? 1 : 1 + entry.uncompressedSize)
      yield { ...name, bytes: isTooLarge ? null : await bytesOf(zip, entry), isTooLarge }
    }
  } finally {
    zip.close()
  }
}
