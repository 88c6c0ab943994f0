/**
 * The figures by which recognition is compared with others: verification of pairs, and search of a list in which not
 * everybody is enrolled.
 */
import type { MeasuredRate } from '@gatehouse/contract/faces/report'
import { randomOf } from '../portrait/random.ts'
import { rateByPersons } from './clusters.ts'
import { exactInterval } from './interval.ts'

/** Two photographs and how far they are apart. Persons are numbered from 0; one number twice: a genuine pair. */
export interface ComparedPair {
  first: number
  second: number
  distance: number
}

/** A photograph searched in a list of everybody, once as a person of the list and once as a stranger to it. */
export interface Probe {
  person: number
  /** Distance of the same person's enrolment. */
  mate: number
  /** Distances of the nearest and the second nearest other person. */
  others: readonly [number, number]
}

const distanceOfPair = ({ distance }: ComparedPair): number => distance

interface Resampling {
  /** Draws of persons with replacement. */
  draws?: number
  seed?: string
}

export interface VerificationFigures {
  equalErrorRate: MeasuredRate
  /** Of genuine pairs, how many match where this share of impostor pairs does (TAR at FAR). */
  trueAccepts: { falseAcceptRate: number; accepted: MeasuredRate }[]
}

/**
 * Verification: every pair once. Intervals by persons: persons are drawn with replacement, a pair weighs as often as both of its persons
 * were drawn.
 * @throws RangeError without pairs of both kinds
 */
export function verificationFigures(
  pairs: readonly ComparedPair[],
  { falseAcceptRates, draws, seed }: Resampling & { falseAcceptRates: readonly number[] },
): VerificationFigures {
  const byDistance = pairs.toSorted((a, b) => a.distance - b.distance)
  const genuine = byDistance.filter(({ first, second }) => first === second)
  const impostors = byDistance.filter(({ first, second }) => first !== second)
  if (genuine.length === 0 || impostors.length === 0) throw new RangeError('figures need pairs of one person and pairs of different people')
  const persons = 1 + pairs.reduce((highest, { first, second }) => Math.max(highest, first, second), 0)
  const intervals = resampled(persons, { draws, seed }, (times) => {
    const steps = stepsOf(
      { items: genuine, distance: distanceOfPair, weight: ({ first }) => times[first]! },
      { items: impostors, distance: distanceOfPair, weight: ({ first, second }) => times[first]! * times[second]! },
    )
    return [equalErrorRateOf(steps), ...falseAcceptRates.map((rate) => steps.findLast(({ falseAccepts }) => falseAccepts <= rate)!.accepts)]
  })
  return {
    equalErrorRate: intervals[0]!,
    trueAccepts: falseAcceptRates.map((falseAcceptRate, at) => ({ falseAcceptRate, accepted: intervals[at + 1]! })),
  }
}

export interface SearchFigures {
  /** Of probes of enrolled persons, how often their own enrolment comes first. */
  rankOne: MeasuredRate
  /** FNIR at FPIR: of probes of enrolled persons, how many are farther from their enrolment than the distance asked for. */
  missed: MeasuredRate
  /** The share of strangers that passes at that distance: at most what was asked for, for strangers are counted in whole numbers. */
  falsePositives: number
  /** What was asked of a probe and its enrolment to get there. */
  distance: number
}

/**
 * Search of an open set, as NIST's FRTE 1:N counts it: a probe of an enrolled person misses when its enrolment is farther than a distance
 * that at most `falsePositiveRate` of strangers' nearest enrolments keep. Intervals by persons; the list itself stays as it is.
 * @throws RangeError without probes
 */
export function searchFigures(
  probes: readonly Probe[],
  { falsePositiveRate, draws, seed }: Resampling & { falsePositiveRate: number },
): SearchFigures {
  if (probes.length === 0) throw new RangeError('figures need probes')
  const mated = probes.toSorted((a, b) => a.mate - b.mate)
  const strangers = probes.toSorted((a, b) => a.others[0] - b.others[0])
  const persons = 1 + probes.reduce((highest, { person }) => Math.max(highest, person), 0)
  const stepOf = (times: readonly number[]) => {
    const weight = ({ person }: Probe) => times[person]!
    const steps = stepsOf(
      { items: mated, distance: ({ mate }) => mate, weight },
      { items: strangers, distance: ({ others }) => others[0], weight },
    )
    return steps.findLast(({ falseAccepts }) => falseAccepts <= falsePositiveRate)!
  }
  const [missed] = resampled(persons, { draws, seed }, (times) => [1 - stepOf(times).accepts])
  const { falseAccepts, distance } = stepOf(Array.from({ length: persons }, () => 1))
  return { rankOne: rateByPersons(probes, ({ mate, others }) => mate < others[0]), missed: missed!, falsePositives: falseAccepts, distance }
}

