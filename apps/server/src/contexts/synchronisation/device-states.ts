/**
 * What devices store compared with what they should store: the basis of all views. The cost grows with the number of
 * requested devices, of changes not taken, and of failures.
 */
import type { SyncCounts } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { behindSince, changeSince, standingOf, STATUS_ORDER, waitingStatus, type Standing } from './pair-status.ts'
import * as data from './status-data.ts'
import type { AudienceState, SynchronisationView } from './view.ts'

/** A device of the register, as lists show it. */
export interface ListedDevice {
  id: string
  name: string
  code: string
  onlineStatus: number
  lastSeenAt: number | null
  onlineSince: number | null
}

export interface DeviceState {
  device: ListedDevice
  reported: data.ReportRow
  desired: AudienceState
  standing: Standing
  /** Epoch milliseconds since which all persons at the device are pending; null if each change counts on its own. */
  behind: number | null
}

/** A change that a device has not taken. */
export interface Untaken extends data.ChangeRow {
  /** Whether the person should be at the devices of the audience; otherwise the devices are to delete the person. */
  member: boolean
}

const COUNT_OF = {
  [personSyncStatus.syncing]: 'syncing',
  [personSyncStatus.failed]: 'failed',
  [personSyncStatus.success]: 'success',
  [personSyncStatus.deleting]: 'deleting',
  [personSyncStatus.overtime]: 'overtime',
  [personSyncStatus.photoMissing]: 'photoMissing',
} as const satisfies Record<number, keyof SyncCounts>

export const noCounts = (): SyncCounts => ({ syncing: 0, failed: 0, success: 0, deleting: 0, overtime: 0, photoMissing: 0 })

export function count(counts: SyncCounts, status: number, persons = 1): void {
  const name = (COUNT_OF as Record<number, keyof SyncCounts>)[status]
  if (name !== undefined) counts[name] += persons
}

/** Return the most urgent status; success if there are no persons. */
export const worstOf = (counts: SyncCounts): number =>
  STATUS_ORDER.find((status) => counts[(COUNT_OF as Record<number, keyof SyncCounts>)[status]!] > 0) ?? personSyncStatus.success

/** Return the states of those devices that are in the register. A device without a stored report stores nothing. */
export async function loadStates(
  scope: Scope,
  db: Database,
  view: SynchronisationView,
  devices: readonly ListedDevice[],
  now: number,
): Promise<DeviceState[]> {
  const rows = new Map(
    (
      await data.findReportRows(
        scope,
        db,
        devices.map(({ id }) => id),
      )
    ).map((row) => [row.deviceId, row]),
  )
  return devices.flatMap((device) => {
    const desired = view.audienceOf(scope, device.id)
    if (desired === null) return []
    const reported = rows.get(device.id) ?? {
      deviceId: device.id,
      audienceId: null,
      cursor: 0,
      failed: 0,
      assignedAt: desired.updatedAt || now,
    }
    return [{ device, reported, desired, standing: standingOf(reported, desired), behind: behindSince(reported, desired) }]
  })
}

/**
 * Return the changes that at least one of the devices has not taken, by audience, in the order of their numbers. Each
 * audience is read once, starting from its slowest device.
 */
export async function loadUntaken(
  scope: Scope,
  db: Database,
  view: SynchronisationView,
  states: readonly DeviceState[],
): Promise<Map<string, Untaken[]>> {
  const slowest = new Map<string, number>()
  for (const { reported, desired, standing } of states) {
    if (standing === 'elsewhere' || reported.cursor >= desired.head) continue
    slowest.set(desired.id, Math.min(reported.cursor, slowest.get(desired.id) ?? Infinity))
  }
  const rows = await data.findChangesAfter(
    scope,
    db,
    [...slowest].map(([audienceId, seq]) => ({ audienceId, seq })),
  )
  const untaken = new Map<string, Untaken[]>()
  for (const row of rows.toSorted((one, other) => one.seq - other.seq)) {
    const change = { ...row, member: view.holds(scope, row.audienceId, row.personId) }
    const existing = untaken.get(row.audienceId)
    if (existing === undefined) untaken.set(row.audienceId, [change])
    else existing.push(change)
  }
  return untaken
}

