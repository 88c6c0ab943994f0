import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Landmarks, Point } from './face.ts'
import { CHIP_POINTS, CHIP_SIDE, alignedChip, apply, fitSimilarity, invert, warp } from './warp.ts'

const similarity = fc
  .record({
    angle: fc.double({ min: -Math.PI, max: Math.PI, noNaN: true }),
    scale: fc.double({ min: 0.2, max: 5, noNaN: true }),
    tx: fc.integer({ min: -500, max: 500 }),
    ty: fc.integer({ min: -500, max: 500 }),
  })
  .map(({ angle, scale, tx, ty }) => ({ a: scale * Math.cos(angle), b: scale * Math.sin(angle), tx, ty }))
const point = fc.record({ x: fc.integer({ min: -300, max: 300 }), y: fc.integer({ min: -300, max: 300 }) })

const near = (a: Point, b: Point, within: number) => Math.hypot(a.x - b.x, a.y - b.y) <= within

describe('similarity', () => {
  test('the fit finds the very similarity that moved the points', () => {
    fc.assert(
      fc.property(similarity, (moved) => {
        const to = CHIP_POINTS.map((from) => apply(moved, from))
        const found = fitSimilarity(CHIP_POINTS, to)
        expect(found.a).toBeCloseTo(moved.a, 6)
        expect(found.b).toBeCloseTo(moved.b, 6)
        expect(found.tx).toBeCloseTo(moved.tx, 4)
        expect(found.ty).toBeCloseTo(moved.ty, 4)
      }),
    )
  })

  test('no other similarity comes nearer to disturbed points', () => {
    const distance = (map: ReturnType<typeof fitSimilarity>, to: Point[]) =>
      CHIP_POINTS.reduce((sum, from, i) => sum + Math.hypot(apply(map, from).x - to[i]!.x, apply(map, from).y - to[i]!.y) ** 2, 0)
    const nudge = fc.double({ min: -0.05, max: 0.05, noNaN: true })
    fc.assert(
      fc.property(fc.array(point, { minLength: 5, maxLength: 5 }), fc.tuple(nudge, nudge, nudge, nudge), (to, [a, b, tx, ty]) => {
        const best = fitSimilarity(CHIP_POINTS, to)
        const other = { a: best.a + a, b: best.b + b, tx: best.tx + tx, ty: best.ty + ty }
        expect(distance(best, to)).toBeLessThanOrEqual(distance(other, to) + 1e-6)
      }),
    )
  })

  test('the inverse leads back', () => {
    fc.assert(fc.property(similarity, point, (map, from) => near(apply(invert(map), apply(map, from)), from, 1e-6)))
  })
})

describe('warp', () => {
  const white = (width: number, height: number) => ({ data: new Uint8Array(width * height * 3).fill(255), width, height })

  test('moving nothing gives the picture back', () => {
    const picture = { data: Uint8Array.from({ length: 20 * 20 * 3 }, (_, i) => i % 251), width: 20, height: 20 }
    const out = warp(picture, { a: 1, b: 0, tx: 0, ty: 0 }, 19)
    for (let row = 0; row < 19; row++) for (let i = 0; i < 19 * 3; i++) expect(out[row * 19 * 3 + i]).toBe(picture.data[row * 20 * 3 + i])
  })

  test('outside the picture is black', () => {
    const out = warp(white(10, 10), { a: 1, b: 0, tx: 100, ty: 0 }, 20)
    expect(out.every((value) => value === 0)).toBe(true)
  })

  test('shrinking averages: a chequerboard of black and white turns grey', () => {
    const side = 80
    const data = new Uint8Array(side * side * 3)
    for (let i = 0; i < side * side; i++) data.fill((i + Math.floor(i / side)) % 2 === 0 ? 255 : 0, i * 3, i * 3 + 3)
    const out = warp({ data, width: side, height: side }, { a: 0.25, b: 0, tx: 0, ty: 0 }, 20)
    const inner = [...out].filter((_, i) => i % 60 > 5 && i % 60 < 54 && i > 120 && i < 1080)
    expect(Math.min(...inner)).toBeGreaterThan(110)
    expect(Math.max(...inner)).toBeLessThan(146)
  })

  test('landmarks arrive where the embedding model expects them, however the face is turned and scaled', () => {
    for (const { angle, scale } of [
      { angle: 0, scale: 1 },
      { angle: 0.5, scale: 1.6 },
      { angle: Math.PI, scale: 0.8 },
    ]) {
      const map = { a: scale * Math.cos(angle), b: scale * Math.sin(angle), tx: 250, ty: 250 }
      const landmarks = CHIP_POINTS.map(({ x, y }) => apply(map, { x: x - 75, y: y - 75 })) as unknown as Landmarks
      const picture = { data: new Uint8Array(500 * 500 * 3), width: 500, height: 500 }
      for (const { x, y } of landmarks) {
        for (let dy = -3; dy <= 3; dy++) {
          const at = (Math.round(y) + dy) * 500 + Math.round(x)
          picture.data.fill(255, (at - 3) * 3, (at + 4) * 3)
        }
      }
      const chip = alignedChip(picture, landmarks)
      for (const { x, y } of CHIP_POINTS) expect(chip[(Math.round(y) * CHIP_SIDE + Math.round(x)) * 3]).toBeGreaterThan(200)
      expect(chip[(75 * CHIP_SIDE + 20) * 3]).toBe(0)
    }
  })
})
