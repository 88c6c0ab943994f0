/** A photograph's bytes to pixels. What can be refused is refused from the header, before a pixel is decoded. */
import sharp from 'sharp'
import { PhotoRefusal } from './refusal.ts'

export const PHOTO_LIMITS = {
  /** 10 MiB, the largest upload any screen allows for a face. */
  bytes: 10 * 1024 * 1024,
  /** 64 megapixels: above every phone's ordinary photograph, far below a decompression bomb. */
  pixels: 64_000_000,
  /** Neither side may be shorter. */
  side: 100,
  /** Longest side that is worked on, in pixels; larger photographs are scaled down while decoding. */
  workingSide: 1280,
} as const

/** Rows of red, green and blue bytes. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
}

export interface DecodedPhoto {
  /** Upright, in sRGB, at most `workingSide` long. */
  pixels: Pixels
  /** Of the upright photograph, unscaled. */
  width: number
  height: number
  /** Pixels of the photograph per pixel decoded, at least 1. */
  scale: number
}

// Each worker decodes one photograph at a time; the cache would only hold people's pictures in memory.
sharp.cache(false)
sharp.concurrency(1)

/** JPEG, PNG or WebP by its first bytes; the name does not matter, and no other decoder ever sees a byte. */
function isPhotograph(file: Uint8Array): boolean {
  const ascii = (from: number, to: number) => String.fromCharCode(...file.subarray(from, to))
  return (
    (file[0] === 0xff && file[1] === 0xd8 && file[2] === 0xff) ||
    ascii(0, 8) === '\x89PNG\r\n\x1a\n' ||
    (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP')
  )
}

/**
 * Checks the header, then decodes: turned as its EXIF orientation says, grey and CMYK made sRGB, transparency on white.
 * @throws PhotoRefusal tooLarge (bytes or pixels), unreadable (also truncated data), imageTooSmall
 */
export async function decodePhoto(file: Uint8Array): Promise<DecodedPhoto> {
  if (file.length > PHOTO_LIMITS.bytes) throw new PhotoRefusal('tooLarge', { bytes: file.length, limit: PHOTO_LIMITS.bytes })
  if (!isPhotograph(file)) throw new PhotoRefusal('unreadable', { bytes: file.length })

  const unreadable = () => {
    throw new PhotoRefusal('unreadable', { bytes: file.length })
  }
  // Only the header is read here, so its own pixel limit is off: it would not tell a large photograph from a broken one.
  const header = await sharp(file, { limitInputPixels: false }).metadata().catch(unreadable)
  const pixels = header.width * header.height
  if (pixels > PHOTO_LIMITS.pixels) throw new PhotoRefusal('tooLarge', { pixels, limit: PHOTO_LIMITS.pixels })
  const { width, height } = header.autoOrient
  if (Math.min(width, height) < PHOTO_LIMITS.side) throw new PhotoRefusal('imageTooSmall', { width, height, limit: PHOTO_LIMITS.side })

  const side = PHOTO_LIMITS.workingSide
  const { data, info } = await sharp(file, { failOn: 'error', limitInputPixels: PHOTO_LIMITS.pixels })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(unreadable)
  const scale = Math.max(width, height) / Math.max(info.width, info.height)
  return { pixels: { data, width: info.width, height: info.height }, width, height, scale }
}

/** A square of a photograph, in whole pixels; it may reach beyond the edges, where it is black. */
export interface Region {
  x: number
  y: number
  side: number
  /** Quarter turns clockwise by which the square is turned. */
  turns: 0 | 1 | 2 | 3
}

/** The region of about this side around a point. */
export function squareAround(centre: { x: number; y: number }, side: number, turns: Region['turns'] = 0): Region {
  const whole = Math.max(1, Math.round(side))
  return { x: Math.round(centre.x - whole / 2), y: Math.round(centre.y - whole / 2), side: whole, turns }
}

/** Cuts out a region, scaled to `size` × `size` pixels. */
export async function cutOut({ data, width, height }: Pixels, { x, y, side, turns }: Region, size: number): Promise<Uint8Array> {
  const left = Math.max(0, x)
  const top = Math.max(0, y)
  const right = Math.min(width, x + side)
  const bottom = Math.min(height, y + side)
  if (right <= left || bottom <= top) return new Uint8Array(size * size * 3)
  const zoom = size / side
  const [fromX, toX] = [Math.round((left - x) * zoom), Math.round((right - x) * zoom)]
  const [fromY, toY] = [Math.round((top - y) * zoom), Math.round((bottom - y) * zoom)]
  const part = await sharp(data, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: right - left, height: bottom - top })
    .resize({ width: Math.max(1, toX - fromX), height: Math.max(1, toY - fromY), fit: 'fill' })
    .extend({ left: fromX, top: fromY, right: size - toX, bottom: size - toY, background: '#000000' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (turns === 0) return part.data
  return sharp(part.data, { raw: part.info as { width: number; height: number; channels: 3 } })
    .rotate(turns * 90)
    .raw()
    .toBuffer()
}

/** Where a point of a `size` × `size` cut-out lies in the photograph it was cut from. */
export function fromCutOut(point: { x: number; y: number }, { x, y, side, turns }: Region, size: number): { x: number; y: number } {
  const across = point.x / size
  const down = point.y / size
  const [u, v] = (
    [
      [across, down],
      [down, 1 - across],
      [1 - across, 1 - down],
      [1 - down, across],
    ] as const
  )[turns]
  return { x: x + u * side, y: y + v * side }
}
