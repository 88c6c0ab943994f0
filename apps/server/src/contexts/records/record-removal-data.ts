/** Deletion of access records, one or many at a time; every function takes the scope first. */
import type { Selectable } from 'kysely'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Scope } from '../../platform/session/session.ts'
import { isCounted, isSeen } from './records-data.ts'

/** What is needed of a deleted record: its picture, its name in the log, and the values it was counted by. */
const deletedColumns = [
  'parkId',
  'deviceId',
  'deviceName',
  'occurredAt',
  'localDate',
  'localHour',
  'personGroupId',
  'direction',
  'result',
  'failReason',
  'temperature',
  'temperatureStatus',
  'watched',
  'captureFileId',
] as const
export type DeletedRecord = Pick<Selectable<Tables['accessRecord']>, (typeof deletedColumns)[number]>

/** Delete a record of a moment and return it; undefined where there is no such record. */
export async function deleteRecord(scope: Scope, db: Database, id: string, time: number): Promise<DeletedRecord | undefined> {
  return db
    .deleteFrom('accessRecord')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('occurredAt', '=', timestamp(time))
    .where(isSeen(scope))
    .returning(deletedColumns)
    .executeTakeFirst()
}

/** Records of these persons, and records without a person at these devices. */
export interface RecordsOf {
  personIds: readonly string[]
  deviceIds: readonly string[]
}

const isOf = ({ personIds, deviceIds }: RecordsOf) =>
  sql<boolean>`(person_id = ${oneOf(personIds)} OR (person_id IS NULL AND device_id = ${oneOf(deviceIds)}))`

/** Return how many records the park has, and how many of them are these. */
export async function countRecordsOf(scope: Scope, db: Database, of: RecordsOf): Promise<{ these: number; all: number }> {
  return db
    .selectFrom('accessRecord')
    .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.countAll<number>().filterWhere(isOf(of)).as('these')])
    .where('parkId', '=', scope.parkId)
    .where(isCounted(scope))
    .executeTakeFirstOrThrow()
}

/** Delete at most `limit` of these records and return them. */
export async function deleteRecordsOf(
  scope: Scope,
  db: Database,
  of: RecordsOf,
  limit: number,
): Promise<(DeletedRecord & { id: string })[]> {
  const { rows } = await sql<DeletedRecord & { id: string }>`
    WITH picked AS (SELECT id, occurred_at FROM access_record WHERE park_id = ${scope.parkId}
      AND ${isOf(of)} LIMIT ${limit})
    DELETE FROM access_record AS record USING picked WHERE record.id = picked.id AND record.occurred_at = picked.occurred_at
    RETURNING record.id, ${sql.join(deletedColumns.map((column) => sql.ref(`record.${column}`)))}`.execute(db)
  return rows
}

/** Delete the sequence numbers of these devices, their gaps and their unstorable records. */
export async function deleteNumberingOf(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<void> {
  for (const table of ['unstorableRecord', 'recordGap', 'deviceEpoch'])
    await sql`DELETE FROM ${sql.table(table)} WHERE park_id = ${scope.parkId} AND device_id = ${oneOf(deviceIds)}`.execute(db)
}

/** Delete all records of a park and the sequence numbers of its devices; return how many records, and their pictures. */
export async function deleteRecordsOfPark(scope: Scope, db: Database): Promise<{ count: number; fileIds: string[] }> {
  const pictured = await db
    .selectFrom('accessRecord')
    .select('captureFileId as fileId')
    .where('parkId', '=', scope.parkId)
    .where('captureFileId', 'is not', null)
    .execute()
  const deleted = await db.deleteFrom('accessRecord').where('parkId', '=', scope.parkId).executeTakeFirst()
  await db.deleteFrom('unstorableRecord').where('parkId', '=', scope.parkId).execute()
  for (const table of ['recordGap', 'recordName', 'recordContactName', 'pictureRetention'])
    await sql`DELETE FROM ${sql.table(table)} WHERE park_id = ${scope.parkId}`.execute(db)
  await db.deleteFrom('deviceEpoch').where('parkId', '=', scope.parkId).execute()
  return { count: Number(deleted.numDeletedRows), fileIds: pictured.map((row) => row.fileId!) }
}
