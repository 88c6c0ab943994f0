/** Persons and doors of the state at a moment, for questions. */
import { seesAllDevices, type Scope } from '../../platform/session/session.ts'
import type { Standing, StandingDoor, StandingPerson, StrategyFacts } from '../synchronisation/index.ts'
import type { QuestionDependencies } from './dependencies.ts'

/** Return all persons these strategies cover. */
export const personsOf = (standing: Standing, strategies: readonly StrategyFacts[]): Promise<StandingPerson[]> =>
  standing.persons({
    ids: new Set(strategies.flatMap(({ personIds }) => personIds)),
    groupIds: new Set(strategies.flatMap(({ groupIds }) => [...groupIds])),
  })

/** Return the doors that the caller may see. A door deleted since is visible to a caller who sees all devices. */
export async function seenDoors(devices: QuestionDependencies['devices'], scope: Scope, { doors }: Standing): Promise<StandingDoor[]> {
  const all = [...doors.values()]
  if (seesAllDevices(scope)) return all
  const seen = new Set(
    (
      await devices.names(
        scope,
        all.map(({ id }) => id),
      )
    ).map(({ id }) => id),
  )
  return all.filter(({ id }) => seen.has(id))
}
