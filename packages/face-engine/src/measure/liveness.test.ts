import fc from 'fast-check'
import { expect, test } from 'vitest'
import { livenessCurve, suggestedLiveness } from './liveness.ts'

const many = (count: number, score: number) => Array.from({ length: count }, () => score)
const score = fc.double({ min: 0, max: 1, noNaN: true })

test('both errors are shares of the captures of their kind, and a face passes from the threshold on', () => {
  const curve = livenessCurve([0.9, 0.5, 0.95, 0.99], [0.1, 0.5])
  const at = (threshold: number) => curve.find((point) => point.threshold === threshold)!
  expect(curve).toHaveLength(101)
  expect([at(0).genuineRefused.rate, at(0).spoofAccepted.rate]).toEqual([0, 1])
  expect([at(0.5).genuineRefused.rate, at(0.5).spoofAccepted.rate]).toEqual([0, 0.5])
  expect([at(0.51).genuineRefused.rate, at(0.51).spoofAccepted.rate]).toEqual([0.25, 0])
  expect([at(1).genuineRefused.rate, at(1).spoofAccepted.rate]).toEqual([1, 0])
  expect(at(0.51).spoofAccepted.high).toBeGreaterThan(0.5)
})

test('no curve without captures of both kinds', () => {
  expect(livenessCurve([], [0.1])).toEqual([])
  expect(livenessCurve([0.9], [])).toEqual([])
})

test('nothing is suggested while there are too few of a kind', () => {
  expect(suggestedLiveness(many(29, 0.9), many(30, 0.1), 30)).toBeNull()
  expect(suggestedLiveness(many(30, 0.9), many(29, 0.1), 30)).toBeNull()
  expect(suggestedLiveness([], [], 0)).toBeNull()
  expect(suggestedLiveness(many(30, 0.9), many(30, 0.1), 30)).not.toBeNull()
})

test('kinds that are apart are parted in the middle', () => {
  expect(suggestedLiveness(many(30, 0.9), many(30, 0.1), 30)).toMatchObject({
    threshold: 0.5,
    genuineRefused: { rate: 0 },
    spoofAccepted: { rate: 0 },
  })
})

test('one living face in a hundred may be refused for fewer pictures that pass, not two', () => {
  expect(suggestedLiveness([0.3, ...many(99, 0.9)], [...many(20, 0.1), ...many(10, 0.6)], 30)?.spoofAccepted.rate).toBe(0)
  expect(suggestedLiveness([0.3, 0.3, ...many(98, 0.9)], [...many(20, 0.1), ...many(10, 0.6)], 30)?.spoofAccepted.rate).toBeCloseTo(1 / 3)
})

test('no threshold that refuses as few living faces lets fewer pictures pass', () => {
  fc.assert(
    fc.property(fc.array(score, { minLength: 5, maxLength: 60 }), fc.array(score, { minLength: 5, maxLength: 60 }), (genuine, spoof) => {
      const suggested = suggestedLiveness(genuine, spoof, 5)!
      expect(suggested.genuineRefused.rate).toBeLessThanOrEqual(0.01)
      for (const { genuineRefused, spoofAccepted } of livenessCurve(genuine, spoof)) {
        if (genuineRefused.rate <= 0.01) expect(spoofAccepted.rate).toBeGreaterThanOrEqual(suggested.spoofAccepted.rate)
      }
    }),
  )
})
