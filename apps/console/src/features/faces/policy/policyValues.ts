/** The form of the policy: its fields as the call's body names them, filled from the policy that holds. */
import type { InputOf } from '@gatehouse/contract'
import type { FaceEngineState } from '@gatehouse/contract/faces/calls'
import type { FacePolicy, facePolicyCalls } from '@gatehouse/contract/faces/policy'
import type { FacePurpose } from '@gatehouse/contract/faces/precision'
import { scoreKept, type FacePromises } from '@gatehouse/contract/faces/promise'
import { falseNonMatchAt } from '../rates.ts'

/** The version goes along with the values it belongs to: what was changed elsewhere meanwhile is refused, never overwritten. */
export type PolicyValues = InputOf<typeof facePolicyCalls.change.body>

/** What is promised for a purpose, and the field it is promised in. */
export const PROMISE_FIELDS = {
  door: 'strangersPerThousand',
  watchList: 'falseAlarmsPerDay',
  search: 'wrongPerSearch',
} as const satisfies Record<FacePurpose, keyof FacePromises>

export type Purpose = FacePolicy['purposes'][number]
export type Meaning = Pick<Purpose, 'score' | 'falseNonMatchRate' | 'falseNonMatchRateOfTwo' | 'supported'>

export function policyValuesOf({ purposes, margin, lookAlikeMargin, photosWanted, liveness, version }: FacePolicy): PolicyValues {
  const promises = Object.fromEntries(purposes.map(({ purpose, promise }) => [PROMISE_FIELDS[purpose], promise])) as unknown as FacePromises
  const { mode, threshold } = liveness
  return { ...promises, margin, lookAlikeMargin, photosWanted, liveness: { mode, threshold }, version }
}

/**
 * What a promise takes: as the policy tells it for what is offered, reckoned in the same way for a number of one's own.
 * @param own how alike the people of the park are
 */
export function meaningOf(purpose: Purpose, curve: FaceEngineState['curve'], promise: number, own: FacePolicy['curve']): Meaning {
  const known = [purpose, ...purpose.offers].find((offer) => offer.promise === promise)
  if (known) return known
  const { templates, facesPerDay, loosest } = purpose
  const asked = [purpose.purpose, promise, { templates, ...(facesPerDay !== null && { facesPerDay }) }, loosest] as const
  const score = scoreKept(...asked, purpose.purpose === 'door' ? own : null)
  const strictest = Math.max(...curve.map((point) => point.score))
  return {
    score,
    falseNonMatchRate: falseNonMatchAt(curve, score),
    falseNonMatchRateOfTwo: null,
    supported: scoreKept(...asked) <= strictest,
  }
}

/** How a promise is said: so many of a thousand strangers, or one of more of them. */
export function strangersOf(perThousand: number): { strangers: number; among: number } {
  return perThousand >= 1 ? { strangers: perThousand, among: 1000 } : { strangers: 1, among: Math.round(1000 / perThousand) }
}
