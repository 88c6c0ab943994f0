/** The persons of groups, by which captures are searched: in memory, forgotten when people or groups of the park change. */
import type { Scope } from '../../platform/session/session.ts'
import type { CaptureDependencies } from './captures-types.ts'

export interface WatchedPersons {
  /** Ids of the persons in these groups; the groups below them are among the groups. Disabled and expired persons too. */
  of(scope: Scope, groupIds: ReadonlySet<string>): Promise<ReadonlySet<string>>
  /** Read them again, as people or groups of the park changed. */
  forget(scope: Scope): void
}

/** Sets of groups that are remembered for a park; tasks have few different ones. */
const SETS_MAX = 200

export function createWatchedPersons({ people }: Pick<CaptureDependencies, 'people'>): WatchedPersons {
  const ofParks = new Map<string, Map<string, Promise<ReadonlySet<string>>>>()

  return {
    of(scope, groupIds) {
      let sets = ofParks.get(scope.parkId)
      if (sets === undefined) ofParks.set(scope.parkId, (sets = new Map()))
      const key = [...groupIds].toSorted().join()
      const cached = sets.get(key)
      if (cached !== undefined) return cached
      if (sets.size >= SETS_MAX) sets.clear()
      const reading = people.idsInGroups(scope, [...groupIds]).then((ids) => new Set(ids))
      sets.set(key, reading)
      // The next capture reads again. A set that was forgotten meanwhile is in no map any more.
      reading.catch(() => sets.delete(key))
      return reading
    },
    forget: ({ parkId }) => void ofParks.delete(parkId),
  }
}
