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
    const known = this.others.get(personId)
    if (known === undefined || needsMore(status, known)) this.others.set(personId, status)
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
  const { device, held, wanted, behind } = state
  const worst = new Worst()
  const [untaken, leaving, failures] = await Promise.all([
    loadUntaken(scope, db, view, [state]),
    loadLeaving(scope, db, view, [state]),
    behind === null ? data.findFailingPersons(scope, db, [device.id]) : [],
  ])
  for (const { id, photoMissing } of failures) if (view.holds(scope, wanted.id, id)) worst.note(id, failureStatus(photoMissing))
  for (const personId of leaving.get(state) ?? []) worst.note(personId, waitingStatus(held.assignedAt, true, now))
  for (const change of untaken.get(wanted.id) ?? [])
    if (!change.member || behind === null) worst.note(change.personId, waitingStatus(changeSince(change, held), !change.member, now))
  return {
    everybody: view.personsOfAudience(scope, wanted.id),
    status: behind === null ? personSyncStatus.success : waitingStatus(behind, false, now),
    others: worst.others,
    othersInside: worst.countOf((personId) => view.holds(scope, wanted.id, personId)),
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
  for (const [{ held }, list] of leaving) lists.set(list, Math.min(held.assignedAt, lists.get(list) ?? Infinity))
  for (const [list, since] of lists) for (const personId of list) worst.note(personId, waitingStatus(since, true, now))
  for (const [audienceId, changes] of untaken) {
    const behind = states.filter(
      ({ wanted, held, standing }) => wanted.id === audienceId && standing !== 'elsewhere' && held.cursor < wanted.head,
    )
    // For each change, the earliest `assignedAt` of the devices that have not taken it; devices are added in the order of their cursors.
    const slowest = behind.toSorted((one, other) => one.held.cursor - other.held.cursor)
    let next = 0
    let memberAsked = Infinity
    let anyAsked = Infinity
    for (let place = firstAfter(changes, slowest[0]!.held.cursor); place < changes.length; place++) {
      const change = changes[place]!
      for (; next < slowest.length && slowest[next]!.held.cursor < change.seq; next++) {
        const { held, behind: whole } = slowest[next]!
        anyAsked = Math.min(anyAsked, held.assignedAt)
        if (whole === null) memberAsked = Math.min(memberAsked, held.assignedAt)
      }
      const asked = change.member ? memberAsked : anyAsked
      if (asked === Infinity || (change.member && !members.has(change.personId))) continue
      worst.note(change.personId, waitingStatus(changeSince(change, { assignedAt: asked }), !change.member, now))
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
