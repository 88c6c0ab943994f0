import { scoreOfRate } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { BUILTIN_ENGINE } from '../builtin/model.ts'
import { distanceOfScore, leadOf } from '../calibration.ts'
import { randomOf } from '../portrait/random.ts'
import { refusedOf, strangersAccepted } from './long-list.ts'

const { calibration } = BUILTIN_ENGINE
const PHOTOGRAPHS = 300
const PASSAGES = 20_000

/** The two lowest of so many even numbers, over and over. */
function* lowest(seed: string): Generator<[number, number]> {
  const random = randomOf(seed)
  for (let passage = 0; passage < PASSAGES; passage++) {
    let [first, second] = [1, 1]
    for (let photograph = 0; photograph < PHOTOGRAPHS; photograph++) {
      const rate = random.next()
      if (rate < first) [first, second] = [rate, first]
      else if (rate < second) second = rate
    }
    yield [first, second]
  }
}

test.each([0, 3, 10])('strangers in a list of 300, with a lead of %i: as many as when they are drawn', (margin) => {
  const score = 65
  const taken = [...lowest('strangers')].filter(
    ([first, second]) => scoreOfRate(first) >= score && scoreOfRate(first) - scoreOfRate(second) >= margin,
  )
  const calculated = strangersAccepted({ calibration, photographs: PHOTOGRAPHS, score, margin })
  expect(Math.abs(taken.length / PASSAGES - calculated)).toBeLessThan(0.02)
})

test('a long list: a lead of m points leaves one stranger in 10^(m/10)', () => {
  for (const margin of [0, 3, 5, 10]) {
    expect(strangersAccepted({ calibration, photographs: 1e6, score: 73, margin })).toBeCloseTo(10 ** (-margin / 10), 6)
  }
})

test.each([0, 3, 10])('enrolled persons in a list of 300, with a lead of %i: as many as when others are drawn', (margin) => {
  const mates = [75, 70, 66, 60].map((score) => distanceOfScore(calibration, score))
  const drawn = [...lowest('enrolled')].map(([first], at) => {
    const score = [75, 70, 66, 60][at % 4]!
    return score < 65 || score - scoreOfRate(first) < margin
  })
  const calculated = refusedOf({ calibration, photographs: PHOTOGRAPHS, score: 65, margin }, mates, (mate, other) =>
    leadOf(calibration, mate, other),
  )
  expect(Math.abs(drawn.filter(Boolean).length / PASSAGES - calculated)).toBeLessThan(0.02)
})
