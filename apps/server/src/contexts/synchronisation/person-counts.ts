/** Counts of single persons over many devices: numbers only, so that a page of persons costs little at a thousand devices. */
import type { SyncCounts } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { count, countFailed, loadLeaving, noCounts, type DeviceState } from './device-states.ts'
import { changeSince, waitingStatus } from './pair-status.ts'
import * as data from './status-data.ts'
import type { SynchronisationView } from './view.ts'

export async function loadPersonCounts(
  scope: Scope,
  db: Database,
  view: SynchronisationView,
  states: readonly DeviceState[],
  personIds: readonly string[],
  now: number,
): Promise<Map<string, SyncCounts>> {
  const audiences = new Map<string, DeviceState[]>()
  for (const state of states) {
    const existing = audiences.get(state.desired.id)
    if (existing === undefined) audiences.set(state.desired.id, [state])
    else existing.push(state)
  }
  const following = states.filter(({ behind }) => behind === null).map(({ device }) => device.id)
  const [changes, failures, leaving] = await Promise.all([
    data.findChangesOf(scope, db, [...audiences.keys()], personIds),
    data.countFailuresOf(scope, db, following, personIds),
    loadLeaving(scope, db, view, states),
  ])
  const counted = new Map(personIds.map((id) => [id, noCounts()]))
  for (const [audienceId, devices] of audiences) {
    const behind = noCounts()
    for (const state of devices) if (state.behind !== null) count(behind, waitingStatus(state.behind, false, now))
    const follows = devices.filter((state) => state.behind === null)
    const changeOf = new Map(changes.filter((change) => change.audienceId === audienceId).map((change) => [change.personId, change]))
    for (const personId of personIds) {
      const counts = counted.get(personId)!
      const change = changeOf.get(personId)
      if (view.holds(scope, audienceId, personId)) {
        let untaken = 0
        for (const { reported } of follows) {
          if (change === undefined || change.seq <= reported.cursor) continue
          count(counts, waitingStatus(changeSince(change, reported), false, now))
          untaken++
        }
        count(counts, personSyncStatus.syncing, behind.syncing)
        count(counts, personSyncStatus.overtime, behind.overtime)
        count(counts, personSyncStatus.success, follows.length - untaken)
      } else if (change !== undefined) {
        for (const { reported, standing } of devices)
          if (standing !== 'elsewhere' && change.seq > reported.cursor)
            count(counts, waitingStatus(changeSince(change, reported), true, now))
      }
    }
  }
  for (const [personId, failed] of failures) {
    countFailed(counted.get(personId)!, failed)
  }
  const lists = new Map<readonly string[], ReadonlySet<string>>()
  for (const [{ reported }, list] of leaving) {
    const persons = lists.get(list) ?? new Set(list)
    lists.set(list, persons)
    for (const personId of personIds)
      if (persons.has(personId)) count(counted.get(personId)!, waitingStatus(reported.assignedAt, true, now))
  }
  return counted
}
