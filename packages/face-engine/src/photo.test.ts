import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { PHOTO_LIMITS, cutOut, decodePhoto, fromCutOut, squareAround } from './photo.ts'

/** 200 × 120: left half red, right half blue. */
const halves = () =>
  sharp({ create: { width: 200, height: 120, channels: 3, background: '#ff0000' } }).composite([
    { input: { create: { width: 100, height: 120, channels: 3, background: '#0000ff' } }, left: 100, top: 0 },
  ])
const isRed = (data: Uint8Array, index: number) => data[index * 3]! > 200 && data[index * 3 + 2]! < 60
const isBlue = (data: Uint8Array, index: number) => data[index * 3]! < 60 && data[index * 3 + 2]! > 200

const refused = (reason: string) => expect.objectContaining({ name: 'PhotoRefusal', reason })

describe('what is decoded', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('%s', async (format) => {
    const { pixels, width, height, scale } = await decodePhoto(await halves().toFormat(format).toBuffer())
    expect({ width, height, scale, length: pixels.data.length }).toEqual({ width: 200, height: 120, scale: 1, length: 200 * 120 * 3 })
    expect(isRed(pixels.data, 60 * 200 + 50)).toBe(true)
    expect(isBlue(pixels.data, 60 * 200 + 150)).toBe(true)
  })

  test('a photograph stored sideways is turned as its EXIF orientation says', async () => {
    const { pixels, width, height } = await decodePhoto(await halves().withMetadata({ orientation: 6 }).jpeg().toBuffer())
    expect([width, height, pixels.width, pixels.height]).toEqual([120, 200, 120, 200])
    expect(isRed(pixels.data, 50 * 120 + 60)).toBe(true)
    expect(isBlue(pixels.data, 150 * 120 + 60)).toBe(true)
  })

  test('grey and CMYK become red, green and blue', async () => {
    for (const file of [await halves().greyscale().jpeg().toBuffer(), await halves().toColourspace('cmyk').jpeg().toBuffer()]) {
      expect((await decodePhoto(file)).pixels.data.length).toBe(200 * 120 * 3)
    }
  })

  test('transparency lies on white', async () => {
    const file = await sharp({ create: { width: 120, height: 120, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer()
    expect((await decodePhoto(file)).pixels.data.every((value) => value === 255)).toBe(true)
  })

  test('a large photograph is scaled down, its size remembered', async () => {
    const file = await sharp({ create: { width: 5000, height: 4000, channels: 3, background: '#808080' } })
      .jpeg()
      .toBuffer()
    const { pixels, width, height, scale } = await decodePhoto(file)
    expect([width, height]).toEqual([5000, 4000])
    expect([pixels.width, pixels.height]).toEqual([1280, 1024])
    expect(scale).toBeCloseTo(5000 / 1280)
  })
})

describe('what is refused', () => {
  test('too many bytes', async () => {
    await expect(decodePhoto(new Uint8Array(PHOTO_LIMITS.bytes + 1))).rejects.toEqual(refused('tooLarge'))
  })

  test('too many pixels, from the header: the picture data is not even there', async () => {
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#808080' } })
      .png()
      .toBuffer()
    await expect(decodePhoto(bomb.subarray(0, 64))).rejects.toMatchObject({
      reason: 'tooLarge',
      measured: { pixels: 81_000_000, limit: PHOTO_LIMITS.pixels },
    })
    await expect(decodePhoto(bomb)).rejects.toEqual(refused('tooLarge'))
  })

  test('a side under 100 pixels', async () => {
    const file = await sharp({ create: { width: 300, height: 99, channels: 3, background: '#808080' } })
      .jpeg()
      .toBuffer()
    await expect(decodePhoto(file)).rejects.toMatchObject({ reason: 'imageTooSmall', measured: { width: 300, height: 99, limit: 100 } })
  })

  test('a file cut short', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const noise = sharp({
        create: { width: 300, height: 300, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
      })
      const file = await noise.toFormat(format).toBuffer()
      await expect(decodePhoto(file.subarray(0, file.length / 2)), format).rejects.toEqual(refused('unreadable'))
    }
  })

  test('every other format, and what is no picture at all', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>')
    const heic = Buffer.from([0, 0, 0, 0x18, ...Buffer.from('ftypheic'), ...new Uint8Array(400)])
    const others = [
      svg,
      heic,
      await halves().gif().toBuffer(),
      await halves().tiff().toBuffer(),
      Buffer.from('no picture'),
      Buffer.alloc(0),
    ]
    for (const file of others) await expect(decodePhoto(file)).rejects.toEqual(refused('unreadable'))
  })
})

describe('cutting out', () => {
  const picture = { data: Uint8Array.from({ length: 60 * 40 * 3 }, (_, i) => (Math.floor(i / 3) % 60) * 4), width: 60, height: 40 }

  test('beyond the edges it is black', async () => {
    const view = await cutOut(picture, squareAround({ x: 30, y: 20 }, 60), 60)
    expect(view.length).toBe(60 * 60 * 3)
    expect(view[(5 * 60 + 30) * 3]).toBe(0)
    expect(view[(30 * 60 + 30) * 3]).toBe(120)
    expect(await cutOut(picture, squareAround({ x: 500, y: 500 }, 20), 30)).toEqual(new Uint8Array(30 * 30 * 3))
  })

  test('a point of a turned cut-out is found again in the photograph', async () => {
    const dot = { data: new Uint8Array(60 * 40 * 3), width: 60, height: 40 }
    dot.data.fill(255, (10 * 60 + 45) * 3, (10 * 60 + 46) * 3)
    for (const turns of [0, 1, 2, 3] as const) {
      const region = squareAround({ x: 30, y: 20 }, 60, turns)
      const view = await cutOut(dot, region, 60)
      const at = view.findIndex((value) => value > 200) / 3
      const found = fromCutOut({ x: (at % 60) + 0.5, y: Math.floor(at / 60) + 0.5 }, region, 60)
      expect(found, `${turns} turns`).toEqual({ x: 45.5, y: 10.5 })
    }
  })

  test('any region, however far outside, gives a full square', async () => {
    const coordinate = fc.double({ min: -150, max: 150, noNaN: true })
    await fc.assert(
      fc.asyncProperty(coordinate, coordinate, fc.double({ min: 1, max: 200, noNaN: true }), async (x, y, side) => {
        expect((await cutOut(picture, squareAround({ x, y }, side), 48)).length).toBe(48 * 48 * 3)
      }),
      { numRuns: 60 },
    )
  })
})
