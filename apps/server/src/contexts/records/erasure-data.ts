/** Rows of a person who is being erased; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import type { Pseudonym } from './pseudonym.ts'
import { pseudonymiseNames } from './record-names-data.ts'

export async function countRecordsOf(
  scope: Scope,
  db: Database,
  personIds: readonly string[],
): Promise<{ records: number; captures: number }> {
  return db
    .selectFrom('accessRecord')
    .select((eb) => [eb.fn.countAll<number>().as('records'), eb.fn.count<number>('captureFileId').as('captures')])
    .where('parkId', '=', scope.parkId)
    .where('personId', 'in', personIds)
    .where(deviceIsSeen(scope, 'accessRecord.deviceId'))
    .executeTakeFirstOrThrow()
}

/** Return those of these other parks in which persons of the park of the scope have records. */
export async function findRecordParks(
  _scope: Scope,
  db: Database,
  parkIds: readonly string[],
  personIds: readonly string[],
): Promise<string[]> {
  if (parkIds.length === 0) return []
  const rows = await db
    .selectFrom('accessRecord')
    .select('parkId as id')
    .distinct()
    .where('parkId', '=', oneOf(parkIds))
    .where('personId', 'in', personIds)
    .orderBy('parkId')
    .execute()
  return rows.map(({ id }) => id)
}

/** Return the devices of these parks that delivered records of the persons since a moment, by the server's clock. */
export async function findDelivering(
  _scope: Scope,
  db: Database,
  parkIds: readonly string[],
  personIds: readonly string[],
  since: number,
): Promise<{ deviceId: string; parkId: string }[]> {
  return db
    .selectFrom('accessRecord')
    .select(['deviceId', 'parkId'])
    .distinct()
    .where('parkId', '=', oneOf(parkIds))
    .where('personId', 'in', personIds)
    .where('receivedAt', '>=', timestamp(since))
    .execute()
}

/**
 * Replace a person by a pseudonym in all records of the park and detach their pictures.
 * @returns the number of records, and the files of the pictures
 */
export async function pseudonymiseRecords(
  scope: Scope,
  db: Database,
  personId: string,
  pseudonym: Pseudonym,
): Promise<{ records: number; fileIds: string[] }> {
  // Before the records: names are derived from them.
  await pseudonymiseNames(scope, db, personId, pseudonym)
  const rows = await db
    .selectFrom('accessRecord')
    .select(['id', 'captureFileId as fileId'])
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', personId)
    .forUpdate()
    .execute()
  await db
    .updateTable('accessRecord')
    .set({
      personId: pseudonym.id,
      personName: pseudonym.name,
      workNumber: '',
      personParkName: null,
      contactId: null,
      contactName: '',
      contactRelation: null,
      captureFileId: null,
      temperature: null,
      temperatureStatus: null,
    })
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', personId)
    .execute()
  return { records: rows.length, fileIds: rows.flatMap(({ fileId }) => fileId ?? []) }
}

/** Delete the unstorable records that mention a person. They are stored as they were sent, so none can be pseudonymised in part. */
export async function deleteUnstorableOf(scope: Scope, db: Database, personId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('unstorableRecord')
    .where('parkId', '=', scope.parkId)
    .where(sql<boolean>`strpos(content, ${personId}) > 0`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
