/**
 * Comparison of the people of a park with one another, as a door compares: one photograph against the stored template or
 * templates of the other. Pure.
 */
import { joins, meanOf, ofMean, samePictureDistance, scoreOf, type Calibration } from '@gatehouse/face-engine'
import { doubtfulFrom, fitOwnCurve, holdoutOf, type OwnFit, type ScoredPairs } from '@gatehouse/face-engine/measure/own-curve'
import type { Measured } from './own-curve-schema.ts'
import { distanceBetween, genuinePairs, type ReportGallery } from './report-pairs.ts'

/** People with their photographs, as passed from one thread to another. */
export interface OwnCurveTask {
  gallery: ReportGallery
  calibration: Calibration
  /** Pairs that never count, by both numbers: doors know that they look alike, or they are one person registered twice. */
  left: readonly (readonly [number, number])[]
  /** Pairs that a user has confirmed to be two persons. */
  answeredPairs: readonly (readonly [number, number])[]
  /** Numbers of the persons who may come to certain doors. */
  audiences: readonly { id: string; persons: Uint32Array }[]
}

export interface DoubtfulPair {
  first: number
  second: number
  score: number
}

export interface OwnCurveResult extends Omit<Measured, 'persons' | 'passed'> {
  doubtful: DoubtfulPair[]
}

const DOUBTFUL_KEPT = 200
/** Share of the park's people above which an audience is not measured separately. */
const MOST_OF_PARK = 0.9
/** Largest number of stored scores of pairs of one person. */
const GENUINE_KEPT = 500
/** Steps of the table that turns distances of a model into scores. */
const STEPS = 8192

/**
 * Return a function from distance to score that uses a table: a curve consists of a few straight lines, and millions of distances
 * are converted.
 */
function scoresOf(calibration: Calibration): (distance: number) => number {
  const table = Float64Array.from({ length: STEPS + 1 }, (_, step) => scoreOf(calibration, (step / STEPS) * calibration.unlike))
  return (distance) => {
    const place = Math.min(STEPS, (distance / calibration.unlike) * STEPS)
    const step = Math.min(STEPS - 1, Math.floor(place))
    return table[step]! + (place - step) * (table[step + 1]! - table[step]!)
  }
}

/**
 * Measure how alike the people of a park are.
 * @param onCompared called now and then with the number of pairs compared since the last call
 */
export function measureOwn(task: OwnCurveTask, onCompared: (pairs: number) => void): OwnCurveResult {
  const { gallery, calibration, left, answeredPairs, audiences } = task
  const { starts } = gallery
  const persons = starts.length - 1
  const key = (one: number, other: number) => Math.min(one, other) * persons + Math.max(one, other)
  const [leftOut, answered] = [left, answeredPairs].map((pairs) => new Set(pairs.map(([one, other]) => key(one, other)))) as [
    Set<number>,
    Set<number>,
  ]

  const { photographs, doors } = templatesAtDoors(gallery, calibration)
  const scores = new Map([...new Set([1, ...photographs])].map((count) => [count, scoresOf(ofMean(calibration, count))]))

  const all = (persons * (persons - 1)) / 2
  const pairs: ScoredPairs = { first: new Uint32Array(all), second: new Uint32Array(all), score: new Float32Array(all) }
  let place = 0
  for (let first = 0; first < persons; first++) {
    for (let second = first + 1; second < persons; second++, place++) {
      // Each person is as often the one who comes as the one who is stored.
      const [comes, stays] = (first + second) % 2 === 0 ? [first, second] : [second, first]
      pairs.first[place] = first
      pairs.second[place] = second
      pairs.score[place] = scores.get(photographs[stays]!)!(distanceBetween(doors, starts[comes]!, starts[persons]! + stays))
    }
    onCompared(persons - first - 1)
  }
  const isIn = (some: ReadonlySet<number>, at: number) => some.has(key(pairs.first[at]!, pairs.second[at]!))
  const candidates = Uint32Array.from(pairs.score, (_, at) => at).filter((at) => !isIn(leftOut, at))
  // At most the score of the same picture twice, whatever the other pairs score.
  const from = Math.min(doubtfulFrom(pairs, candidates), scoreOf(calibration, samePictureDistance(calibration)))
  const isDoubtful = (at: number) => pairs.score[at]! >= from && !isIn(answered, at)
  const places = candidates.filter((at) => !isDoubtful(at))
  const doubtful = Array.from(candidates.filter(isDoubtful), (at) => ({
    first: pairs.first[at]!,
    second: pairs.second[at]!,
    score: pairs.score[at]!,
  }))
  const fit = fitOwnCurve(pairs, places)
  return {
    fit,
    heldOut: holdoutOf(pairs, places),
    audiences: fit === null ? [] : audiences.flatMap(({ id, persons: some }) => moreAlike(id, pairs, places, some, persons, fit)),
    genuine: genuineScores(task, scores.get(1)!),
    doubtful: doubtful.toSorted((one, other) => other.score - one.score).slice(0, DOUBTFUL_KEPT),
  }
}

/**
 * Return an audience whose people are more alike than those of the park, by more than half its interval; otherwise nothing.
 * Chance alone causes this once in six times, and a slightly too strict door is the lesser evil. It gets the trust of the park it
 * is a part of.
 */
function moreAlike(
  id: string,
  pairs: ScoredPairs,
  places: Uint32Array,
  some: Uint32Array,
  persons: number,
  park: OwnFit,
): Measured['audiences'] {
  // An audience of nearly everybody is the park itself.
  if (some.length > MOST_OF_PARK * persons) return []
  const isThere = new Uint8Array(persons)
  for (const person of some) isThere[person] = 1
  const fit = fitOwnCurve(
    pairs,
    places.filter((place) => isThere[pairs.first[place]!] === 1 && isThere[pairs.second[place]!] === 1),
  )
  if (fit === null || (fit.at.score + fit.at.low) / 2 <= park.at.score) return []
  return [{ id, fit: { ...fit, trust: park.trust } }]
}

/** Return the templates that doors store of each person, appended to all photographs, and the number of photographs in each. */
function templatesAtDoors({ dimensions, embeddings, starts }: ReportGallery, calibration: Calibration) {
  const persons = starts.length - 1
  const all = new Float32Array(embeddings.length + persons * dimensions)
  all.set(embeddings)
  const photographs = Array.from({ length: persons }, (_, person) => {
    const own = starts[person + 1]! - starts[person]!
    const joined = joins(calibration, own) ? own : 1
    const photos = Array.from({ length: joined }, (_photo, rank) => {
      const from = (starts[person]! + rank) * dimensions
      return embeddings.subarray(from, from + dimensions)
    })
    all.set(meanOf(photos), embeddings.length + person * dimensions)
    return joined
  })
  return { photographs, doors: { dimensions, embeddings: all, starts } }
}

/** Return the scores of persons compared by one photograph with another of their own; two copies of one picture do not count. */
function genuineScores({ gallery, calibration }: OwnCurveTask, scoreAt: (distance: number) => number): Measured['genuine'] {
  const same = samePictureDistance(calibration)
  const scores: number[] = []
  const everybody = Uint32Array.from({ length: gallery.starts.length - 1 }, (_, person) => person)
  genuinePairs(gallery, everybody, (_first, _second, distance) => {
    if (distance > same) scores.push(scoreAt(distance))
  })
  scores.sort((one, other) => one - other)
  const kept = Math.min(scores.length, GENUINE_KEPT)
  return { pairs: scores.length, scores: Array.from({ length: kept }, (_, at) => scores[Math.floor(((at + 0.5) * scores.length) / kept)]!) }
}
