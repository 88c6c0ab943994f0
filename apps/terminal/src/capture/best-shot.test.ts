import { expect, test } from 'vitest'
import { qualityOf, type JudgedFace } from './best-shot.ts'

const picture = { width: 640, height: 360 }
const good: JudgedFace = { box: { x: 200, y: 100, width: 90, height: 100 }, roll: 0, yaw: 0, pitch: 0, sharpness: 15, score: 1 }
const quality = (change: Partial<JudgedFace> = {}) => qualityOf({ ...good, ...change }, picture)
const sized = (side: number) => ({ box: { x: 200, y: 100, width: side, height: side } })

test('a large, sharp face that looks into the camera is of the best quality', () => {
  expect(quality()).toBe(1)
})

test('each lack costs, and the more the worse', () => {
  const rows: Partial<JudgedFace>[][] = [
    [80, 60, 40, 25].map(sized),
    [6, 3, 1, 0.5].map((sharpness) => ({ sharpness })),
    [15, -30, 45].map((yaw) => ({ yaw })),
    [-10, 25, 40].map((pitch) => ({ pitch })),
    [0.9, 0.5].map((score) => ({ score })),
    [-10, -30, -60].map((x) => ({ box: { x, y: 100, width: 90, height: 100 } })),
  ]
  for (const row of rows) {
    const falling = [1, ...row.map((change) => quality(change))]
    expect(falling).toEqual(falling.toSorted((a, b) => b - a))
    expect(new Set(falling).size).toBe(falling.length)
  }
})

test('what makes a face useless is not made up for', () => {
  expect([quality(sized(18)), quality({ sharpness: 0 }), quality({ yaw: 70 }), quality({ pitch: -60 })]).toEqual([0, 0, 0, 0])
})
