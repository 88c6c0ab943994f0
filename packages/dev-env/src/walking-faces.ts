/** Films of people who walk by, for trials of cameras: faces of photographs that move across the picture and grow, some two at once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import sharp, { type OverlayOptions } from 'sharp'
import { encodedFor, FFMPEG } from './rtsp-films.ts'

/** Somebody who walks by. Places are parts of the picture, sizes parts of its height. */
export interface Walker {
  photo: Uint8Array
  /** Milliseconds from the beginning of the film. */
  from: number
  lasts: number
  /** Centre and size of the head, at first and at last. */
  path: readonly [Place, Place]
}

interface Place {
  x: number
  y: number
  size: number
}

export interface FilmForm {
  width?: number
  height?: number
  perSecond?: number
  /** Milliseconds without anybody at the end. */
  emptyAfter?: number
}

const FORM = { width: 640, height: 360, perSecond: 25, emptyAfter: 1_500 }
/** Part of a photograph's shorter side that is the head. */
const HEAD = 0.62
const BACKGROUND = '#8d97a3'
/** Milliseconds for one to walk by. */
const WALK = 2_000
/** Time from one pair to the next, in walks. */
const PAIRS = 1.35
/** By how much the second of a pair is later, in walks and in turns. */
const LATER = [0, 0.45]

/** Let people walk by in pairs, the one above from the left, the one below from the right. @param walk milliseconds for one */
export function walkers(photos: readonly Uint8Array[], walk = WALK): Walker[] {
  return photos.map((photo, index) => {
    const pair = Math.floor(index / 2)
    const isSecond = index % 2 === 1
    const place = (x: number, size: number): Place => ({ x: isSecond ? 1 - x : x, y: isSecond ? 0.74 : 0.27, size })
    return {
      photo,
      from: walk * (pair * PAIRS + (isSecond ? LATER[pair % LATER.length]! : 0)),
      lasts: walk,
      path: [place(0.08, 0.36), place(0.92, 0.5)],
    }
  })
}

/** Yield the pictures of a film, as JPEG. */
export async function* walkingPictures(walking: readonly Walker[], form: FilmForm = {}): AsyncGenerator<Buffer<ArrayBuffer>> {
  const { width, height, perSecond, emptyAfter } = { ...FORM, ...form }
  const heads = await Promise.all(walking.map(async (walker) => ({ walker, head: await headOf(walker.photo) })))
  const end = Math.max(...walking.map(({ from, lasts }) => from + lasts)) + emptyAfter
  for (let at = 0; at < end; at += 1_000 / perSecond) {
    const layers: OverlayOptions[] = []
    for (const { walker, head } of heads) {
      const { from, lasts, path } = walker
      const part = (at - from) / lasts
      if (part < 0 || part > 1) continue
      const between = (field: keyof Place) => path[0][field] + part * (path[1][field] - path[0][field])
      const side = Math.round(between('size') * height)
      const input = await sharp(head).resize(side, side).png({ compressionLevel: 0 }).toBuffer()
      layers.push(await within(input, side, between('x') * width - side / 2, between('y') * height - side / 2, { width, height }))
    }
    const picture = sharp({ create: { width, height, channels: 3, background: BACKGROUND } }).composite(layers)
    yield (await picture.jpeg({ quality: 92 }).toBuffer()) as Buffer<ArrayBuffer>
  }
}

/** Write a film to a file that ffmpeg can push: MPEG-TS with H.264, a key frame each second. @throws Error where ffmpeg is missing */
export async function filmOf(walking: readonly Walker[], file: string, form: FilmForm = {}): Promise<void> {
  const { perSecond } = { ...FORM, ...form }
  const words = `-nostdin -y -loglevel error -f image2pipe -c:v mjpeg -framerate ${perSecond} -i pipe:0`.split(' ')
  const program = spawn(FFMPEG, [...words, ...encodedFor(perSecond), '-f', 'mpegts', file], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = once(program, 'close')
  for await (const picture of walkingPictures(walking, form)) {
    if (!program.stdin.write(picture)) await once(program.stdin, 'drain')
  }
  program.stdin.end()
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`ffmpeg ended with ${String(code)}`)
}

/** Return the head as the film shows it. */
export async function headOf(photo: Uint8Array): Promise<Buffer> {
  const { width, height } = (await sharp(photo).metadata()).autoOrient
  const side = Math.round(Math.min(width, height) * HEAD)
  return sharp(photo)
    .autoOrient()
    .extract({ left: Math.round((width - side) / 2), top: Math.round((height - side) / 2), width: side, height: side })
    .toBuffer()
}

/** Return a head as a layer: what lies beyond the edges is cut off, since a layer may not be larger than the picture around it. */
async function within(
  input: Buffer,
  side: number,
  x: number,
  y: number,
  { width, height }: { width: number; height: number },
): Promise<OverlayOptions> {
  const [left, top] = [Math.max(0, Math.round(x)), Math.max(0, Math.round(y))]
  const [cutLeft, cutTop] = [left - Math.round(x), top - Math.round(y)]
  const [right, bottom] = [Math.min(width, Math.round(x) + side), Math.min(height, Math.round(y) + side)]
  const cut = await sharp(input)
    .extract({ left: cutLeft, top: cutTop, width: Math.max(1, right - left), height: Math.max(1, bottom - top) })
    .toBuffer()
  return { input: cut, left, top }
}
