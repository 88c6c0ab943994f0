/**
 * False matches and false non-matches at every score of a grid, with confidence intervals by persons: pairs that share a person are
 * not independent, and a few people who are taken for many others make a rate far less certain than its number of pairs suggests.
 *
 * The interval is the exact one of an effective number of trials, p(1 − p) / V (as Fogliato, Patil, Perona: "Confidence intervals for
 * error rates in 1:1 matching tasks", IJCV 2024, do with Wilson's), lessened by Student's quantile. V is the variance
 * of the share p = E / N:
 *
 * - One person's pairs are a cluster: see `clusters.ts`.
 * - A pair of different people belongs to two clusters. With Rᵢⱼ = Eᵢⱼ − p·Nᵢⱼ of the photographs of i against those of j and
 *   Rᵢ = Σⱼ Rᵢⱼ, V = (Σ Rᵢ² − Σ_{i<j} Rᵢⱼ²) / N² (Aronow, Samii, Assenova: "Cluster-robust variance estimation for dyadic data",
 *   Political Analysis 2015; the delete-one-person jackknife comes to the same). Never below Σ Rᵢⱼ² / N², what it would be without
 *   people who are easily mistaken.
 *
 * Where no error was observed V says nothing. Impostor pairs then count for as many trials as at the nearest looser score with errors
 * (dependence falls with the rate); without any, for the fewest there can be, when a person is either always or never mistaken: one for
 * every two persons.
 *
 * In simulated galleries it covers the truth 95 times in 100 or a little more; 89 where few persons differ much in how
 * easily they are mistaken.
 */
import type { CurvePoint, MeasuredRate } from '@gatehouse/contract/faces/report'
import { distanceOfScore } from '../calibration.ts'
import type { Calibration } from '../calibration.ts'
import { ClusterSums, effectiveTrials } from './clusters.ts'
import { exactInterval, studentQuantile } from './interval.ts'

/** A threshold of the grid: faces match up to this distance. */
export interface GridPoint {
  score: number
  distance: number
}

/** By rising score, each once. @param scores raw, 0 to 100 */
export const gridOf = (calibration: Calibration, scores: readonly number[]): GridPoint[] =>
  [...new Set(scores)].toSorted((a, b) => a - b).map((score) => ({ score, distance: distanceOfScore(calibration, score) }))

export interface ErrorCurve {
  genuinePairs: number
  impostorPairs: number
  /** At each score of the grid, in its order. Without impostor pairs `falseMatch` is 0, somewhere from 0 to 1. */
  points: CurvePoint[]
  /** Rate at which both errors are equal, between the scores of the grid; null without pairs of both kinds. */
  equalErrorRate: number | null
}

export interface ErrorCounts {
  /**
   * Counts one pair of photographs. Persons are numbered from 0; a pair with one number twice is genuine. Pairs of the same two persons
   * should follow each other: scattered ones make the interval of false matches wider than it need be, never narrower.
   */
  add(first: number, second: number, distance: number): void
  /** What the pairs so far say; more may follow. */
  result(): ErrorCurve
}

/**
 * Counts errors pair by pair; holds no pair, only 8 to 16 bytes a person and score of the grid.
 * @param grid by rising score, at least one
 */
export function createErrorCounts({ grid }: { grid: readonly GridPoint[] }): ErrorCounts {
  // By rising score is by falling distance: a pair matches at the first scores of the grid, up to one.
  const distances = Float64Array.from(grid, ({ distance }) => distance)
  const genuine = new ClusterCounts(grid.length)
  const impostors = new DyadCounts(grid.length)
  return {
    add(first, second, distance) {
      const matched = atLeast(distances, distance)
      if (first === second) genuine.add(first, matched)
      else impostors.add(first, second, matched)
    },
    result() {
      const falseMatches = impostors.rates()
      const falseNonMatches = genuine.rates()
      const points = grid.map(({ score, distance }, at) => ({
        score,
        distance,
        falseMatch: falseMatches[at]!,
        falseNonMatch: genuine.pairs > 0 ? falseNonMatches[at]! : null,
      }))
      return {
        genuinePairs: genuine.pairs,
        impostorPairs: impostors.pairs,
        points,
        equalErrorRate: genuine.pairs > 0 && impostors.pairs > 0 ? equalErrorRateOf(points) : null,
      }
    },
  }
}

/** How many of these falling numbers are at least this one. */
function atLeast(falling: Float64Array, value: number): number {
  let from = 0
  let to = falling.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (falling[middle]! >= value) from = middle + 1
    else to = middle
  }
  return from
}

/** Pairs by person and by the number of scores at which they match; grows with the persons. */
class PairsOfPersons {
  readonly width: number
  persons = 0
  #counts = new Uint32Array(0)

  constructor(scores: number) {
    this.width = scores + 1
  }

  add(person: number, matched: number) {
    if (person >= this.persons) this.#reserve(person + 1)
    this.#counts[person * this.width + matched]!++
  }

  /** Of one person: how many pairs match at exactly so many scores. */
  of(person: number): Uint32Array {
    return this.#counts.subarray(person * this.width, (person + 1) * this.width)
  }

