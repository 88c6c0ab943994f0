/** Rows of somebody who is erased; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import type { RecordTables } from './schema.ts'
import type { Pseudonym } from './pseudonym.ts'
import { pseudonymiseNames } from './record-names-data.ts'
import type { RecordNameTables } from './record-names-schema.ts'

type Db = Database<RecordTables>

export async function countRecordsOf(scope: Scope, db: Db, personIds: readonly string[]): Promise<{ records: number; captures: number }> {
  return db
    .selectFrom('access_record')
    .select((eb) => [eb.fn.countAll<number>().as('records'), eb.fn.count<number>('capture_file_id').as('captures')])
    .where('park_id', '=', scope.parkId)
    .where('person_id', 'in', personIds)
    .where(deviceIsSeen(scope, 'access_record.device_id'))
    .executeTakeFirstOrThrow()
}

/** Of these other parks, those where persons of the park of the scope have left records. */
export async function findRecordParks(_scope: Scope, db: Db, parkIds: readonly string[], personIds: readonly string[]): Promise<string[]> {
  if (parkIds.length === 0) return []
  const rows = await db
    .selectFrom('access_record')
    .select('park_id as id')
    .distinct()
    .where('park_id', '=', oneOf(parkIds))
    .where('person_id', 'in', personIds)
    .orderBy('park_id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Devices of these parks that delivered records of persons since a moment, by the server's clock. */
export async function findDelivering(
  _scope: Scope,
  db: Db,
  parkIds: readonly string[],
  personIds: readonly string[],
  since: number,
): Promise<{ deviceId: string; parkId: string }[]> {
  return db
    .selectFrom('access_record')
    .select(['device_id as deviceId', 'park_id as parkId'])
    .distinct()
    .where('park_id', '=', oneOf(parkIds))
    .where('person_id', 'in', personIds)
    .where('received_at', '>=', timestamp(since))
    .execute()
}

/** Puts a pseudonym in place of a person in all records, which lose their pictures; answers how many, and the pictures. */
export async function pseudonymiseRecords(
  scope: Scope,
  db: Db,
  personId: string,
  pseudonym: Pseudonym,
): Promise<{ records: number; fileIds: string[] }> {
  // Before the records: names are noted from them.
  await pseudonymiseNames(scope, db as unknown as Database<RecordNameTables>, personId, pseudonym)
  const rows = await db
    .selectFrom('access_record')
    .select(['id', 'capture_file_id as fileId'])
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', personId)
    .forUpdate()
    .execute()
  await db
    .updateTable('access_record')
    .set({
      person_id: pseudonym.id,
      person_name: pseudonym.name,
      work_number: '',
      person_park_name: null,
      contact_id: null,
      contact_name: '',
      contact_relation: null,
      capture_file_id: null,
      temperature: null,
      temperature_status: null,
    })
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', personId)
    .execute()
  return { records: rows.length, fileIds: rows.flatMap(({ fileId }) => fileId ?? []) }
}

/** Records no column took stand there as they were sent: whole, or not at all. */
export async function deleteUnstorableOf(scope: Scope, db: Db, personId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('unstorable_record')
    .where('park_id', '=', scope.parkId)
    .where(sql<boolean>`strpos(content, ${personId}) > 0`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
