/** Lists of persons arranged by status: those of one device, and those of all devices of a strategy. */
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Arrangement } from './arrangement.ts'
import { firstAfter, loadLeaving, loadUntaken, type DeviceState } from './device-states.ts'
import { changeSince, failureStatus, STATUS_ORDER, waitingStatus } from './pair-status.ts'
import * as data from './status-data.ts'
import type { SynchronisationView } from './view.ts'

/** Collects statuses of persons; of several, the most urgent is kept. */
class Worst {
  readonly others = new Map<string, number>()
  note(personId: string, status: number): void {
    const current = this.others.get(personId)
    if (current === undefined || needsMore(status, current)) this.others.set(personId, status)
  }
  countOf(isMember: (personId: string) => boolean): number {
    return [...this.others.keys()].filter(isMember).length
  }
  /** Drop members whose own status is not more urgent than the one that all share. */
  yieldTo(status: number, members: ReadonlySet<string>): void {
    for (const [personId, own] of this.others) if (!needsMore(own, status) && members.has(personId)) this.others.delete(personId)
  }
}

const needsMore = (status: number, other: number): boolean => STATUS_ORDER.indexOf(status) < STATUS_ORDER.indexOf(other)

/** Return the persons of one device: its members, and those it is to delete. */
export async function arrangeDevice(
  scope: Scope,
  db: Database,
  view: SynchronisationView,
  state: DeviceState,
  now: number,
): Promise<Arrangement> {
  const { device, reported, desired, behind } = state
  const worst = new Worst()
  const [untaken, leaving, failures] = await Promise.all([
    loadUntaken(scope, db, view, [state]),
    loadLeaving(scope, db, view, [state]),
    behind === null ? data.findFailingPersons(scope, db, [device.id]) : [],
  ])
  for (const { id, photoMissing } of failures) if (view.holds(scope, desired.id, id)) worst.note(id, failureStatus(photoMissing))
  for (const personId of leaving.get(state) ?? []) worst.note(personId, waitingStatus(reported.assignedAt, true, now))
  for (const change of untaken.get(desired.id) ?? [])
    if (!change.member || behind === null) worst.note(change.personId, waitingStatus(changeSince(change, reported), !change.member, now))
  return {
    everybody: view.personsOfAudience(scope, desired.id),
    status: behind === null ? personSyncStatus.success : waitingStatus(behind, false, now),
    others: worst.others,
    othersInside: worst.countOf((personId) => view.holds(scope, desired.id, personId)),
  }
}

/** Return the persons of a strategy by their most urgent status at its devices, and those who are to leave one of these devices. */
export async function arrangeStrategy(
  scope: Scope,
  db: Database,
  view: SynchronisationView,
  strategyId: string,
  states: readonly DeviceState[],
  now: number,
): Promise<Arrangement> {
  const following = states.filter(({ behind }) => behind === null)
  const status = statusOfAll(states, now)
  // Without a device there is none that a person could have reached.
  const everybody = states.length === 0 ? [] : view.personsOf(scope, strategyId)
  const worst = new Worst()
  const [untaken, leaving, failures] = await Promise.all([
    loadUntaken(scope, db, view, states),
    loadLeaving(scope, db, view, states),
    data.findFailingPersons(
      scope,
      db,
      following.map(({ device }) => device.id),
    ),
  ])
  // Of the persons who may have a status of their own, those of the strategy: an audience may have more.
  const single = new Set([
    ...failures.map(({ id }) => id),
    ...[...untaken.values()].flat().map(({ personId }) => personId),
    ...[...new Set(leaving.values())].flat(),
  ])
  const members = new Set(single.size === 0 ? [] : everybody.filter((personId) => single.has(personId)))
  for (const { id, photoMissing } of failures) if (members.has(id)) worst.note(id, failureStatus(photoMissing))
  const lists = new Map<readonly string[], number>()
  for (const [{ reported }, list] of leaving) lists.set(list, Math.min(reported.assignedAt, lists.get(list) ?? Infinity))
  for (const [list, since] of lists) for (const personId of list) worst.note(personId, waitingStatus(since, true, now))
  for (const [audienceId, changes] of untaken) {
    const behind = states.filter(
      ({ desired, reported, standing }) => desired.id === audienceId && standing !== 'elsewhere' && reported.cursor < desired.head,
    )
    // For each change, the earliest `assignedAt` of the devices that have not taken it; devices are added in the order of their cursors.
    const slowest = behind.toSorted((one, other) => one.reported.cursor - other.reported.cursor)
    let next = 0
    let memberAssignedAt = Infinity
    let anyAssignedAt = Infinity
    for (let place = firstAfter(changes, slowest[0]!.reported.cursor); place < changes.length; place++) {
      const change = changes[place]!
      for (; next < slowest.length && slowest[next]!.reported.cursor < change.seq; next++) {
        const { reported, behind: whole } = slowest[next]!
        anyAssignedAt = Math.min(anyAssignedAt, reported.assignedAt)
        if (whole === null) memberAssignedAt = Math.min(memberAssignedAt, reported.assignedAt)
      }
      const assignedAt = change.member ? memberAssignedAt : anyAssignedAt
      if (assignedAt === Infinity || (change.member && !members.has(change.personId))) continue
      worst.note(change.personId, waitingStatus(changeSince(change, { assignedAt }), !change.member, now))
    }
  }
  worst.yieldTo(status, members)
  return { everybody, status, others: worst.others, othersInside: worst.countOf((personId) => members.has(personId)) }
}

/** Return the status that all persons share because of devices that are behind as a whole. */
function statusOfAll(states: readonly DeviceState[], now: number): number {
  const statuses = states.flatMap(({ behind }) => (behind === null ? [] : [waitingStatus(behind, false, now)]))
  return STATUS_ORDER.find((status) => statuses.includes(status)) ?? personSyncStatus.success
}