/** Return the index of the first change with a number above `seq`. */
export function firstAfter(changes: readonly Untaken[], seq: number): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (changes[middle]!.seq > seq) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Return the persons who belong to the audience that a device still has, but not to the one it should have. If a
 * strategy of the old audience was deleted, the persons it named are no longer known and are left out.
 */
export async function loadLeaving(
  scope: Scope,
  db: Database,
  view: SynchronisationView,
  states: readonly DeviceState[],
): Promise<Map<DeviceState, string[]>> {
  const moving = states.filter(({ reported, standing }) => standing === 'elsewhere' && reported.audienceId !== null)
  const before = new Map<string, string[]>()
  const forgotten: string[] = []
  for (const id of new Set(moving.map(({ reported }) => reported.audienceId!))) {
    const persons = view.personsOfAudience(scope, id)
    if (persons.length > 0) before.set(id, persons)
    else forgotten.push(id)
  }
  for (const { id, strategyIds } of await data.findAudienceStrategies(scope, db, forgotten))
    before.set(id, [...new Set(strategyIds.flatMap((strategyId) => view.personsOf(scope, strategyId)))].toSorted())
  // Devices that move between the same two audiences share one list.
  const leavingByMove = new Map<string, string[]>()
  return new Map(
    moving.map((state) => {
      const { reported, desired } = state
      const key = `${reported.audienceId}/${desired.id}`
      const leaving =
        leavingByMove.get(key) ?? (before.get(reported.audienceId!) ?? []).filter((personId) => !view.holds(scope, desired.id, personId))
      leavingByMove.set(key, leaving)
      return [state, leaving]
    }),
  )
}

const NO_FAILURES: data.FailureCount = { failed: 0, photoMissing: 0 }

/** Move failures out of `success`, no more than it counts. */
export function countFailed(counts: SyncCounts, { failed, photoMissing }: data.FailureCount): void {
  const moved = Math.min(failed, counts.success)
  counts.photoMissing = Math.min(photoMissing, moved)
  counts.failed = moved - counts.photoMissing
  counts.success -= moved
}

/** Return the counts of each device, in the order of the states. @param only these persons, and all who are to leave; null: all */
export async function loadCounts(
  scope: Scope,
  db: Database,
  view: SynchronisationView,
  states: readonly DeviceState[],
  now: number,
  only: readonly string[] | null = null,
): Promise<{ counts: SyncCounts; untaken: number | null }[]> {
  const members = only && new Set(only)
  // Failures need no query for a device that has taken all changes and reports no failure.
  const uncertain = states.filter(
    ({ standing, reported, desired }) => standing === 'following' && (reported.cursor < desired.head || reported.failed > 0),
  )
  const [untaken, leaving, failures] = await Promise.all([
    loadUntaken(scope, db, view, states),
    loadLeaving(scope, db, view, states),
    data.countFailures(
      scope,
      db,
      uncertain.map(({ device }) => device.id),
      only,
    ),
  ])
  return states.map((state) => {
    const { device, reported, desired, standing, behind } = state
    const persons = only?.length ?? desired.persons
    const counts = noCounts()
    for (const _ of leaving.get(state) ?? []) count(counts, waitingStatus(reported.assignedAt, true, now))
    const changes = standing === 'elsewhere' ? [] : (untaken.get(desired.id) ?? [])
    const from = firstAfter(changes, reported.cursor)
    let waiting = 0
    for (let place = from; place < changes.length; place++) {
      const change = changes[place]!
      if (change.member && (behind !== null || members?.has(change.personId) === false)) continue
      count(counts, waitingStatus(changeSince(change, reported), !change.member, now))
      if (change.member) waiting++
    }
    if (behind !== null) {
      count(counts, waitingStatus(behind, false, now), persons)
      return { counts, untaken: null }
    }
    counts.success = persons - waiting
    countFailed(counts, failures.get(device.id) ?? NO_FAILURES)
    return { counts, untaken: changes.length - from }
  })
}
