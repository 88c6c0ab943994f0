/** The form of the policy: its fields as in the body of the call, filled from the policy in force. */
import type { InputOf } from '@gatehouse/contract'
import type { FaceEngineState } from '@gatehouse/contract/faces/calls'
import type { FacePolicy, facePolicyCalls } from '@gatehouse/contract/faces/policy'
import type { FacePurpose } from '@gatehouse/contract/faces/precision'
import { scoreKept, type FacePromises } from '@gatehouse/contract/faces/promise'
import { falseNonMatchAt } from '../rates.ts'

/** Values with their version: where another user has changed the policy meanwhile, saving is refused and overwrites nothing. */
export type PolicyValues = InputOf<typeof facePolicyCalls.change.body>

/** The field of the form for the promise of each purpose. */
export const PROMISE_FIELDS = {
  door: 'strangersPerThousand',
  watchList: 'falseAlarmsPerDay',
  search: 'wrongPerSearch',
} as const satisfies Record<FacePurpose, keyof FacePromises>

export type Purpose = FacePolicy['purposes'][number]
export type Meaning = Pick<Purpose, 'score' | 'falseNonMatchRate' | 'falseNonMatchRateOfTwo' | 'supported'>

export function policyValuesOf({ purposes, margin, lookAlikeMargin, photosWanted, liveness, version }: FacePolicy): PolicyValues {
  const values = Object.fromEntries(purposes.map(({ purpose, promise }) => [PROMISE_FIELDS[purpose], promise]))
  // The policy has each purpose once.
  const promises = values as Record<keyof FacePromises, number>
  const { mode, threshold } = liveness
  return { ...promises, margin, lookAlikeMargin, photosWanted, liveness: { mode, threshold }, version }
}

/**
 * Return what a promise means: as the policy states it for an offered one, calculated in the same way for a typed number.
 * @param own curve of how alike the persons of the park are
 */
export function meaningOf(purpose: Purpose, curve: FaceEngineState['curve'], promise: number, own: FacePolicy['curve']): Meaning {
  const offered = [purpose, ...purpose.offers].find((offer) => offer.promise === promise)
  if (offered) return offered
  const { templates, facesPerDay, loosest } = purpose
  const parameters = [purpose.purpose, promise, { templates, ...(facesPerDay !== null && { facesPerDay }) }, loosest] as const
  const score = scoreKept(...parameters, purpose.purpose === 'door' ? own : null)
  const strictest = Math.max(...curve.map((point) => point.score))
  return {
    score,
    falseNonMatchRate: falseNonMatchAt(curve, score),
    falseNonMatchRateOfTwo: null,
    supported: scoreKept(...parameters) <= strictest,
  }
}

/** Return a promise in whole numbers: so many of a thousand strangers, or one of more of them. */
export function strangersOf(perThousand: number): { strangers: number; among: number } {
  return perThousand >= 1 ? { strangers: perThousand, among: 1000 } : { strangers: 1, among: Math.round(1000 / perThousand) }
}
