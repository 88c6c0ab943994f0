/** Statuses of single persons at single devices: the rows of a page. */
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { loadLeaving, type DeviceState } from './device-states.ts'
import { pairStatusOf, type PairStatus } from './pair-status.ts'
import * as data from './status-data.ts'
import type { SynchronisationView } from './view.ts'

export interface Pair extends PairStatus {
  state: DeviceState
  personId: string
}

/**
 * Return the status of each person at each device where the person should be or is to leave. The cost grows with persons × devices:
 * pass one page of either.
 */
export async function loadPairs(
  scope: Scope,
  db: Database,
  view: SynchronisationView,
  states: readonly DeviceState[],
  personIds: readonly string[],
  now: number,
): Promise<Pair[]> {
  const audienceIds = [...new Set(states.map(({ desired }) => desired.id))]
  const [changeRows, failureRows, leaving] = await Promise.all([
    data.findChangesOf(scope, db, audienceIds, personIds),
    data.findFailures(
      scope,
      db,
      states.map(({ device }) => device.id),
      personIds,
    ),
    loadLeaving(scope, db, view, states),
  ])
  const changes = new Map(changeRows.map((row) => [`${row.audienceId}/${row.personId}`, row]))
  const failures = new Map(failureRows.map((row) => [`${row.deviceId}/${row.personId}`, row]))
  const members = new Set(
    audienceIds.flatMap((id) => personIds.filter((personId) => view.holds(scope, id, personId)).map((personId) => `${id}/${personId}`)),
  )
  // Devices that move between the same two audiences share one list.
  const sets = new Map<readonly string[], ReadonlySet<string>>()
  return states.flatMap((state) => {
    const { device, reported, desired } = state
    const list = leaving.get(state) ?? []
    const before = sets.get(list) ?? new Set(list)
    sets.set(list, before)
    return personIds.flatMap((personId) => {
      const at = `${desired.id}/${personId}`
      const facts = {
        reported,
        desired,
        member: members.has(at),
        before: before.has(personId),
        change: changes.get(at),
        failure: failures.get(`${device.id}/${personId}`),
      }
      const status = pairStatusOf(facts, now)
      return status === null ? [] : [{ ...status, state, personId }]
    })
  })
}
