import { rateOfScore, scoreOfRate } from '@gatehouse/contract'
import { FACE_PURPOSES, scoreOfPrecision } from '@gatehouse/contract/faces/precision'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BUILTIN_ENGINE } from './builtin/model.ts'
import { distanceOfScore, falseNonMatchAt, leadOf, recommendedScore, samePersonDistance, scoreOf, speaksOf } from './calibration.ts'
import type { Calibration, CalibrationPoint } from './calibration.ts'
import { calibrationOf } from './onnx/model-set.ts'
import { TESTING_SET } from './onnx/testing/set.ts'

/** Two points, as a manifest of one's own may have at least. */
const SHORTEST: Calibration = {
  curve: [
    { distance: 0.9, falseMatchRate: 1e-3, falseNonMatchRate: null },
    { distance: 1.1, falseMatchRate: 1e-2, falseNonMatchRate: 0.02 },
  ],
  unlike: 1.5,
  recommended: { door: 1e-3, watchList: 1e-3, search: 1e-2 },
  measured: false,
  source: 'nobody',
}
const CALIBRATIONS = { 'built in': BUILTIN_ENGINE.calibration, 'Intel 0095': calibrationOf(TESTING_SET), 'of two points': SHORTEST }

describe.each(Object.entries(CALIBRATIONS))('%s', (_, calibration) => {
  const distance = fc.double({ min: 0, max: calibration.unlike, noNaN: true })
  const highest = scoreOf(calibration, 0)
  const score = fc.double({ min: 0, max: highest, noNaN: true })

  test('the nearer, the higher the score', () => {
    fc.assert(
      fc.property(distance, distance, (a, b) => {
        if (a < b - 1e-9) expect(scoreOf(calibration, a)).toBeGreaterThan(scoreOf(calibration, b))
      }),
    )
  })

  test('a score leads back to its distance, and a distance to its score', () => {
    fc.assert(
      fc.property(distance, score, (d, s) => {
        expect(distanceOfScore(calibration, scoreOf(calibration, d))).toBeCloseTo(d, 9)
        expect(scoreOf(calibration, distanceOfScore(calibration, s))).toBeCloseTo(s, 9)
      }),
    )
  })

  test('scores run from beyond 100 for the same picture to 0 for whoever is unlike', () => {
    expect(highest).toBeGreaterThan(100)
    expect(scoreOf(calibration, calibration.unlike)).toBe(0)
    expect(scoreOf(calibration, 2 * calibration.unlike)).toBe(0)
    expect(distanceOfScore(calibration, highest)).toBe(0)
    expect(distanceOfScore(calibration, highest + 1)).toBe(0)
    expect(distanceOfScore(calibration, 0)).toBe(calibration.unlike)
  })

  test('the score of each point of the curve is that of its rate', () => {
    for (const { distance: at, falseMatchRate } of calibration.curve) {
      expect(scoreOf(calibration, at)).toBeCloseTo(scoreOfRate(falseMatchRate), 9)
      expect(distanceOfScore(calibration, scoreOfRate(falseMatchRate))).toBeCloseTo(at, 9)
    }
  })

  test('who is missed grows as rarer mistakes are asked for', () => {
    const { curve } = calibration
    for (const [at, point] of curve.entries()) {
      const stricter = curve[at - 1]
      if (!stricter) continue
      expect(stricter.distance).toBeLessThan(point.distance)
      expect(stricter.falseMatchRate).toBeLessThan(point.falseMatchRate)
      if (stricter.falseNonMatchRate !== null) expect(stricter.falseNonMatchRate).toBeGreaterThan(point.falseNonMatchRate!)
    }
    expect(calibration.unlike).toBeGreaterThan(curve.at(-1)!.distance)
  })

  test('who is missed is known at the points and between them, nowhere else', () => {
    for (const { falseMatchRate, falseNonMatchRate } of calibration.curve) {
      const missed = falseNonMatchAt(calibration, scoreOfRate(falseMatchRate))
      if (falseNonMatchRate === null) expect(missed).toBeNull()
      else expect(missed).toBeCloseTo(falseNonMatchRate, 9)
    }
    const [strictest, loosest] = [calibration.curve[0]!, calibration.curve.at(-1)!]
    expect(falseNonMatchAt(calibration, scoreOfRate(strictest.falseMatchRate) + 0.5)).toBeNull()
    expect(falseNonMatchAt(calibration, scoreOfRate(loosest.falseMatchRate) - 0.5)).toBeNull()
    expect(falseNonMatchAt(calibration, highest)).toBeNull()
    expect(falseNonMatchAt(calibration, 0)).toBeNull()
    fc.assert(
      fc.property(score, (asked) => {
        const missed = falseNonMatchAt(calibration, asked)
        if (missed === null) return
        expect(missed).toBeLessThanOrEqual(strictest.falseNonMatchRate ?? 1)
        expect(missed).toBeGreaterThanOrEqual(loosest.falseNonMatchRate!)
      }),
    )
  })

  test('below its first point the scale goes on as steeply as it runs there, and the curve does not speak of it', () => {
    const [first, second] = [calibration.curve[0]!, calibration.curve[1]!]
    const steepness = (scoreOfRate(first.falseMatchRate) - scoreOfRate(second.falseMatchRate)) / (second.distance - first.distance)
    fc.assert(
      fc.property(fc.double({ min: 0, max: first.distance, noNaN: true }), (nearer) => {
        const beyond = scoreOf(calibration, nearer) - scoreOfRate(first.falseMatchRate)
        expect(beyond).toBeCloseTo((first.distance - nearer) * steepness, 9)
      }),
    )
    expect(speaksOf(calibration, first.falseMatchRate)).toBe(true)
    expect(speaksOf(calibration, first.falseMatchRate / 1.01)).toBe(false)
  })

  test('a lead is the difference of scores, wherever they lie', () => {
    fc.assert(
      fc.property(distance, distance, (a, b) => {
        expect(leadOf(calibration, a, b)).toBeCloseTo(scoreOf(calibration, a) - scoreOf(calibration, b), 9)
      }),
    )
    const nearest = calibration.curve[0]!.distance
    expect(leadOf(calibration, nearest / 4, nearest)).toBeCloseTo(1.5 * leadOf(calibration, nearest / 2, nearest), 9)
  })

  test('a purpose asks for the score of the rate recommended, the same person for one in a hundred', () => {
    for (const purpose of FACE_PURPOSES) {
      expect(rateOfScore(recommendedScore(calibration, purpose)) / calibration.recommended[purpose]).toBeCloseTo(1, 9)
    }
    expect(scoreOf(calibration, samePersonDistance(calibration))).toBeCloseTo(60, 9)
  })
})

