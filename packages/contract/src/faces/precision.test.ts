import { describe, expect, it } from 'vitest'
import { monitorPrecision } from '../enums/alarms.ts'
import { scoreOfRate } from '../score.ts'
import { chanceAmong, scoreOfPrecision } from './precision.ts'

const PRESETS = [1, 2, 3, 4, 5] as const
const RATES = Array.from({ length: 60 }, (_, at) => 10 ** (-6 + at / 10))

describe('presets', () => {
  it('fall from the strictest to the loosest around what the model recommends, five points apart', () => {
    for (const recommended of RATES) {
      const scores = PRESETS.map((preset) => scoreOfPrecision(preset, recommended, null))
      const middle = scoreOfRate(recommended)
      for (const [at, score] of scores.entries()) expect(Math.abs(score - Math.min(99, middle + 5 * (2 - at)))).toBeLessThan(0.051)
    }
  })

  it('two steps are ten times fewer false matches', () => {
    expect(scoreOfPrecision(monitorPrecision.extremelyStrict, 1e-3, null)).toBe(scoreOfRate(1e-4))
    expect(scoreOfPrecision(monitorPrecision.loose, 1e-3, null)).toBe(scoreOfRate(1e-2))
  })

  it('are never so strict that nobody passes, nor so loose that everybody does', () => {
    expect(scoreOfPrecision(monitorPrecision.extremelyStrict, 1e-6, null)).toBe(99)
    expect(scoreOfPrecision(monitorPrecision.loose, 1, null)).toBe(30)
  })

  it('have one decimal, so that a person can set the same', () => {
    expect(scoreOfPrecision(monitorPrecision.standard, 5e-4, null)).toBe(73)
    expect(scoreOfPrecision(monitorPrecision.standard, 3e-4, null)).toBe(75.2)
  })

  it("a score of one's own counts as it is, and only for preset 6", () => {
    expect(scoreOfPrecision(monitorPrecision.custom, 1e-3, 62.5)).toBe(62.5)
    expect(scoreOfPrecision(monitorPrecision.custom, 1e-3, null)).toBe(70)
    expect(scoreOfPrecision(monitorPrecision.standard, 1e-3, 62.5)).toBe(70)
  })
})

describe('the chance of a stranger among a list', () => {
  it('is that of one comparison, grows with the list, and never passes certainty', () => {
    expect(chanceAmong(1e-3, 1)).toBeCloseTo(1e-3, 12)
    expect(chanceAmong(1e-3, 0)).toBe(0)
    expect(chanceAmong(1e-3, 100)).toBeCloseTo(0.0952, 4)
    expect(chanceAmong(1e-5, 10_000)).toBeCloseTo(0.0952, 4)
    for (const rate of RATES) {
      const chances = [1, 10, 1_000, 300_000, 1_000_000].map((templates) => chanceAmong(rate, templates))
      expect(chances).toEqual(chances.toSorted((a, b) => a - b))
      expect(chances.at(-1)).toBeLessThanOrEqual(1)
    }
  })
})
