/** Rows of requested logs; every function takes the scope first. */
import type { z } from 'zod'
import type { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { exportStatus } from '@gatehouse/contract/enums'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'

export type LogQuery = z.output<typeof maintenanceCalls.logs.query>

const columns = columnList([
  'id',
  'deviceId',
  'deviceName',
  'operator',
  'status',
  'errorType',
  'requestedAt',
  'finishedAt',
  'fileId',
  'size',
])

const { waiting, exporting, exported, failed } = exportStatus

export async function insertLog(
  scope: Scope,
  db: Database,
  { id, deviceId, deviceName, operator }: { id: string; deviceId: string; deviceName: string; operator: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('deviceLog')
    .values({
      id,
      parkId: scope.parkId,
      deviceId,
      deviceName,
      operator,
      status: waiting,
      errorType: null,
      requestedAt: timestamp(now),
      askedAt: null,
      finishedAt: null,
      fileId: null,
      size: 0,
    })
    .execute()
}

/** Return the pending request of a device. Other requests for the device wait until the transaction ends. */
export async function findPending(scope: Scope, db: Database, deviceId: string): Promise<string | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('device_log ' || ${deviceId}, 0))`.execute(db)
  const row = await db
    .selectFrom('deviceLog')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('status', 'in', [waiting, exporting])
    .executeTakeFirst()
  return row?.id ?? null
}

/** Return the waiting requests of these devices. */
export function findWaiting(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<{ id: string; deviceId: string }[]> {
  return db
    .selectFrom('deviceLog')
    .select(['id', 'deviceId'])
    .where('parkId', '=', scope.parkId)
    .where('status', '=', waiting)
    .where('deviceId', '=', oneOf(deviceIds))
    .execute()
}

/** Return all waiting requests. Unscoped: of all parks. */
export function findWaitingUnscoped(db: Database): Promise<{ id: string; deviceId: string; parkId: string }[]> {
  return db.selectFrom('deviceLog').select(['id', 'deviceId', 'parkId']).where('status', '=', waiting).execute()
}

const logsOf = (scope: Scope, db: Database) =>
  db.selectFrom('deviceLog').where('parkId', '=', scope.parkId).where(deviceIsSeen(scope, 'deviceLog.deviceId'))

export const findLog = (scope: Scope, db: Database, id: string) => logsOf(scope, db).select(columns).where('id', '=', id).executeTakeFirst()

export function listLogs(scope: Scope, db: Database, query: LogQuery) {
  let rows = logsOf(scope, db)
  if (query.deviceId !== undefined) rows = rows.where('deviceId', '=', query.deviceId)
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  return readPage(rows.select(columns).orderBy('requestedAt', 'desc').orderBy('id', 'desc'), query)
}

/** Note that the device is being asked; return false if another node does, or the request does not wait. */
export async function beginAsking(scope: Scope, db: Database, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('deviceLog')
    .set({ status: exporting, askedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', '=', waiting)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Store the outcome of asking, unless the log has arrived meanwhile: the request waits again, or has failed. */
export async function endAsking(
  scope: Scope,
  db: Database,
  id: string,
  outcome: 'waits' | { errorType: number },
  now: number,
): Promise<void> {
  await db
    .updateTable('deviceLog')
    .set(outcome === 'waits' ? { status: waiting } : { status: failed, errorType: outcome.errorType, finishedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', '=', exporting)
    .execute()
}

/** Store an arrived log; return false if it had already arrived, or was not requested. */
export async function finishLog(
  scope: Scope,
  db: Database,
  id: string,
  file: { fileId: string; size: number },
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('deviceLog')
    .set({ status: exported, errorType: null, fileId: file.fileId, size: file.size, finishedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', '!=', exported)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Make a failed request wait again; return false if it has not failed. */
export async function renewLog(scope: Scope, db: Database, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('deviceLog')
    .set({ status: waiting, errorType: null, requestedAt: timestamp(now), askedAt: null, finishedAt: null })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', '=', failed)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Make requests wait again whose server has stopped. Unscoped: of all parks. */
export async function releaseRequestedUnscoped(db: Database, before: number): Promise<void> {
  await db
    .updateTable('deviceLog')
    .set({ status: waiting })
    .where('status', '=', exporting)
    .where('askedAt', '<', timestamp(before))
    .execute()
}

/** Fail requests that have waited too long. Unscoped: of all parks. */
export async function failWaitingUnscoped(db: Database, before: number, errorType: number, now: number): Promise<void> {
  await db
    .updateTable('deviceLog')
    .set({ status: failed, errorType, finishedAt: timestamp(now) })
    .where('status', '=', waiting)
    .where('requestedAt', '<', timestamp(before))
    .execute()
}

/** Return requests that ended before a moment. Unscoped: of all parks. */
export function findFinishedBeforeUnscoped(db: Database, before: number): Promise<{ id: string; parkId: string; fileId: string | null }[]> {
  return db
    .selectFrom('deviceLog')
    .select(['id', 'parkId', 'fileId'])
    .where('status', 'in', [exported, failed])
    .where('finishedAt', '<=', timestamp(before))
    .execute()
}

/** Delete requests; return their files. */
export async function deleteLogs(
  scope: Scope,
  db: Database,
  of: { ids: readonly string[] } | { deviceIds: readonly string[] } | 'all',
): Promise<{ count: number; fileIds: string[] }> {
  let rows = db.deleteFrom('deviceLog').where('parkId', '=', scope.parkId)
  if (of !== 'all') rows = 'ids' in of ? rows.where('id', '=', oneOf(of.ids)) : rows.where('deviceId', '=', oneOf(of.deviceIds))
  const deleted = await rows.returning('fileId').execute()
  return { count: deleted.length, fileIds: deleted.flatMap(({ fileId }) => fileId ?? []) }
}
