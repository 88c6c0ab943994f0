/**
 * What a park promises about its faces, and the score that keeps it: server, terminals and console work it out alike. Pure.
 *
 * A door promises how many of the strangers who try it get in, whatever the number of people it knows. Each stranger is
 * compared with every template there, so a single comparison may go wrong so many times more rarely as there are
 * templates (FPIR = FMR · N). Watch lists promise false alarms a day, searches wrong faces a search; both are bounded
 * in the same way by what is compared.
 */
import { rateOfScore, scoreOfRate } from '../score.ts'
import { scoreAmongOwn, type OwnCurve } from './own-curve.ts'
import { chanceAmong, type FacePurpose } from './precision.ts'

/** What is promised for each purpose. */
export interface FacePromises {
  /** Of a thousand strangers who try a door, at most so many get in. */
  strangersPerThousand: number
  /** False alarms of the watch list a day, in the park. */
  falseAlarmsPerDay: number
  /** Faces of somebody else that a search shows, on the average. */
  wrongPerSearch: number
}

export const DEFAULT_PROMISES: FacePromises = { strangersPerThousand: 10, falseAlarmsPerDay: 1, wrongPerSearch: 1 }

/** What is offered; each may be set to another value within its bounds. */
export const PROMISES_OFFERED = {
  door: [10, 1, 0.1],
  watchList: [10, 1, 0.1],
  search: [10, 1, 0.1],
} as const satisfies Record<FacePurpose, readonly number[]>

/** The loosest and the strictest promise that can be given. */
export const PROMISE_BOUNDS = { min: 0.01, max: 100 } as const

/**
 * A curve carried over to other people errs 1.2 to 1.7 times as often as it says, 2.2 times at worst: until a park's own people have been
 * measured, half of what is promised is aimed at.
 */
export const CAUTION = 2

/** What is compared until the promise has had its one chance: with whom, and how often. */
export interface Compared {
  templates: number
  /** Faces a day, for a watch list; the other purposes count a single one. */
  facesPerDay?: number
}

/** How often a single comparison may go wrong, by a curve that is sure. */
function rateAllowed(purpose: FacePurpose, promise: number, { templates, facesPerDay = 1 }: Compared, loosest: number): number {
  const mistakes = purpose === 'door' ? promise / 1000 : promise
  return Math.min(loosest, mistakes / (Math.max(1, templates) * Math.max(1, facesPerDay)))
}

/**
 * How often a single comparison may go wrong by the model's own curve.
 * @param loosest of the purpose with the model that compares: however few are compared, it is never looser
 */
export const rateKept = (purpose: FacePurpose, promise: number, compared: Compared, loosest: number): number =>
  Math.min(loosest, rateAllowed(purpose, promise, compared, 1) / CAUTION)

/**
 * The raw score that keeps a promise; it may pass 100.
 * @param own what the park's own people show, where it has been measured
 */
export function scoreKept(purpose: FacePurpose, promise: number, compared: Compared, loosest: number, own?: OwnCurve | null): number {
  const shipped = scoreOfRate(rateKept(purpose, promise, compared, loosest))
  // The worse of both. People who were measured need no caution.
  return own ? Math.max(shipped, scoreAmongOwn(own, rateAllowed(purpose, promise, compared, loosest))) : shipped
}

/**
 * Mistakes to be expected among all comparisons at a score, in the unit of the promise; the caution is left out: this
 * is what the curve says.
 */
export function mistakesAt(purpose: FacePurpose, score: number, { templates, facesPerDay = 1 }: Compared): number {
  if (purpose === 'door') return 1000 * chanceAmong(rateOfScore(score), templates)
  return rateOfScore(score) * templates * facesPerDay
}

/** Templates a device of a former version is told a threshold for: at least so many, then twice as many, and so on. */
const STEP_FROM = 100

/**
 * So many templates or more, in steps that double: a threshold for them is safe until a device has more, and its settings are not another
 * with each person who comes or goes.
 */
export function templatesRoundedUp(templates: number): number {
  let step = STEP_FROM
  while (step < templates) step *= 2
  return step
}
