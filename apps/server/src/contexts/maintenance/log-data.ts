/** Rows of logs that were asked for; every function takes the scope first. */
import type { z } from 'zod'
import type { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { exportStatus } from '@gatehouse/contract/enums'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import type { MaintenanceTables } from './schema.ts'

type Db = Database<MaintenanceTables>
export type LogQuery = z.output<typeof maintenanceCalls.logs.query>

const columns = columnList([
  'id',
  'device_id as deviceId',
  'device_name as deviceName',
  'operator',
  'status',
  'error_type as errorType',
  'requested_at as requestedAt',
  'finished_at as finishedAt',
  'file_id as fileId',
  'size',
])

const { waiting, exporting, exported, failed } = exportStatus

export async function insertLog(
  scope: Scope,
  db: Db,
  { id, deviceId, deviceName, operator }: { id: string; deviceId: string; deviceName: string; operator: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('device_log')
    .values({
      id,
      park_id: scope.parkId,
      device_id: deviceId,
      device_name: deviceName,
      operator,
      status: waiting,
      error_type: null,
      requested_at: timestamp(now),
      asked_at: null,
      finished_at: null,
      file_id: null,
      size: 0,
    })
    .execute()
}

/** The request of a device that is under way. The device's requests wait for each other until the transaction ends. */
export async function findPending(scope: Scope, db: Db, deviceId: string): Promise<string | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('device_log ' || ${deviceId}, 0))`.execute(db)
  const row = await db
    .selectFrom('device_log')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .where('status', 'in', [waiting, exporting])
    .executeTakeFirst()
  return row?.id ?? null
}

/** Requests of these devices that wait. */
export function findWaiting(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<{ id: string; deviceId: string }[]> {
  return db
    .selectFrom('device_log')
    .select(['id', 'device_id as deviceId'])
    .where('park_id', '=', scope.parkId)
    .where('status', '=', waiting)
    .where('device_id', '=', oneOf(deviceIds))
    .execute()
}

/** All that wait, by park. Unscoped: whatever park they are of. */
export function findWaitingUnscoped(db: Db): Promise<{ id: string; deviceId: string; parkId: string }[]> {
  return db.selectFrom('device_log').select(['id', 'device_id as deviceId', 'park_id as parkId']).where('status', '=', waiting).execute()
}

const logsOf = (scope: Scope, db: Db) =>
  db.selectFrom('device_log').where('park_id', '=', scope.parkId).where(deviceIsSeen(scope, 'device_log.device_id'))

export const findLog = (scope: Scope, db: Db, id: string) => logsOf(scope, db).select(columns).where('id', '=', id).executeTakeFirst()

export function listLogs(scope: Scope, db: Db, query: LogQuery) {
  let rows = logsOf(scope, db)
  if (query.deviceId !== undefined) rows = rows.where('device_id', '=', query.deviceId)
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  return readPage(rows.select(columns).orderBy('requested_at', 'desc').orderBy('id', 'desc'), query)
}

/** The device is being asked; false where another node does, or nobody waits. */
export async function beginAsking(scope: Scope, db: Db, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('device_log')
    .set({ status: exporting, asked_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', '=', waiting)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** What came of asking, unless the log has arrived meanwhile: it waits again, or has failed. */
export async function endAsking(scope: Scope, db: Db, id: string, outcome: 'waits' | { errorType: number }, now: number): Promise<void> {
  await db
    .updateTable('device_log')
    .set(outcome === 'waits' ? { status: waiting } : { status: failed, error_type: outcome.errorType, finished_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', '=', exporting)
    .execute()
}

/** The log has arrived; false where it had already, or was not asked for. */
export async function finishLog(scope: Scope, db: Db, id: string, file: { fileId: string; size: number }, now: number): Promise<boolean> {
  const result = await db
    .updateTable('device_log')
    .set({ status: exported, error_type: null, file_id: file.fileId, size: file.size, finished_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', '!=', exported)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** One that failed waits again; false where it has not failed. */
export async function renewLog(scope: Scope, db: Db, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('device_log')
    .set({ status: waiting, error_type: null, requested_at: timestamp(now), asked_at: null, finished_at: null })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', '=', failed)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Those a server asked for that has ended wait again. Unscoped: whatever park they are of. */
export async function releaseAskedUnscoped(db: Db, before: number): Promise<void> {
  await db
    .updateTable('device_log')
    .set({ status: waiting })
    .where('status', '=', exporting)
    .where('asked_at', '<', timestamp(before))
    .execute()
}

/** Those that have waited too long have failed. Unscoped: whatever park they are of. */
export async function failWaitingUnscoped(db: Db, before: number, errorType: number, now: number): Promise<void> {
  await db
    .updateTable('device_log')
    .set({ status: failed, error_type: errorType, finished_at: timestamp(now) })
    .where('status', '=', waiting)
    .where('requested_at', '<', timestamp(before))
    .execute()
}

/** Those that came to their end before. Unscoped: whatever park they are of. */
export function findFinishedBeforeUnscoped(db: Db, before: number): Promise<{ id: string; parkId: string; fileId: string | null }[]> {
  return db
    .selectFrom('device_log')
    .select(['id', 'park_id as parkId', 'file_id as fileId'])
    .where('status', 'in', [exported, failed])
    .where('finished_at', '<=', timestamp(before))
    .execute()
}

/** Answers the files they had. */
export async function deleteLogs(
  scope: Scope,
  db: Db,
  of: { ids: readonly string[] } | { deviceIds: readonly string[] } | 'all',
): Promise<{ count: number; fileIds: string[] }> {
  let rows = db.deleteFrom('device_log').where('park_id', '=', scope.parkId)
  if (of !== 'all') rows = 'ids' in of ? rows.where('id', '=', oneOf(of.ids)) : rows.where('device_id', '=', oneOf(of.deviceIds))
  const gone = await rows.returning('file_id as fileId').execute()
  return { count: gone.length, fileIds: gone.flatMap(({ fileId }) => fileId ?? []) }
}
