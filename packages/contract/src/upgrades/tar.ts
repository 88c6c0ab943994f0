/** The headers of a tar file (ustar, and the long names of GNU and POSIX), as far as packages and backups need them. */

/** Bytes of a header; contents are padded to a multiple of it. */
export const TAR_BLOCK = 512

export interface TarHeader {
  name: string
  /** Bytes of the content that follows. */
  size: number
  /** `longName` and `extended`: the content is the name of the next file; `other`: neither file nor folder, such as a link. */
  type: 'file' | 'folder' | 'longName' | 'extended' | 'other'
}

const TYPES: Record<string, TarHeader['type']> = {
  '': 'file',
  '0': 'file',
  '7': 'file',
  '5': 'folder',
  L: 'longName',
  x: 'extended',
  g: 'extended',
}
const CHECKSUM = { at: 148, length: 8 } as const
const BLANK = 32

const textOf = (block: Uint8Array, at: number, length: number): string => {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end))
}

/** Return a number in octal digits; null if there are none. */
function numberOf(block: Uint8Array, at: number, length: number): number | null {
  const digits = textOf(block, at, length).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null
}

function sumOf(block: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < TAR_BLOCK; at++) sum += at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length ? BLANK : (block[at] ?? 0)
  return sum
}

/** Return the header in a block; `end` for a block of zeros, null for a block that is not a header. */
export function tarHeaderOf(block: Uint8Array): TarHeader | 'end' | null {
  if (block.length < TAR_BLOCK) return null
  if (block.subarray(0, TAR_BLOCK).every((byte) => byte === 0)) return 'end'
  if (numberOf(block, CHECKSUM.at, CHECKSUM.length) !== sumOf(block)) return null
  const size = numberOf(block, 124, 12)
  const prefix = textOf(block, 257, 5) === 'ustar' && block[262] === 0 ? textOf(block, 345, 155) : ''
  const name = textOf(block, 0, 100)
  if (size === null || name === '') return null
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, type: TYPES[textOf(block, 156, 1)] ?? 'other' }
}

/** Return the name that an extended header has for the next file; null if it has none. */
export function extendedNameOf(content: Uint8Array): string | null {
  for (const line of new TextDecoder().decode(content).split('\n')) {
    const [, name] = /^\d+ path=(.*)$/.exec(line) ?? []
    if (name !== undefined) return name
  }
  return null
}

/** Return the header of a file. @param name at most 100 ASCII characters @param size below 8 GiB @throws Error if the name is too long */
export function tarHeader(name: string, size: number, mode = 0o644): Uint8Array {
  const block = new Uint8Array(TAR_BLOCK)
  const put = (text: string, at: number): void => block.set(new TextEncoder().encode(text), at)
  const octal = (value: number, length: number): string => value.toString(8).padStart(length - 1, '0')
  if (name.length > 100) throw new Error(`a name in a tar file has at most 100 characters: ${name}`)
  put(name, 0)
  put(octal(mode, 8), 100)
  put(octal(0, 8), 108)
  put(octal(0, 8), 116)
  put(octal(size, 12), 124)
  put(octal(0, 12), 136)
  put('0', 156)
  put('ustar', 257)
  put('00', 263)
  put(`${octal(sumOf(block), CHECKSUM.length - 1)}\0 `, CHECKSUM.at)
  return block
}

/** Return the number of bytes from the end of a content to the next header. */
export const tarPadding = (size: number): number => (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK

/** Maximum bytes of a name that is stored as a content of its own. */
const NAME_MAX = 64 * 1024
/** Maximum number of headers of a tar: a walk through it reads each of them. */
const HEADERS_MAX = 20_000

/** A file or folder of a tar. */
export interface TarEntry extends TarHeader {
  /** Offset of its content in bytes. */
  at: number
}

/** Error for a tar that cannot be read. */
export class TarFault extends Error {
  override readonly name = 'TarFault'
  readonly kind: 'notTar' | 'cut' | 'nameTooLong' | 'tooMany'
  constructor(kind: TarFault['kind'], sentence: string) {
    super(sentence)
    this.kind = kind
  }
}

/**
 * Yield the entries of a tar of `size` bytes in their order.
 *
 * @param read returns `length` bytes from `at` on; fewer at the end of the file
 * @throws TarFault
 */
export async function* tarEntries(read: (at: number, length: number) => Promise<Uint8Array>, size: number): AsyncGenerator<TarEntry> {
  const cut = (): TarFault => new TarFault('cut', 'The tar ends in the middle.')
  let named: string | null = null
  for (let at = 0, headers = 0; ; headers++) {
    const header = tarHeaderOf(await read(at, TAR_BLOCK))
    if (header === 'end') return
    if (header === null) throw at === 0 ? new TarFault('notTar', 'This is no tar file.') : cut()
    if (headers >= HEADERS_MAX) throw new TarFault('tooMany', `The tar holds more than ${HEADERS_MAX} files.`)
    const content = at + TAR_BLOCK
    if (content + header.size > size) throw cut()
    at = content + header.size + tarPadding(header.size)
    if (header.type === 'longName' || header.type === 'extended') {
      if (header.size > NAME_MAX) throw new TarFault('nameTooLong', 'A name in the tar is too long.')
      const fields = await read(content, header.size)
      named = header.type === 'longName' ? new TextDecoder().decode(fields).split('\0')[0]! : (extendedNameOf(fields) ?? named)
      continue
    }
    yield { ...header, name: named ?? header.name, at: content }
    named = null
  }
}
