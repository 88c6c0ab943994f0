/** Properties of a WebP picture, read from its container without decoding (RFC 9649). */

const LOSSY = 'VP8 '
const LOSSLESS = 'VP8L'
const EXTENDED = 'VP8X'
const ALPHA = 'ALPH'
/** VP8X flags: ICC profile, Exif, XMP, animation. */
const BEYOND_PIXELS = 0b0010_1110

/** Return width and height from the bitstream of a picture's chunk; null where it does not start as one. */
function sizeOf(name: string, chunk: Buffer): [number, number] | null {
  if (name === LOSSY) {
    // A key frame, its start code, and a first part that lies within the chunk.
    if (chunk.length < 10 || (chunk[0]! & 1) !== 0 || chunk.readUIntBE(3, 3) !== 0x9d012a) return null
    if (chunk.readUIntLE(0, 3) >> 5 > chunk.length - 10) return null
    return [chunk.readUInt16LE(6) & 0x3fff, chunk.readUInt16LE(8) & 0x3fff]
  }
  if (chunk.length < 5 || chunk[0] !== 0x2f) return null
  const bits = chunk.readUInt32LE(1)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}

/**
 * Return whether these bytes are one complete still WebP picture with pixels only, no more than `side` on either side: no Exif, XMP,
 * profile or animation, and nothing before, between or after its chunks.
 */
export function isPlainWebp(picture: Uint8Array, side: number): boolean {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength)
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return false
  if (bytes.readUInt32LE(4) !== bytes.length - 8) return false
  let pictures = 0
  for (let at = 12; at < bytes.length;) {
    if (at + 8 > bytes.length) return false
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length
    if (end > bytes.length) return false
    const chunk = bytes.subarray(at + 8, end)
    if (name === LOSSY || name === LOSSLESS) {
      const size = sizeOf(name, chunk)
      if (size === null || Math.min(...size) < 1 || Math.max(...size) > side) return false
      pictures++
    } else if (name === EXTENDED) {
      if (length < 10 || (chunk[0]! & BEYOND_PIXELS) !== 0) return false
    } else if (name !== ALPHA) return false
    at = end + (length % 2)
  }
  return pictures === 1
}
