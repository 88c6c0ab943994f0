/** The persons of groups, by which captures are searched: in memory, forgotten when people or groups of the park change. */
import { PersonList } from '../faces/index.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { CaptureDependencies } from './captures-types.ts'
import type { WatchingTask } from './watching-types.ts'

export interface WatchedPersons {
  /** The persons whom these tasks look out for; the groups below their groups are among these. Disabled and expired persons too. */
  of(scope: Scope, tasks: readonly Pick<WatchingTask, 'groupIds'>[]): Promise<PersonList>
  /** Read them again, as people, groups or tasks of the park changed. */
  forget(scope: Scope): void
}

/** Lists that are remembered for a park; cameras have few different combinations of tasks. */
const LISTS_MAX = 200

export function createWatchedPersons({ people }: Pick<CaptureDependencies, 'people'>): WatchedPersons {
  const ofParks = new Map<string, Map<string, Promise<PersonList>>>()
  /** The groups of a task are the same set for each capture: by a number for it, not by its ids, a list is found without reading them. */
  const numbers = new WeakMap<ReadonlySet<string>, number>()
  let given = 0

  function numberOf(groupIds: ReadonlySet<string>): number {
    let number = numbers.get(groupIds)
    if (number === undefined) numbers.set(groupIds, (number = ++given))
    return number
  }

  return {
    of(scope, tasks) {
      let lists = ofParks.get(scope.parkId)
      if (lists === undefined) ofParks.set(scope.parkId, (lists = new Map()))
      const key = tasks
        .map(({ groupIds }) => numberOf(groupIds))
        .toSorted((one, other) => one - other)
        .join()
      const cached = lists.get(key)
      if (cached !== undefined) return cached
      if (lists.size >= LISTS_MAX) lists.clear()
      const groupIds = new Set(tasks.flatMap((task) => [...task.groupIds]))
      const reading = people.idsInGroups(scope, [...groupIds]).then((ids) => new PersonList(ids))
      lists.set(key, reading)
      // The next capture reads again. A list that was forgotten meanwhile is in no map any more.
      reading.catch(() => lists.delete(key))
      return reading
    },
    forget: ({ parkId }) => void ofParks.delete(parkId),
  }
}
