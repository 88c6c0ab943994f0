/** Rows of events at doors; every function takes the scope first. */
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { countUpTo } from '../../platform/database/page.ts'
import type { MomentWindow, Place } from '../../platform/http/newest-first.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'

export interface NewEvent {
  id: string
  deviceId: string
  deviceName: string
  deviceType: number
  type: number
  level: 0 | 1 | 2 | 3
  occurredAt: number
  endedAt: number | null
}

export interface EventFilter extends MomentWindow {
  statuses?: readonly number[] | undefined
  type?: number | undefined
  deviceId?: string | undefined
}

const columns = columnList([
  'id',
  'deviceId',
  'deviceName',
  'deviceType',
  'type',
  'level',
  'occurredAt as time',
  'endedAt',
  'receivedAt',
  'pictureFileId',
  'status',
  'operator',
  'dealingRecord',
  'dealtAt',
  'escalatedAt',
])

/** Store events that are not stored yet. @returns the ids of the new ones */
export async function insertEvents(scope: Scope, db: Database, events: readonly NewEvent[], now: number): Promise<string[]> {
  if (events.length === 0) return []
  const rows = await db
    .insertInto('deviceEvent')
    .values(
      events.map(({ occurredAt, endedAt, ...event }) => ({
        ...event,
        parkId: scope.parkId,
        occurredAt: timestamp(occurredAt),
        endedAt: endedAt === null ? null : timestamp(endedAt),
        receivedAt: timestamp(now),
        pictureFileId: null,
        status: 0 as const,
        operator: '',
        dealingRecord: '',
        dealtAt: null,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** End an event of a device, unless it has ended. @returns whether it has ended now */
export async function endEvent(scope: Scope, db: Database, deviceId: string, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deviceEvent')
    .set((eb) => ({ endedAt: eb.fn('greatest', ['occurredAt', timestamp(at)]) }))
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** End the lasting events of a device and type. @returns their ids */
export async function endLasting(scope: Scope, db: Database, deviceId: string, type: number, at: number): Promise<string[]> {
  const rows = await db
    .updateTable('deviceEvent')
    .set((eb) => ({ endedAt: eb.fn('greatest', ['occurredAt', timestamp(at)]) }))
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('type', '=', type)
    .where('endedAt', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

function filtered(scope: Scope, db: Database, { from, to, statuses, type, deviceId }: EventFilter) {
  let rows = db
    .selectFrom('deviceEvent')
    .where('parkId', '=', scope.parkId)
    .where('occurredAt', '>=', timestamp(from))
    .where(deviceIsSeen(scope, 'deviceEvent.deviceId'))
  if (to !== null) rows = rows.where('occurredAt', '<=', timestamp(to))
  // As literals, so that a partial index is used; they are states of the contract.
  if (statuses !== undefined) rows = rows.where(statusIsIn(statuses))
  if (type !== undefined) rows = rows.where('type', '=', type)
  if (deviceId !== undefined) rows = rows.where('deviceId', '=', deviceId)
  return rows
}

const statusIsIn = (statuses: readonly number[]) =>
  statuses.length === 0 ? sql<boolean>`false` : sql<boolean>`status IN (${sql.join(statuses.map((status) => sql.lit(status)))})`

export function listEvents(scope: Scope, db: Database, filter: EventFilter, { after, offset, limit }: Place) {
  let rows = filtered(scope, db, filter)
  if (after !== null) rows = rows.where(sql<boolean>`(occurred_at, id) < (${timestamp(after.time)}, ${after.id}::uuid)`)
  return rows
    .select(columns)
    .orderBy('occurredAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(after === null ? offset : 0)
    .execute()
}
export type EventRow = Awaited<ReturnType<typeof listEvents>>[number]

/** Return the number of events, counted to one beyond the last row that pages reach. */
export const countEvents = (scope: Scope, db: Database, filter: EventFilter): Promise<number> =>
  countUpTo(db, filtered(scope, db, filter).select('id'), LIST_OFFSET_MAX + 1)

/** Return those of these events that the scope sees. */
export const findEvents = (scope: Scope, db: Database, ids: readonly string[]): Promise<EventRow[]> =>
  db
    .selectFrom('deviceEvent')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(deviceIsSeen(scope, 'deviceEvent.deviceId'))
    .execute()

/** Lock an event until the transaction ends, and return it; undefined where the scope sees none. */
export const lockEvent = (scope: Scope, db: Database, id: string): Promise<EventRow | undefined> =>
  db
    .selectFrom('deviceEvent')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where(deviceIsSeen(scope, 'deviceEvent.deviceId'))
    .forUpdate()
    .executeTakeFirst()

export async function handleEvent(
  scope: Scope,
  db: Database,
  id: string,
  handled: { status: 2 | 3; operator: string; dealingRecord: string },
  now: number,
): Promise<void> {
  await db
    .updateTable('deviceEvent')
    .set({ ...handled, dealtAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Return an event of a device, to which a picture may be added. */
export const findPictured = (scope: Scope, db: Database, deviceId: string, id: string) =>
  db
    .selectFrom('deviceEvent')
    .select(['occurredAt as time', 'pictureFileId'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Add a picture to an event that has none. @returns whether it was added */
export async function putPicture(scope: Scope, db: Database, id: string, fileId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deviceEvent')
    .set({ pictureFileId: fileId })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('pictureFileId', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Detach some of the pictures of events before a moment. @returns their files */
export async function takePicturesOff(scope: Scope, db: Database, before: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ fileId: string }>`
    UPDATE device_event SET picture_file_id = NULL FROM (SELECT id, picture_file_id FROM device_event
      WHERE park_id = ${scope.parkId} AND picture_file_id IS NOT NULL AND occurred_at < ${timestamp(before)}
      ORDER BY occurred_at LIMIT ${limit} FOR UPDATE) AS old
    WHERE device_event.id = old.id RETURNING old.picture_file_id AS "fileId"`.execute(db)
  return rows.map(({ fileId }) => fileId)
}

/** Delete some of the handled events before a moment. @returns how many, and their files */
export async function deleteHandled(
  scope: Scope,
  db: Database,
  before: number,
  limit: number,
): Promise<{ count: number; fileIds: string[] }> {
  const rows = await db
    .deleteFrom('deviceEvent')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deviceEvent')
        .select('id')
        .where('parkId', '=', scope.parkId)
        .where('status', '<>', 0)
        .where('occurredAt', '<', timestamp(before))
        .orderBy('occurredAt')
        .limit(limit),
    )
    .returning('pictureFileId')
    .execute()
  return { count: rows.length, fileIds: rows.flatMap(({ pictureFileId }) => pictureFileId ?? []) }
}

/** Delete all events of the park. @returns how many, and their files */
export async function deleteEventsOfPark(scope: Scope, db: Database): Promise<{ count: number; fileIds: string[] }> {
  const rows = await db.deleteFrom('deviceEvent').where('parkId', '=', scope.parkId).returning('pictureFileId').execute()
  return { count: rows.length, fileIds: rows.flatMap(({ pictureFileId }) => pictureFileId ?? []) }
}
