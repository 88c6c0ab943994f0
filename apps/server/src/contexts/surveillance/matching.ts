/**
 * Comparison of a captured face with whom tasks look out for: one search for all tasks at the device, then for each task the nearest
 * person of its groups who is near enough.
 */
import { recordedScore } from '@gatehouse/contract/score'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { CaptureDependencies, TaskOutcome } from './captures-types.ts'
import type { WatchedPersons } from './matching-persons.ts'
import type { WatchingTask } from './watching-types.ts'

/** A face by its template, in clear. */
export interface ComparedFace {
  modelId: string
  template: Uint8Array
}

/** Return what each task that looks out at a device at a moment makes of a face; empty where none does. */
export type MatchFace = (scope: Scope, deviceId: string, capturedAt: number, face: ComparedFace) => Promise<TaskOutcome[]>

/** Persons that a search answers at most. Few people are near enough to one face; where they are more, each task is searched by itself. */
const NEAREST_MAX = 50
const NEAREST_OF_TASK_MAX = 500

export function createMatching(
  { people, faces, watching }: Pick<CaptureDependencies, 'people' | 'faces' | 'watching'>,
  persons: Pick<WatchedPersons, 'of'>,
): MatchFace {
  /** Return the persons of some groups who are near enough for the least strict of the tasks, nearest first. */
  async function nearest(scope: Scope, face: ComparedFace, tasks: readonly WatchingTask[], limit: number) {
    const only = await persons.of(scope, tasks)
    if (only.ids.size === 0) return []
    const within = faces.distanceOf(Math.min(...tasks.map(({ score }) => score)))
    return faces.search(scope, face.modelId, face.template, { limit, within, only })
  }

  /** Return what is known of persons who were found: their groups as of now, and how each is compared. */
  async function described(scope: Scope, personIds: readonly string[]) {
    const [descriptions, own] = await Promise.all([people.describe(scope, personIds), faces.matching.of(scope, personIds)])
    return new Map(descriptions.map((person) => [person.id, { ...person, threshold: own.get(person.id)?.threshold ?? null }]))
  }

  return async (callerScope, deviceId, capturedAt, face) => {
    // Whom a task finds does not depend on who is shown it.
    const scope = seeingAll(callerScope)
    const tasks = await watching.at(scope, deviceId, capturedAt)
    if (tasks.length === 0) return []

    async function outcomesOf(some: readonly WatchingTask[], found: Awaited<ReturnType<typeof nearest>>): Promise<TaskOutcome[]> {
      const facts =
        found.length === 0
          ? null
          : await described(
              scope,
              found.map(({ personId }) => personId),
            )
      return some.map((task) => {
        for (const { personId, distance } of found) {
          const person = facts!.get(personId)
          if (person === undefined || !task.groupIds.has(person.groupId)) continue
          const own = task.ownThresholds && person.threshold !== null ? { threshold: person.threshold, loosens: false } : null
          const score = faces.scoreOf(distance)
          if (score < faces.requiredOf(own, task.score)) continue
          const { name, groupId, groupName, kind } = person
          const isOnWatchList = kind === 'special'
          return { task, person: { id: personId, name, groupId, groupName, score: recordedScore(score), isOnWatchList } }
        }
        return { task, person: null }
      })
    }

    const found = await nearest(scope, face, tasks, NEAREST_MAX)
    const outcomes = await outcomesOf(tasks, found)
    if (found.length < NEAREST_MAX) return outcomes
    return Promise.all(
      outcomes.map(async (outcome) => {
        if (outcome.person !== null) return outcome
        const [again] = await outcomesOf([outcome.task], await nearest(scope, face, [outcome.task], NEAREST_OF_TASK_MAX))
        return again!
      }),
    )
  }
}
