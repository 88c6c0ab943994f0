/** A picture being painted: colours in linear light with how much of each pixel they cover, and the masks shapes are laid down with. */
import type { Point } from './shapes.ts'

/** Pixels of the picture. */
export const WIDTH = 400
export const HEIGHT = 500
export const PIXELS = WIDTH * HEIGHT

/** One number for each pixel, row by row. */
export type Plane = Float32Array

/** Colours already multiplied with their cover, 0 to 1. */
export interface Canvas {
  red: Plane
  green: Plane
  blue: Plane
  cover: Plane
}

export const plane = (): Plane => new Float32Array(PIXELS)

export const canvas = (): Canvas => ({ red: plane(), green: plane(), blue: plane(), cover: plane() })

/** Lays a colour over one pixel. @param cover 0 leaves it, 1 hides what was there */
export function lay(on: Canvas, at: number, red: number, green: number, blue: number, cover: number): void {
  const left = 1 - cover
  on.red[at] = on.red[at]! * left + red * cover
  on.green[at] = on.green[at]! * left + green * cover
  on.blue[at] = on.blue[at]! * left + blue * cover
  on.cover[at] = on.cover[at]! * left + cover
}

/** Lays a whole canvas over another. */
export function layCanvas(on: Canvas, over: Canvas): void {
  for (let at = 0; at < PIXELS; at++) {
    const cover = over.cover[at]!
    if (cover === 0) continue
    const left = 1 - cover
    on.red[at] = on.red[at]! * left + over.red[at]!
    on.green[at] = on.green[at]! * left + over.green[at]!
    on.blue[at] = on.blue[at]! * left + over.blue[at]!
    on.cover[at] = on.cover[at]! * left + cover
  }
}

/**
 * A line as a brush draws it, its width and colour changing on the way; each pixel row or column is crossed once, so
 * joints do not show.
 */
export interface Stroke {
  /** Pixels. */
  points: readonly Point[]
  /** Pixels. @param at 0 at the root, 1 at the tip */
  width(at: number): number
  /** Linear colour and cover at a place of the line. */
  paint(at: number, index: number): readonly [number, number, number, number]
}

export function draw(on: Canvas, { points, width, paint }: Stroke): void {
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!]
    const along = (i - 0.5) / (points.length - 1)
    const [red, green, blue, cover] = paint(along, i)
    const steep = Math.abs(b.y - a.y) >= Math.abs(b.x - a.x)
    const [from, to] = steep ? [a.y, b.y] : [a.x, b.x]
    const [first, last] = from < to ? [Math.ceil(from), Math.ceil(to)] : [Math.ceil(to), Math.ceil(from)]
    const slope = (steep ? b.x - a.x : b.y - a.y) / (to - from || 1)
    const half = (width(along) / 2) * Math.sqrt(1 + slope * slope)
    const limit = steep ? HEIGHT : WIDTH
    const breadth = steep ? WIDTH : HEIGHT
    for (let main = Math.max(first, 0); main < Math.min(last, limit); main++) {
      const middle = (steep ? a.x : a.y) + (main - from) * slope
      const low = middle - half
      const high = middle + half
      for (let side = Math.max(Math.ceil(low - 0.5), 0); side <= Math.min(Math.floor(high + 0.5), breadth - 1); side++) {
        const covered = Math.min(high, side + 0.5) - Math.max(low, side - 0.5)
        if (covered <= 0) continue
        // As `lay` does: tens of thousands of hairs are too many for a call each.
        const at = steep ? main * WIDTH + side : side * WIDTH + main
        const share = cover * Math.min(covered, 1)
        const left = 1 - share
        on.red[at] = on.red[at]! * left + red * share
        on.green[at] = on.green[at]! * left + green * share
        on.blue[at] = on.blue[at]! * left + blue * share
        on.cover[at] = on.cover[at]! * left + share
      }
    }
  }
}

