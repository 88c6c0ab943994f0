import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { createJpegSplitter } from './jpegs.ts'

const LARGEST = 1_048_576

/** The pictures split from these chunks. */
function split(chunks: readonly Uint8Array[], largest = LARGEST): Buffer[] {
  const pictures: Buffer[] = []
  const splitter = createJpegSplitter(largest, (jpeg) => void pictures.push(Buffer.from(jpeg)))
  for (const chunk of chunks) splitter.push(chunk)
  return pictures
}

const cut = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

/** A picture with a segment right after its start. */
function withSegment(jpeg: Buffer, marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}

describe('pictures out of a pipe', () => {
  let small: Buffer
  let noisy: Buffer
  let progressive: Buffer

  beforeAll(async () => {
    const noise = sharp(randomBytes(24 * 16 * 3), { raw: { width: 24, height: 16, channels: 3 } })
    small = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer()
    noisy = await noise.clone().jpeg({ quality: 95 }).toBuffer()
    // Progressive: several scans, each preceded by tables.
    progressive = await noise.clone().jpeg({ progressive: true }).toBuffer()
  })

  test('come out as they went in, wherever they are cut', () => {
    const pictures = [small, noisy, progressive, small]
    const pipe = Buffer.concat(pictures)
    for (const size of [1, 2, 3, 7, 64, 1_000, pipe.length]) expect(split(cut(pipe, size))).toEqual(pictures)
    for (let at = 1; at < pipe.length; at += 7) expect(split([pipe.subarray(0, at), pipe.subarray(at)])).toEqual(pictures)
  })

  test('are whole with a picture or markers inside', () => {
    const thumbnailed = withSegment(noisy, 0xe1, small)
    const commented = withSegment(noisy, 0xfe, Buffer.from([0xff, 0xd9, 0xff, 0xd8, 0xff, 0xd9]))
    const filled = Buffer.concat([small.subarray(0, 2), Buffer.from([0xff, 0xff]), small.subarray(2)])
    const pictures = [thumbnailed, commented, filled, small]
    for (const size of [1, 5, 4_096]) expect(split(cut(Buffer.concat(pictures), size))).toEqual(pictures)
  })

  test('are found again behind what is none', () => {
    const rubbish = Buffer.from('no picture \xff\x00 \xff', 'latin1')
    const broken = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1]), Buffer.from('lengths begin with 2')])
    const unfinished = Buffer.concat([small.subarray(0, -2)])
    for (const size of [1, 9, 4_096])
      expect(split(cut(Buffer.concat([rubbish, noisy, broken, small, unfinished, noisy]), size))).toEqual([noisy, small, noisy])
    expect(split([noisy.subarray(0, -20)])).toEqual([])
  })

  test('are dropped when they are too large, and the next one comes', () => {
    expect(noisy.length).toBeGreaterThan(small.length)
    for (const size of [1, 100, 4_096]) {
      expect(split(cut(Buffer.concat([small, noisy, small]), size), small.length)).toEqual([small, small])
      expect(split(cut(Buffer.concat([noisy, small]), size), noisy.length - 1)).toEqual([small])
      expect(split(cut(Buffer.concat([noisy, small]), size), noisy.length)).toEqual([noisy, small])
    }
  })
})
