/** Rows of what visitor machines keep and say. Every function takes the scope first, except the one of a job over all parks. */
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import type { MachineEvent } from '@gatehouse/contract/device/visitor-machine'
import type { ConflictReason } from '@gatehouse/contract/visitors/machine-conflicts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Return the visits that machines keep, by what their versions are made of; those that begin first foremost. */
export function findMachineVisits(scope: Scope, db: Database, now: number, limit: number) {
  return (
    db
      .selectFrom('visit')
      .leftJoin('visitPass', (join) => join.onRef('visitPass.personId', '=', 'visit.personId').on('visitPass.parkId', '=', scope.parkId))
      .select(['visit.id', 'visit.version', 'visit.hostName', 'visit.photoFileId', 'visitPass.id as passId'])
      .where('visit.parkId', '=', scope.parkId)
      .where('status', 'in', [visitorStatus.notYetVisited, visitorStatus.checkedIn, visitorStatus.awaitingVerification])
      .where('enabled', '=', true)
      // Who is signed in stays there until the sign-off.
      .where((eb) => eb.or([eb('status', '=', visitorStatus.checkedIn), eb('expiresAt', '>=', timestamp(now))]))
      .orderBy('visit.visitAt')
      .orderBy('visit.id')
      .limit(limit)
      .execute()
  )
}

export interface StoredMachineEvent {
  id: string
  deviceId: string
  deviceName: string
  eventId: string
  visitId: string | null
  kind: MachineEvent['kind']
  occurredAt: number
  receivedAt: number
  /** Status of the visit after it; null where there is no visit. */
  status: number | null
  /** Null: the visit has changed. */
  reason: ConflictReason | null
}

/** Insert what a machine said. @throws a violation of `visit_machine_event_once` where it is there already */
export async function insertMachineEvent(scope: Scope, db: Database, event: StoredMachineEvent): Promise<void> {
  await db
    .insertInto('visitMachineEvent')
    .values({
      ...event,
      parkId: scope.parkId,
      occurredAt: timestamp(event.occurredAt),
      receivedAt: timestamp(event.receivedAt),
      settledAt: null,
    })
    .execute()
}

export const findMachineEvent = (scope: Scope, db: Database, deviceId: string, eventId: string) =>
  db
    .selectFrom('visitMachineEvent')
    .select(['status', 'reason'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('eventId', '=', eventId)
    .executeTakeFirst()

/** Return a page of the conflicts that nobody has seen to, the latest first. One about a visit that was deleted since then is over. */
export const listConflicts = (scope: Scope, db: Database, paging: Paging) =>
  readPage(
    db
      .selectFrom('visitMachineEvent as event')
      .leftJoin('visit', 'visit.id', 'event.visitId')
      .where('event.parkId', '=', scope.parkId)
      .where('event.reason', 'is not', null)
      .where('event.settledAt', 'is', null)
      .where((eb) => eb.or([eb('event.visitId', 'is not', null), eb('event.status', 'is', null)]))
      .select([
        'event.id',
        'event.visitId',
        'visit.name as visitorName',
        'event.deviceId',
        'event.deviceName',
        'event.kind',
        'event.occurredAt',
        'event.receivedAt',
        'event.reason',
        'event.status',
      ])
      .orderBy('event.receivedAt', 'desc')
      .orderBy('event.id', 'desc'),
    paging,
  )

/** Return these conflicts of the park, in no order. */
export const findConflicts = (scope: Scope, db: Database, ids: readonly string[]) =>
  db
    .selectFrom('visitMachineEvent')
    .select(['id', 'visitId', 'kind', 'deviceName', 'settledAt'])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where('reason', 'is not', null)
    .execute()

/** Mark conflicts as seen to; return those that were not before. */
export async function settleConflicts(scope: Scope, db: Database, ids: readonly string[], now: number): Promise<string[]> {
  const rows = await db
    .updateTable('visitMachineEvent')
    .set({ settledAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where('reason', 'is not', null)
    .where('settledAt', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Delete what is about visits that are deleted, received before a moment. */
export async function deleteOrphanedUnscoped(db: Database, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('visitMachineEvent')
    .where('visitId', 'is', null)
    .where('receivedAt', '<', timestamp(before))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteMachineEventsOfPark(scope: Scope, db: Database): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('visitMachineEvent').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(numDeletedRows)
}
