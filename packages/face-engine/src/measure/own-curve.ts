/**
 * How alike the people of a gallery are, from the scores of pairs of different ones.
 *
 * The best hundredth of the pairs is counted; beyond, where too few are left to count, the tail is taken for
 * exponential, its steepness the mean by which pairs exceed where it begins (the maximum of likelihood). On the scale
 * of scores the curve a model comes with is exponential by definition, and real galleries fall faster than that, so
 * what is reckoned is on the safe side. Pairs share their persons and are not independent: the interval comes from
 * leaving out groups of persons in turn (a jackknife, which holds for pairs as for single ones). Pure.
 */
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { scoreAmongOwn } from '@gatehouse/contract/faces/own-curve'
import { studentQuantile } from './interval.ts'

/** Pairs of different persons, by their numbers in the gallery, and how alike they are. */
export interface ScoredPairs {
  first: Uint32Array
  second: Uint32Array
  /** Raw. */
  score: Float32Array
}

export interface OwnFit {
  persons: number
  pairs: number
  curve: OwnCurve
  /** How far it is believed, 0 to 1: with few people it is mostly chance, and the model's own curve still speaks. */
  trust: number
  /** The score that one pair in 10,000 reaches, and its interval of 95 %. */
  at: { score: number; low: number; high: number }
}

/** What a fit to half of the persons says of the others, and what is counted among them. */
export interface Holdout {
  pairs: number
  /** Of a thousand pairs of the first half one reaches it. */
  score: number
  expected: number
  counted: number
}

/** Share of the pairs that is counted. */
const COUNTED = 0.01
/** With fewer beyond its beginning a tail says nothing, and where that is more than a tenth of all it is no tail. */
const LEAST_BEYOND = 50
const MOST_COUNTED = 0.1
/** The rate that is reported with its interval. */
export const REPORTED_RATE = 1e-4
/** People at which half of what they show is believed. */
const HALF_BELIEVED = 200
const GROUPS = 20
/** Stands for the group of numbers that are in no pair. */
const NOBODY = 255
/** Bounds of points to a tenfold: 10 is a model's own curve. */
const STEEPEST = 3
const FLATTEST = 20
/** Score of one pair in 100,000 of a model's own people. */
const LEAST_DOUBTFUL = 90
/** Points to a tenfold, at least, from where a tenth of the pairs lie: a model's own curve has 10. */
const STEEPEST_BULK = 8

interface Tail {
  /** Where it begins. */
  from: number
  /** Places of the pairs that reach it. */
  beyond: number[]
  pairs: number
}

/** The pairs that are counted; null where there are too few. */
function tailOf({ score }: ScoredPairs, places: Uint32Array): Tail | null {
  const pairs = places.length
  const counted = Math.max(LEAST_BEYOND, Math.floor(pairs * COUNTED))
  if (counted > pairs * MOST_COUNTED) return null
  const sorted = Float32Array.from(places, (place) => score[place]!).sort()
  const from = sorted[pairs - counted - 1]!
  const beyond = Array.from(places.filter((place) => score[place]! > from))
  // Where many are the same nobody can tell how it goes on.
  return beyond.length < LEAST_BEYOND / 2 ? null : { from, beyond, pairs }
}

/** Of each person of the pairs the group they are left out with. */
function groupsOf({ first, second }: ScoredPairs, places: Uint32Array): Uint8Array {
  const most = places.reduce((highest, place) => Math.max(highest, first[place]!, second[place]!), 0)
  const groups = new Uint8Array(most + 1).fill(NOBODY)
  for (const place of places) groups[first[place]!] = groups[second[place]!] = 0
  let met = 0
  return groups.map((group) => (group === NOBODY ? NOBODY : met++ % GROUPS))
}

function curveOf({ score }: ScoredPairs, from: number, beyond: readonly number[], pairs: number): OwnCurve {
  const mean = beyond.reduce((sum, place) => sum + score[place]! - from, 0) / beyond.length
  return { score: from, rate: beyond.length / pairs, pointsPerTenfold: Math.min(FLATTEST, Math.max(STEEPEST, mean * Math.LN10)) }
}

/**
 * The score from which two people may be one: so much that, as the others go, half a pair of them would reach it; never
 * below what one pair in 100,000 of a model's own people reaches. Told by where a tenth and where half of all pairs
 * lie, which nobody moves who is registered a few times, nor ten times among a hundred.
 */
export function doubtfulFrom({ score }: ScoredPairs, places: Uint32Array): number {
  const sorted = Float32Array.from(places, (place) => score[place]!).sort()
  const reachedBy = (share: number) => sorted[Math.floor(sorted.length * (1 - share))] ?? 0
  const tenth = reachedBy(0.1)
  const pointsPerTenfold = Math.min(FLATTEST, Math.max(STEEPEST_BULK, (tenth - reachedBy(0.5)) / Math.log10(5)))
  return Math.max(LEAST_DOUBTFUL, tenth + pointsPerTenfold * Math.log10(Math.max(1, 0.2 * sorted.length)))
}

/**
 * The curve of some pairs of a gallery; null where there are too few to say anything.
 * @param places of the pairs that count
 */
export function fitOwnCurve(all: ScoredPairs, places: Uint32Array): OwnFit | null {
  const tail = tailOf(all, places)
  if (tail === null) return null
  const groupOf = groupsOf(all, places)
  const persons = groupOf.reduce((sum, group) => sum + Number(group !== NOBODY), 0)
  const groups = Math.min(GROUPS, persons)
  const fitted = curveOf(all, tail.from, tail.beyond, tail.pairs)
  const score = scoreAmongOwn(fitted, REPORTED_RATE)

  const left = new Float64Array(groups)
  for (const place of places) {
    const [one, other] = [groupOf[all.first[place]!]!, groupOf[all.second[place]!]!]
    left[one]!++
    if (other !== one) left[other]!++
  }
  const without = [...left].flatMap((pairs, group) => {
    const beyond = tail.beyond.filter((place) => groupOf[all.first[place]!] !== group && groupOf[all.second[place]!] !== group)
    if (beyond.length === 0 || pairs === tail.pairs) return []
    return [scoreAmongOwn(curveOf(all, tail.from, beyond, tail.pairs - pairs), REPORTED_RATE)]
  })
  const mean = without.reduce((sum, value) => sum + value, 0) / without.length
  const variance = ((without.length - 1) / without.length) * without.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const half = studentQuantile(without.length - 1) * Math.sqrt(variance)
  return {
    persons,
    pairs: tail.pairs,
    curve: fitted,
    trust: persons / (persons + HALF_BELIEVED),
    at: { score, low: score - half, high: score + half },
  }
}

/** Fits the pairs of every other person, and counts among those of the rest; null where half of them are too few. */
export function holdoutOf(all: ScoredPairs, places: Uint32Array): Holdout | null {
  const half = (parity: number) => places.filter((place) => all.first[place]! % 2 === parity && all.second[place]! % 2 === parity)
  const [fitted, rest] = [fitOwnCurve(all, half(0)), half(1)]
  if (fitted === null || rest.length === 0) return null
  const score = scoreAmongOwn(fitted.curve, 1e-3)
  return { pairs: rest.length, score, expected: rest.length / 1000, counted: rest.filter((place) => all.score[place]! >= score).length }
}
