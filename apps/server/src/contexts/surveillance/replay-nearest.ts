/** The person that each of many captures would be taken for, whatever the threshold: by the comparison that captures go through. */
import type { Scope } from '../../platform/session/session.ts'
import type { ReplayDependencies } from './replay-types.ts'

/** The nearest person, and by which raw score. */
export interface NearestPerson {
  personId: string
  score: number
}

/** @returns for each face the nearest person who is not excluded by an own threshold, in the order of the faces; null: nobody */
export type NearestPersons = (scope: Scope, faces: readonly Float32Array[]) => Promise<(NearestPerson | null)[]>

/** Persons who are looked at for one face where some have own thresholds: first, and where none of these is near enough for their own. */
const FIRST = 5
const MANY = 500

/**
 * @param ownThresholds whether a person's own threshold counts. It only ever makes it stricter, so that who misses it misses every
 *   threshold of the task, and the nearest of the others is the one for each threshold.
 */
export async function createNearestPersons(
  scope: Scope,
  faces: ReplayDependencies['faces'],
  personIds: readonly string[],
  ownThresholds: boolean,
): Promise<NearestPersons> {
  const only = new Set(personIds)
  const own = new Map<string, number>()
  if (ownThresholds)
    for (const [id, { threshold }] of await faces.matching.of(scope, personIds)) if (threshold !== null) own.set(id, threshold)
  const scoreNeeded = (personId: string): number => {
    const threshold = own.get(personId)
    return threshold === undefined ? 0 : faces.requiredOf({ threshold, loosens: false }, 0)
  }

  /** Return the first of these matches that counts; undefined: none, and there may be others behind them. */
  function firstOf(matches: readonly { personId: string; distance: number }[], limit: number): NearestPerson | null | undefined {
    for (const { personId, distance } of matches) {
      const score = faces.scoreOf(distance)
      if (score >= scoreNeeded(personId)) return { personId, score }
    }
    return matches.length < limit || limit === MANY ? null : undefined
  }

  return async (caller, embeddings) => {
    if (only.size === 0) return embeddings.map(() => null)
    const limit = own.size === 0 ? 1 : FIRST
    const found = (await faces.searchEach(caller, embeddings, { limit, only })).map((matches) => firstOf(matches, limit))
    const open = found.flatMap((one, index) => (one === undefined ? index : []))
    const more = await faces.searchEach(
      caller,
      open.map((index) => embeddings[index]!),
      { limit: MANY, only },
    )
    for (const [at, index] of open.entries()) found[index] = firstOf(more[at]!, MANY)
    return found.map((one) => one ?? null)
  }
}
