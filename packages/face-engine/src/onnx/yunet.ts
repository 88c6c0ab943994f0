/** YuNet: boxes, scores and five points of the faces in one picture. */
import type { Box, Point } from '../face.ts'
import type { Detecting } from './model-set.ts'
import { planesOf } from './planes.ts'
import { Network } from './runtime.ts'

/** Right eye, left eye, tip of the nose, right and left corner of the mouth; right and left of the person. */
export type FivePoints = readonly [Point, Point, Point, Point, Point]

/** A place that may be a face, in pixels of the view. */
export interface Sighting {
  /** 0 to 1. */
  score: number
  box: Box
  points: FivePoints
}

/** Pixels of the view for each cell of the three grids that are answered. */
const STRIDES = [8, 16, 32] as const
/** Low on purpose: what is weak here is looked at again. */
const LEAST_SCORE = 0.2
/** Two boxes that share more than this are one face. */
const SAME_FACE = 0.3
const MOST_FACES = 50

export class YuNet {
  readonly #network: Network
  readonly #form: Detecting

  private constructor(network: Network, form: Detecting) {
    this.#network = network
    this.#form = form
  }

  static async load(path: string, form: Detecting): Promise<YuNet> {
    return new YuNet(await Network.load(path, form.side), form)
  }

  /** Of the square view, in pixels. */
  get side(): number {
    return this.#form.side
  }

  /** @param view `side` × `side` × red, green, blue @returns the strongest first */
  async search(view: Uint8Array): Promise<Sighting[]> {
    const answers = await this.#network.run(planesOf(view, this.#form))
    const sightings = STRIDES.flatMap((stride) => sightingsOf(answers, stride, this.side / stride))
    return withoutRepeats(sightings.sort((a, b) => b.score - a.score)).slice(0, MOST_FACES)
  }

  close(): Promise<void> {
    return this.#network.close()
  }
}

/** Each cell answers a class and an object score, a box (centre from the cell, size as a logarithm) and five points, in strides. */
function sightingsOf(answers: Record<string, Float32Array>, stride: number, columns: number): Sighting[] {
  const answer = (name: string) => answers[`${name}_${stride}`]!
  const [classes, objects, boxes, points] = [answer('cls'), answer('obj'), answer('bbox'), answer('kps')]
  const share = (value: number) => Math.min(1, Math.max(0, value))
  const found: Sighting[] = []
  for (let cell = 0; cell < classes.length; cell++) {
    const score = Math.sqrt(share(classes[cell]!) * share(objects[cell]!))
    if (score < LEAST_SCORE) continue
    const column = cell % columns
    const row = Math.floor(cell / columns)
    const [x, y, w, h] = [boxes[cell * 4]!, boxes[cell * 4 + 1]!, boxes[cell * 4 + 2]!, boxes[cell * 4 + 3]!]
    const width = Math.exp(w) * stride
    const height = Math.exp(h) * stride
    const point = (i: number): Point => ({
      x: (points[cell * 10 + 2 * i]! + column) * stride,
      y: (points[cell * 10 + 2 * i + 1]! + row) * stride,
    })
    found.push({
      score,
      box: { x: (column + x) * stride - width / 2, y: (row + y) * stride - height / 2, width, height },
      points: [point(0), point(1), point(2), point(3), point(4)],
    })
  }
  return found
}

/** @param sightings the strongest first */
function withoutRepeats(sightings: readonly Sighting[]): Sighting[] {
  const kept: Sighting[] = []
  for (const sighting of sightings) if (!kept.some(({ box }) => shared(box, sighting.box) > SAME_FACE)) kept.push(sighting)
  return kept
}

/** Area that two boxes share, as part of what they cover together. */
function shared(a: Box, b: Box): number {
  const across = Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x))
  const down = Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y))
  const both = across * down
  return both / (a.width * a.height + b.width * b.height - both)
}
