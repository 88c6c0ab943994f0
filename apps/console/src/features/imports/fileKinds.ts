/** The kind of a file, and whether it can be imported, both determined before it is sent. */
import { FACE_FILE_MAX, IMPORT_FILE_MAX, PICTURES_PER_BATCH, ZIP_MAX } from '@gatehouse/contract'
import { fileSizeIssue } from '@gatehouse/contract/files'

export type FileKind = 'sheet' | 'zip' | 'picture'
/** Why a file is not sent; words: `imports:refusedFile.<why>`. */
export type FileIssue =
  | { why: 'tooLarge'; kind: FileKind; limitMb: number }
  | { why: 'tooMany'; count: number; limit: number }
  | { why: 'oldSheet' | 'otherPicture' | 'empty' | 'unknown' }

const KINDS: Record<string, FileKind> = {
  xlsx: 'sheet',
  csv: 'sheet',
  zip: 'zip',
  jpg: 'picture',
  jpeg: 'picture',
  png: 'picture',
  webp: 'picture',
}
const OTHERS: Record<string, 'oldSheet' | 'otherPicture'> = {
  xls: 'oldSheet',
  et: 'oldSheet',
  ods: 'oldSheet',
  heic: 'otherPicture',
  heif: 'otherPicture',
  avif: 'otherPicture',
  bmp: 'otherPicture',
  gif: 'otherPicture',
  tif: 'otherPicture',
  tiff: 'otherPicture',
}
/** File types that the file dialog of the system offers. */
export const ACCEPT = Object.keys(KINDS)
  .map((ending) => `.${ending}`)
  .join(',')

const endingOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
export const kindOf = (name: string): FileKind | undefined => KINDS[endingOf(name)]

/** Return whether a file is one that operating systems put into folders, and that is not meant to be uploaded. */
export const isLitter = (name: string): boolean => /^(\.|~\$)|^(thumbs\.db|desktop\.ini)$/i.test(name)

const MEBIBYTE = 1_048_576
const LIMIT: Record<FileKind, number> = { sheet: IMPORT_FILE_MAX, zip: ZIP_MAX, picture: FACE_FILE_MAX }
const isTooLarge = (kind: FileKind, bytes: number): boolean =>
  kind === 'picture' ? bytes > FACE_FILE_MAX : fileSizeIssue(kind === 'zip' ? 'zip' : 'import', bytes) !== null

/** Return the reason why a file is not sent; null where it may be. Read only the list of contents, and only of a zip. */
export async function fileIssueOf(file: File): Promise<FileIssue | null> {
  const kind = kindOf(file.name)
  if (!kind) return { why: OTHERS[endingOf(file.name)] ?? 'unknown' }
  if (file.size === 0) return { why: 'empty' }
  if (isTooLarge(kind, file.size)) return { why: 'tooLarge', kind, limitMb: LIMIT[kind] / MEBIBYTE }
  if (kind !== 'zip') return null
  const count = await picturesIn(file)
  return count !== null && count > PICTURES_PER_BATCH ? { why: 'tooMany', count, limit: PICTURES_PER_BATCH } : null
}

/** Bytes of the record at the end of a zip, and of the longest comment after it. */
const END = 22
const COMMENT = 65_535
const ENTRY = 46
const END_MARK = 0x06054b50
const ENTRY_MARK = 0x02014b50

/** Return the number of pictures in a zip by its list of contents; null where that cannot be read: the server will refuse it. */
export async function picturesIn(zip: Blob): Promise<number | null> {
  const tail = new DataView(await zip.slice(Math.max(0, zip.size - END - COMMENT)).arrayBuffer())
  let end = tail.byteLength - END
  while (end >= 0 && tail.getUint32(end, true) !== END_MARK) end--
  if (end < 0) return null
  const [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)]
  if (start + size > zip.size) return null
  const list = new DataView(await zip.slice(start, start + size).arrayBuffer())
  const words = new TextDecoder()
  let pictures = 0
  for (let at = 0; at + ENTRY <= list.byteLength && list.getUint32(at, true) === ENTRY_MARK;) {
    const length = list.getUint16(at + 28, true)
    const path = words.decode(new Uint8Array(list.buffer, at + ENTRY, Math.min(length, list.byteLength - at - ENTRY)))
    const name = path.split('/').at(-1) ?? ''
    if (!path.startsWith('__MACOSX/') && !isLitter(name) && kindOf(name) === 'picture') pictures++
    at += ENTRY + length + list.getUint16(at + 30, true) + list.getUint16(at + 32, true)
  }
  return pictures
}