test('between two points who is missed lies on a straight line', () => {
  const { calibration } = BUILTIN_ENGINE
  const [, one, other] = calibration.curve as [unknown, CalibrationPoint, CalibrationPoint]
  expect(falseNonMatchAt(calibration, scoreOf(calibration, (one.distance + other.distance) / 2))).toBeCloseTo(
    (one.falseNonMatchRate! + other.falseNonMatchRate!) / 2,
    9,
  )
})

describe.each([
  ['built in', BUILTIN_ENGINE.calibration],
  ['Intel 0095', calibrationOf(TESTING_SET)],
])('what is recommended with a measured curve: %s', (_, calibration) => {
  test('a door is stricter than a watch list, a watch list than a search', () => {
    const [door, watchList, search] = FACE_PURPOSES.map((purpose) => recommendedScore(calibration, purpose))
    expect(door).toBeGreaterThan(watchList!)
    expect(watchList).toBeGreaterThan(search!)
  })

  test.each(FACE_PURPOSES)('each preset for %s says who is missed, and asks for a distance somebody can keep', (purpose) => {
    for (const preset of [1, 2, 3, 4, 5] as const) {
      const asked = scoreOfPrecision(preset, calibration.recommended[purpose], null)
      expect(distanceOfScore(calibration, asked)).toBeGreaterThanOrEqual(calibration.curve[0]!.distance)
      expect(falseNonMatchAt(calibration, asked)).not.toBeNull()
    }
  })
})

test('a cosine of 0.45 to 0.50 is what a door of thousands asks of the model 0095', () => {
  const distance = distanceOfScore(calibrationOf(TESTING_SET), recommendedScore(calibrationOf(TESTING_SET), 'door'))
  const cosine = 1 - distance ** 2 / 2
  expect(cosine).toBeGreaterThanOrEqual(0.45)
  expect(cosine).toBeLessThanOrEqual(0.5)
})
