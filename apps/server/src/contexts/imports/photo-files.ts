/** Photographs as they are handed in: one picture, or a zip of them, read one by one. */
import sharp from 'sharp'
import { FACE_FILE_MAX, FACE_IMAGE_MIN, IMAGE_PIXELS_MAX } from '@gatehouse/contract'
import { defineParser } from '../../platform/documents/parser.ts'
import type { Parsing } from '../../platform/documents/parsing.ts'
import type { ReceivedFile } from '../../platform/http/received-file.ts'
import type { Scope } from '../../platform/session/session.ts'
import { looksZipped } from '../../platform/documents/zip-mark.ts'
import { photoNameOf, type PhotoName } from './photo-names.ts'
import type { parse } from './photos-parser.ts'
import type { StoredIssue } from './schema.ts'

export interface PhotoFile extends PhotoName {
  /** Null where they could not be read, or are too many. */
  bytes: Buffer | null
  /** Why it can be nobody's photograph. */
  issue: StoredIssue | null
}

const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'avif', 'avis'])

const photosParser = defineParser<typeof parse>('photos', new URL('./photos-parser.ts', import.meta.url), { workMs: 120_000, ahead: 4 })

const issueOf = (code: number, rule = `code.${code}`): StoredIssue => ({ field: 'photo', code, rule })

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

/**
 * The pictures of an upload, one after the other.
 * @throws InvalidRequest at `file` for a zip that is none, is encrypted, or holds more than is taken
 */
export async function* photosOf(parsing: Parsing, scope: Scope, file: ReceivedFile): AsyncGenerator<PhotoFile> {
  if (!looksZipped(await file.read(0, 4))) {
    const name = photoNameOf(file.filename)
    if (file.size > FACE_FILE_MAX) yield { ...name, bytes: null, issue: issueOf(200206) }
    else {
      const bytes = await file.read(0, file.size)
      yield { ...name, bytes, issue: await issueOfBytes(bytes) }
    }
    return
  }
  for await (const { bytes, isTooLarge, ...name } of parsing.pieces(scope, photosParser, file, {})) {
    if (isTooLarge) yield { ...name, bytes: null, issue: issueOf(200206) }
    else if (bytes === null) yield { ...name, bytes: null, issue: issueOf(200205) }
    else {
      const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      yield { ...name, bytes: picture, issue: await issueOfBytes(picture) }
    }
  }
}
