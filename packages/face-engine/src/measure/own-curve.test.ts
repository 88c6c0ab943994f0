/** Galleries of which the tail is known: the score that is found keeps the aim. */
import { describe, expect, test } from 'vitest'
import { ownCurve, scoreAmongOwn } from '@gatehouse/contract/faces/own-curve'
import { randomOf } from '../portrait/random.ts'
import { doubtfulFrom, fitOwnCurve, holdoutOf, REPORTED_RATE, type ScoredPairs } from './own-curve.ts'

/** How alike two people of a gallery are, as a score, from evenly spread chance. */
interface Tail {
  scoreOf(chance: number): number
}

/** As the curve of a model says it, but so many points higher: 20 is a hundred times as often. */
const exponential = (shift: number, pointsPerTenfold = 10): Tail => ({
  scoreOf: (chance) => 40 + shift - pointsPerTenfold * Math.log10(chance),
})

/** The normal's quantile that leaves out so much (Abramowitz and Stegun 26.2.23, to .00045). */
function normalBeyond(chance: number): number {
  if (chance > 0.5) return -normalBeyond(1 - chance)
  const t = Math.sqrt(-2 * Math.log(chance))
  return t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3)
}

/** Falls faster than an exponential tail, as distances of real faces do. */
const normal = (shift: number): Tail => ({ scoreOf: (chance) => 40 + shift + 9 * normalBeyond(chance) })

function galleryOf(tail: Tail, persons: number, seed: string): ScoredPairs {
  const random = randomOf(seed)
  const pairs = (persons * (persons - 1)) / 2
  const [first, second, score] = [new Uint32Array(pairs), new Uint32Array(pairs), new Float32Array(pairs)]
  let place = 0
  for (let one = 0; one < persons; one++)
    for (let other = one + 1; other < persons; other++, place++) {
      first[place] = one
      second[place] = other
      score[place] = tail.scoreOf(1 - random.next())
    }
  return { first, second, score }
}

const everyPair = ({ score }: ScoredPairs) => Uint32Array.from(score, (_, place) => place)
const SEEDS = Array.from({ length: 40 }, (_, seed) => `gallery ${seed}`)

describe.each([60, 120, 400])('of %i people', (persons) => {
  test.each([
    ['like those of the model', exponential(0)],
    ['a hundred times as alike', exponential(20)],
    ['who grow rarer more slowly', exponential(10, 14)],
  ])('%s: what one in 10,000 reaches is found within its interval', (_, tail) => {
    const truth = tail.scoreOf(REPORTED_RATE)
    const found = SEEDS.map((seed) => galleryOf(tail, persons, seed)).map((gallery) => fitOwnCurve(gallery, everyPair(gallery))!)
    const within = found.filter(({ at }) => at.low <= truth && truth <= at.high)
    // 95 % of 40, and what chance takes of that.
    expect(within.length).toBeGreaterThanOrEqual(34)
    const mean = found.reduce((sum, { at }) => sum + at.score, 0) / found.length
    expect(Math.abs(mean - truth)).toBeLessThan(1)
    for (const { trust } of found) expect(trust).toBe(persons / (persons + 200))
  })

  test.each([0, 20])(
    'whose tail falls as real ones do, %i points more alike: the score asked lets in no more than is aimed at',
    (shift) => {
      const truth = normal(shift).scoreOf(REPORTED_RATE)
      const found = SEEDS.map((seed) => galleryOf(normal(shift), persons, seed)).map((gallery) => fitOwnCurve(gallery, everyPair(gallery))!)
      for (const { at } of found) expect(at.high).toBeGreaterThanOrEqual(truth)
      expect(found.filter(({ at }) => at.score >= truth).length).toBeGreaterThanOrEqual(34)
    },
  )
})

/** Everybody of the first so many is one and the same. */
function withOneOften(gallery: ScoredPairs, times: number): ScoredPairs {
  const random = randomOf('one often')
  for (const place of everyPair(gallery)) if (gallery.second[place]! < times) gallery.score[place] = 100 + 60 * random.next()
  return gallery
}
const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

