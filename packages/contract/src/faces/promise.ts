/**
 * Recognition promises of a park, and the score that keeps it: server, terminals and console compute it in the same way. Pure.
 *
 * A door promises how many of the strangers who try it are admitted, whatever the number of people it stores. Each stranger is compared
 * with every template there, so the error rate of a single comparison must be lower by the number of templates (FPIR = FMR · N). Watch
 * lists promise false alarms a day, searches wrong faces a search; both are limited in the same way by the number of comparisons.
 */
import { rateOfScore, scoreOfRate } from '../score.ts'
import { scoreAmongOwn, type OwnCurve } from './own-curve.ts'
import { chanceAmong, type FacePurpose } from './precision.ts'

/** Promise for each purpose. */
export interface FacePromises {
  /** Strangers admitted, of 1,000 who try a door, at most. */
  strangersPerThousand: number
  /** False alarms of the watch list a day, in the park. */
  falseAlarmsPerDay: number
  /** Wrong faces among the hits of a search, on average. */
  wrongPerSearch: number
}

export const DEFAULT_PROMISES: FacePromises = { strangersPerThousand: 10, falseAlarmsPerDay: 1, wrongPerSearch: 1 }

/** Promises that forms offer; each can be set to another value within its bounds. */
export const PROMISES_OFFERED = {
  door: [10, 1, 0.1],
  watchList: [10, 1, 0.1],
  search: [10, 1, 0.1],
} as const satisfies Record<FacePurpose, readonly number[]>

/** The strictest and the loosest promise that can be set. */
export const PROMISE_BOUNDS = { min: 0.01, max: 100 } as const

/**
 * A curve applied to other people has 1.2 to 1.7 times, at worst 2.2 times, the errors that it states: until a park's own people are
 * measured, half of the promised errors is the target.
 */
export const CAUTION = 2

/** Number of comparisons within which a promise counts its mistakes. */
export interface Compared {
  templates: number
  /** Faces a day, for a watch list; 1 for the other purposes. */
  facesPerDay?: number
}

/** Return the allowed error rate of a single comparison, without the caution factor: for a curve that needs none. */
function rateAllowed(purpose: FacePurpose, promise: number, { templates, facesPerDay = 1 }: Compared, loosest: number): number {
  const mistakes = purpose === 'door' ? promise / 1000 : promise
  return Math.min(loosest, mistakes / (Math.max(1, templates) * Math.max(1, facesPerDay)))
}

/**
 * Return the allowed error rate of a single comparison by the model's own curve.
 * @param loosest highest rate of the purpose with the comparing model, however few are compared
 */
export const rateKept = (purpose: FacePurpose, promise: number, compared: Compared, loosest: number): number =>
  Math.min(loosest, rateAllowed(purpose, promise, compared, 1) / CAUTION)

/**
 * Return the raw score that keeps a promise; it can exceed 100.
 * @param own curve of the park's own people, if measured
 */
export function scoreKept(purpose: FacePurpose, promise: number, compared: Compared, loosest: number, own?: OwnCurve | null): number {
  const shipped = scoreOfRate(rateKept(purpose, promise, compared, loosest))
  // The higher of both. Measured people need no caution factor.
  return own ? Math.max(shipped, scoreAmongOwn(own, rateAllowed(purpose, promise, compared, loosest))) : shipped
}

/**
 * Return the mistakes to be expected among all comparisons at a score, in the unit of the promise, without the caution factor: as the curve
 * states.
 */
export function mistakesAt(purpose: FacePurpose, score: number, { templates, facesPerDay = 1 }: Compared): number {
  if (purpose === 'door') return 1000 * chanceAmong(rateOfScore(score), templates)
  return rateOfScore(score) * templates * facesPerDay
}

/** Numbers of templates for which a device of a former version receives a threshold: at least this many, then doubled repeatedly. */
const STEP_FROM = 100

/**
 * Return at least this number of templates, in steps that double: a threshold for it is safe until a device stores more, and the device's
 * settings do not change with each person who is added or removed.
 */
export function templatesRoundedUp(templates: number): number {
  let step = STEP_FROM
  while (step < templates) step *= 2
  return step
}