export interface LeadEffect {
  /** Persons of the list who are refused as strangers. */
  refused: MeasuredRate
  /** Persons of the list who are taken for somebody else. */
  mistaken: MeasuredRate
  /** Strangers who are taken for somebody. */
  strangersAccepted: MeasuredRate
}

/**
 * What it does to ask that the best person leads the second best.
 * @param accepted by the distances of the best person and of the second best
 */
export function leadEffect(probes: readonly Probe[], accepted: (best: number, second: number) => boolean): LeadEffect {
  const outcomes = probes.map(({ person, mate, others: [nearest, next] }) => {
    const own = mate < nearest
    const isAccepted = own ? accepted(mate, nearest) : accepted(nearest, Math.min(mate, next))
    return { person, refused: !isAccepted, mistaken: isAccepted && !own, stranger: accepted(nearest, next) }
  })
  return {
    refused: rateByPersons(outcomes, ({ refused }) => refused),
    mistaken: rateByPersons(outcomes, ({ mistaken }) => mistaken),
    strangersAccepted: rateByPersons(outcomes, ({ stranger }) => stranger),
  }
}

/** Shares accepted up to a distance. */
interface Step {
  distance: number
  accepts: number
  falseAccepts: number
}

interface Weighed<Item> {
  /** By rising distance. */
  items: readonly Item[]
  distance: (item: Item) => number
  weight: (item: Item) => number
}

/**
 * Both shares at the distance of each genuine item, from nobody to everybody: between two of them a wider distance only
 * lets more impostors in.
 */
function stepsOf<Item>(genuine: Weighed<Item>, impostors: Weighed<Item>): Step[] {
  const total = ({ items, weight }: Weighed<Item>) => items.reduce((sum, item) => sum + weight(item), 0)
  const [allGenuine, allImpostors] = [total(genuine), total(impostors)]
  const steps: Step[] = [{ distance: 0, accepts: 0, falseAccepts: 0 }]
  let [accepted, falselyAccepted, at] = [0, 0, 0]
  for (const item of genuine.items) {
    const distance = genuine.distance(item)
    for (; at < impostors.items.length && impostors.distance(impostors.items[at]!) <= distance; at++)
      falselyAccepted += impostors.weight(impostors.items[at]!)
    accepted += genuine.weight(item)
    steps.push({ distance, accepts: accepted / allGenuine, falseAccepts: falselyAccepted / allImpostors })
  }
  return [...steps, { distance: Infinity, accepts: 1, falseAccepts: 1 }]
}

/** Where as many genuine ones are refused as false ones accepted, on a straight line between steps. */
function equalErrorRateOf(steps: readonly Step[]): number {
  const at = steps.findIndex(({ accepts, falseAccepts }) => falseAccepts >= 1 - accepts)
  const [from, to] = [steps[at - 1]!, steps[at]!]
  const before = 1 - from.accepts - from.falseAccepts
  const after = 1 - to.accepts - to.falseAccepts
  return from.falseAccepts + (before / (before - after)) * (to.falseAccepts - from.falseAccepts)
}

/**
 * Figures with their intervals: the middle 95 % of what they come to when persons are drawn with replacement (Efron's percentiles). Where a
 * figure is 0 or 1 draws do not vary it: the exact bound of as many trials as persons.
 *
 * @param figures by how often each person was drawn
 */
function resampled(
  persons: number,
  { draws = 400, seed = 'persons' }: Resampling,
  figures: (times: readonly number[]) => number[],
): MeasuredRate[] {
  const random = randomOf(seed)
  const found = figures(Array.from({ length: persons }, () => 1))
  const drawn = Array.from({ length: draws }, () => {
    const times = Array.from({ length: persons }, () => 0)
    for (let draw = 0; draw < persons; draw++) times[Math.floor(random.next() * persons)]!++
    return figures(times)
  })
  return found.map((rate, figure) => {
    if (rate <= 0 || rate >= 1) return exactInterval(rate, persons)
    const values = drawn
      .map((of) => of[figure]!)
      .filter(Number.isFinite)
      .toSorted((a, b) => a - b)
    const at = (share: number) => values[Math.round(share * (values.length - 1))] ?? rate
    return { rate, low: Math.min(rate, at(0.025)), high: Math.max(rate, at(0.975)) }
  })
}
