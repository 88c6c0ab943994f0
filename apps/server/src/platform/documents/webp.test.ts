import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { isPlainWebp } from './webp.ts'

const SIDE = 1600
const picture = (options: { width?: number; height?: number; channels?: 3 | 4 } = {}) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: { r: 200, g: 30, b: 30, alpha: 0.5 }, ...options } })

describe('a WebP picture', () => {
  test.each([
    ['lossy', () => picture().webp()],
    ['lossless', () => picture().webp({ lossless: true })],
    ['with transparency', () => picture({ channels: 4 }).webp()],
    ['of the largest size', () => picture({ width: SIDE, height: SIDE }).webp()],
  ])('%s is plain', async (_name, made) => {
    expect(isPlainWebp(await made().toBuffer(), SIDE)).toBe(true)
  })

  test.each([
    [
      'with Exif',
      () =>
        picture()
          .withExif({ IFD0: { Copyright: 'somebody' } })
          .webp(),
    ],
    ['with a turn', () => picture().withMetadata({ orientation: 6 }).webp()],
    ['with a colour profile', () => picture().withIccProfile('p3').webp()],
    ['too wide', () => picture({ width: SIDE + 1 }).webp()],
    ['too high, lossless', () => picture({ height: SIDE + 1 }).webp({ lossless: true })],
    ['that is a JPEG', () => picture().jpeg()],
    ['that is a PNG', () => picture().png()],
  ])('%s is not', async (_name, made) => {
    expect(isPlainWebp(await made().toBuffer(), SIDE)).toBe(false)
  })

  test('cut short anywhere, or with anything behind it, is not', async () => {
    const whole = await picture({ width: 16, height: 16 }).webp().toBuffer()
    for (let length = 0; length < whole.length; length++) expect(isPlainWebp(whole.subarray(0, length), SIDE)).toBe(false)
    expect(isPlainWebp(Buffer.concat([whole, Buffer.from('EXIF')]), SIDE)).toBe(false)
  })

  test('without a picture inside is not', () => {
    const empty = Buffer.from('RIFF\x0c\0\0\0WEBPVP8 \0\0\0\0', 'latin1')
    expect(empty).toHaveLength(20)
    expect(isPlainWebp(empty, SIDE)).toBe(false)
  })
})