/**
 * Fills the inside of a closed outline.
 * @param outline pixels
 * @param mask a plane that is no longer needed
 * @returns cover of each pixel, 0 to 1
 */
export function filled(outline: readonly Point[], mask: Plane = plane()): Plane {
  mask.fill(0)
  const ROWS = 4
  const crossings: number[] = []
  const heights = outline.map(({ y }) => y)
  const top = Math.max(0, Math.floor(Math.min(...heights)))
  const bottom = Math.min(HEIGHT - 1, Math.ceil(Math.max(...heights)))
  for (let row = top; row <= bottom; row++) {
    for (let part = 0; part < ROWS; part++) {
      const y = row + (part + 0.5) / ROWS - 0.5
      crossings.length = 0
      for (let i = 0; i < outline.length; i++) {
        const [a, b] = [outline[i]!, outline[(i + 1) % outline.length]!]
        if (a.y <= y !== b.y <= y) crossings.push(a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x))
      }
      crossings.sort((p, q) => p - q)
      for (let i = 1; i < crossings.length; i += 2) spread(mask, row * WIDTH, crossings[i - 1]! + 0.5, crossings[i]! + 0.5, 1 / ROWS)
    }
  }
  return mask
}

function spread(mask: Plane, row: number, from: number, to: number, much: number): void {
  for (let x = Math.max(0, Math.floor(from)); x < Math.min(WIDTH, Math.ceil(to)); x++) {
    mask[row + x] = mask[row + x]! + much * (Math.min(to, x + 1) - Math.max(from, x))
  }
}

/** Rows of the picture, from the first up to, not including, the last. */
export interface Rows {
  top: number
  bottom: number
}

const ALL: Rows = { top: 0, bottom: HEIGHT }
const spare = { across: plane(), down: plane(), sums: new Float32Array(WIDTH) }

/**
 * A soft copy: two box blurs.
 * @param radius pixels of one box to either side
 * @param rows what is needed of it
 * @param soft a plane that is no longer needed
 */
export function blurred(source: Plane, radius: number, { top, bottom }: Rows = ALL, soft: Plane = plane()): Plane {
  const first = Math.max(0, top - 2 * radius)
  const last = Math.min(HEIGHT, bottom + 2 * radius)
  blurRows(source, spare.across, radius, first, last)
  blurColumns(spare.across, spare.down, radius, first, last)
  blurRows(spare.down, spare.across, radius, first, last)
  blurColumns(spare.across, soft, radius, first, last)
  return soft
}

/** Beyond the edge of the picture it is as at the edge. */
function blurRows(from: Plane, to: Plane, radius: number, top: number, bottom: number): void {
  const share = 1 / (2 * radius + 1)
  for (let y = top; y < bottom; y++) {
    const row = y * WIDTH
    const last = row + WIDTH - 1
    let sum = from[row]! * (radius + 1)
    for (let i = 1; i <= radius; i++) sum += from[row + i]!
    for (let x = 0; x < WIDTH; x++) {
      const at = row + x
      to[at] = sum * share
      sum += from[Math.min(at + radius + 1, last)]! - from[Math.max(at - radius, row)]!
    }
  }
}

function blurColumns(from: Plane, to: Plane, radius: number, top: number, bottom: number): void {
  const share = 1 / (2 * radius + 1)
  const { sums } = spare
  const rowOf = (y: number) => Math.min(Math.max(y, top), bottom - 1) * WIDTH
  sums.fill(0)
  for (let y = top - radius; y <= top + radius; y++) {
    const row = rowOf(y)
    for (let x = 0; x < WIDTH; x++) sums[x] = sums[x]! + from[row + x]!
  }
  for (let y = top; y < bottom; y++) {
    const [row, next, past] = [y * WIDTH, rowOf(y + radius + 1), rowOf(y - radius)]
    for (let x = 0; x < WIDTH; x++) {
      to[row + x] = sums[x]! * share
      sums[x] = sums[x]! + from[next + x]! - from[past + x]!
    }
  }
}