  #reserve(persons: number) {
    this.persons = persons
    if (persons * this.width <= this.#counts.length) return
    const grown = new Uint32Array(2 * persons * this.width)
    grown.set(this.#counts)
    this.#counts = grown
  }
}

/** Genuine pairs: each in the cluster of its person. */
class ClusterCounts {
  pairs = 0
  readonly #of: PairsOfPersons

  constructor(scores: number) {
    this.#of = new PairsOfPersons(scores)
  }

  add(person: number, matched: number) {
    this.pairs++
    this.#of.add(person, matched)
  }

  /** Of pairs that do not match, at each score. */
  rates(): MeasuredRate[] {
    const sums = Array.from({ length: this.#of.width - 1 }, () => new ClusterSums())
    for (let person = 0; person < this.#of.persons; person++) {
      const counts = this.#of.of(person)
      const size = counts.reduce((sum, count) => sum + count, 0)
      let missed = 0
      for (const [at, sum] of sums.entries()) sum.add((missed += counts[at]!), size)
    }
    return sums.map((sum) => sum.rate())
  }
}

/** Impostor pairs: each in the clusters of both persons. */
class DyadCounts {
  pairs = 0
  readonly #of: PairsOfPersons
  /** Sums over pairs of persons, by the number of scores at which a pair of photographs matches. */
  readonly #squares: Float64Array
  readonly #products: Float64Array
  #sizes = 0
  /** The two persons whose pairs are coming in, and at how many scores each pair matches. */
  #first = -1
  #second = -1
  #matched: number[] = []

  constructor(scores: number) {
    this.#of = new PairsOfPersons(scores)
    this.#squares = new Float64Array(scores + 1)
    this.#products = new Float64Array(scores + 1)
  }

  add(first: number, second: number, matched: number) {
    const same = (first === this.#first && second === this.#second) || (first === this.#second && second === this.#first)
    if (!same) {
      this.#finish()
      this.#first = first
      this.#second = second
    }
    this.#matched.push(matched)
    this.pairs++
    this.#of.add(first, matched)
    this.#of.add(second, matched)
  }

  /** Takes the two persons' pairs into the sums: of k pairs that match at a score the k-th, counted down, adds k² − (k − 1)². */
  #finish() {
    const matched = this.#matched
    if (matched.length > 1) matched.sort((a, b) => b - a)
    for (const [before, scores] of matched.entries()) {
      if (scores === 0) break
      this.#squares[scores]! += 2 * before + 1
      this.#products[scores]! += matched.length
    }
    this.#sizes += matched.length ** 2
    this.#matched = []
    this.#first = -1
    this.#second = -1
  }

  /** Of pairs that match, at each score. */
  rates(): MeasuredRate[] {
    this.#finish()
    const scores = this.#of.width - 1
    const errors = new Float64Array(scores)
    const squares = new Float64Array(scores)
    const products = new Float64Array(scores)
    let sizes = 0
    let persons = 0
    for (let person = 0; person < this.#of.persons; person++) {
      const counts = this.#of.of(person)
      const size = counts.reduce((sum, count) => sum + count, 0)
      if (size === 0) continue
      persons++
      sizes += size ** 2
      let matched = 0
      for (let at = scores - 1; at >= 0; at--) {
        matched += counts[at + 1]!
        errors[at]! += matched
        squares[at]! += matched ** 2
        products[at]! += matched * size
      }
    }
    const ofPersons = { squares: fromAbove(this.#squares), products: fromAbove(this.#products) }
    const pairs = this.pairs
    // As many pairs of persons as have nobody in common.
    const apart = Math.floor(persons / 2)
    const quantile = studentQuantile(apart - 1)
    let trials = apart
    return Array.from(errors, (count, at) => {
      // Counted once for each of the two persons.
      const rate = count / 2 / pairs
      if (count === 0 || count === 2 * pairs) return exactInterval(rate, trials)
      const shared = squares[at]! - 2 * rate * products[at]! + rate ** 2 * sizes
      const own = ofPersons.squares[at + 1]! - 2 * rate * ofPersons.products[at + 1]! + rate ** 2 * this.#sizes
      trials = effectiveTrials(rate, Math.max(shared - own, own) / pairs ** 2, pairs)
      return exactInterval(rate, trials, quantile)
    })
  }
}

/** Sums from each place to the end. */
function fromAbove(numbers: Float64Array): Float64Array {
  const sums = Float64Array.from(numbers)
  for (let at = sums.length - 2; at >= 0; at--) sums[at]! += sums[at + 1]!
  return sums
}

/** Where the curves cross, on a straight line between scores; below the grid everybody matches, above it nobody. */
function equalErrorRateOf(points: readonly CurvePoint[]): number {
  let [falseMatch, falseNonMatch] = [1, 0]
  for (const rates of [...points.map((point) => [point.falseMatch.rate, point.falseNonMatch?.rate ?? 0] as const), [0, 1] as const]) {
    const before = falseMatch - falseNonMatch
    const after = rates[0] - rates[1]
    if (after <= 0) return falseMatch + (before / (before - after)) * (rates[0] - falseMatch)
    ;[falseMatch, falseNonMatch] = rates
  }
  return falseMatch
}
