/** Pictures whose faces are painted squares, and an engine that finds them: each colour is a person. */
import type { AnalyseOptions, Face, FacePool, PhotoAnalysis } from '@gatehouse/face-engine'
import { BUILTIN_ENGINE, PhotoRefusal } from '@gatehouse/face-engine'
import sharp from 'sharp'

export const PEOPLE = ['red', 'lime', 'blue', 'yellow', 'magenta', 'cyan'] as const
export type Somebody = (typeof PEOPLE)[number]

const COLOURS: Readonly<Record<Somebody, readonly [number, number, number]>> = {
  red: [255, 0, 0],
  lime: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  magenta: [255, 0, 255],
  cyan: [0, 255, 255],
}
export const SIZE = { width: 640, height: 360 }
/** How far a colour may be off after a JPEG. */
const TOLERANCE = 70

export interface Painted {
  who: Somebody
  /** Centre. */
  x: number
  y: number
  side?: number
}

/** Return a picture, as PNG. */
export async function paint(faces: readonly Painted[]): Promise<Uint8Array<ArrayBuffer>> {
  const layers = faces.map(({ who, x, y, side = 80 }) => ({
    input: { create: { width: side, height: side, channels: 3 as const, background: who } },
    left: Math.round(x - side / 2),
    top: Math.round(y - side / 2),
  }))
  const picture = sharp({ create: { ...SIZE, channels: 3, background: '#808080' } }).composite(layers)
  return new Uint8Array(await picture.png({ compressionLevel: 1 }).toBuffer())
}

/** Return the template of a person. */
export function templateOf(who: Somebody): Float32Array {
  const template = new Float32Array(BUILTIN_ENGINE.dimensions)
  template[PEOPLE.indexOf(who)] = 1
  return template
}

/** Return who a template is of. */
export const whoseTemplate = (template: Float32Array): Somebody | undefined => PEOPLE[template.findIndex((number) => number > 0.5)]

export type PaintedPool = Pick<FacePool, 'analyse' | 'ready' | 'close' | 'modelId' | 'description'>

/** An engine that finds painted squares. @param judge changes what it says of a face */
export function paintedPool(judge: (face: Face, who: Somebody) => Face = (face) => face): PaintedPool {
  return {
    modelId: BUILTIN_ENGINE.modelId,
    description: BUILTIN_ENGINE,
    ready: async () => {},
    close: async () => {},
    async analyse(photo: Uint8Array, { embed = 'all' }: AnalyseOptions = {}): Promise<PhotoAnalysis> {
      const { data, info } = await sharp(photo)
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
        .catch(() => {
          throw new PhotoRefusal('unreadable', {})
        })
      const faces = PEOPLE.flatMap((who) => {
        const found = squareOf(data, info, who)
        return found ? [judge(found, who)] : []
      }).map((face) => ({ ...face, embedding: embed === 'none' ? null : face.embedding }))
      return {
        width: info.width,
        height: info.height,
        faces,
        timings: { decode: 0, detect: 0, align: 0, embed: 0, liveness: 0, total: 0 },
      }
    },
  }
}

function squareOf(data: Buffer, { width, height }: { width: number; height: number }, who: Somebody): Face | null {
  const [red, green, blue] = COLOURS[who]
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let at = 0; at < width * height; at++) {
    // Most of a picture is grey.
    if (data[at * 3] === data[at * 3 + 1] && data[at * 3] === data[at * 3 + 2]) continue
    const isOff = (channel: number, value: number) => Math.abs(data[at * 3 + channel]! - value) > TOLERANCE
    if (isOff(0, red) || isOff(1, green) || isOff(2, blue)) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    ;[left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)]
  }
  if (right < left) return null
  const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  const eye = { x: left, y: top }
  return {
    box,
    landmarks: [eye, eye, eye, eye, eye],
    roll: 0,
    yaw: 0,
    pitch: 0,
    sharpness: 20,
    brightness: 120,
    lowerFace: 1,
    score: 1,
    embedding: templateOf(who),
    modelId: BUILTIN_ENGINE.modelId,
  }
}