test('who is registered twice stands out, however alike the others are, and does not make them look more alike', () => {
  const truth = exponential(20).scoreOf(REPORTED_RATE)
  const found = SEEDS.map((seed) => {
    const gallery = galleryOf(exponential(20), 200, seed)
    const twice = everyPair(gallery).filter((place) => place % 2_000 === 7)
    for (const [at, place] of twice.entries()) gallery.score[place] = 140 + at
    const from = doubtfulFrom(gallery, everyPair(gallery))
    for (const place of twice) expect(gallery.score[place]).toBeGreaterThanOrEqual(from)
    const others = everyPair(gallery).filter((place) => gallery.score[place]! < from)
    return { left: gallery.score.length - others.length - twice.length, score: fitOwnCurve(gallery, others)!.at.score }
  })
  expect(meanOf(found.map(({ left }) => left))).toBeLessThan(3)
  expect(Math.abs(meanOf(found.map(({ score }) => score)) - truth)).toBeLessThan(1.5)
  // Where nobody is very alike it is what a model's own people hardly reach.
  const unlike = galleryOf(exponential(-20), 200, 'unlike')
  expect(doubtfulFrom(unlike, everyPair(unlike))).toBe(90)
})

test.each([
  [100, 12],
  [100, 24],
  [300, 30],
])('of %i registrations %i are of one person: these are told apart, and nobody else looks more alike by them', (persons, times) => {
  const gallery = withOneOften(galleryOf(exponential(0), persons, 'registrations'), times)
  const from = doubtfulFrom(gallery, everyPair(gallery))
  for (const place of everyPair(gallery))
    if (gallery.second[place]! < times && gallery.score[place]! >= 110) expect(from).toBeLessThanOrEqual(110)
  const others = everyPair(gallery).filter((place) => gallery.score[place]! < from)
  expect(Math.abs(fitOwnCurve(gallery, others)!.at.score - 80)).toBeLessThan(8)
})

test('where everybody has the same picture nothing is said, and never what is no number', () => {
  const gallery = galleryOf(exponential(0), 60, 'same')
  gallery.score.fill(220)
  expect(fitOwnCurve(gallery, everyPair(gallery))).toBeNull()
  expect(doubtfulFrom(gallery, everyPair(gallery))).toBeLessThan(300)
  for (const times of [12, 20, 40]) {
    const some = galleryOf(exponential(0), 100, 'some')
    for (const place of everyPair(some)) if (some.second[place]! < times) some.score[place] = 220
    const fit = fitOwnCurve(some, everyPair(some))
    if (fit !== null) expect(ownCurve.safeParse(fit.curve).success).toBe(true)
  }
})

test('a few are too few to say anything', () => {
  const gallery = galleryOf(exponential(20), 30, 'few')
  expect(fitOwnCurve(gallery, everyPair(gallery))).toBeNull()
  expect(holdoutOf(gallery, everyPair(gallery))).toBeNull()
})

test('a fit to half of the people says what is counted among the others', () => {
  const all = SEEDS.slice(0, 10).map((seed) => {
    const gallery = galleryOf(exponential(20), 400, seed)
    return holdoutOf(gallery, everyPair(gallery))!
  })
  for (const { pairs, expected } of all) expect([pairs, expected]).toEqual([19_900, 19.9])
  const counted = all.reduce((sum, half) => sum + half.counted, 0)
  // Four deviations of what is counted and of what it was fitted to.
  expect(Math.abs(counted - 199)).toBeLessThan(4 * Math.sqrt(199 * 3))
})

test('a tail is read off between its points', () => {
  const curve = { score: 70, rate: 0.01, pointsPerTenfold: 10 }
  expect(scoreAmongOwn(curve, 0.001)).toBeCloseTo(80, 9)
})
