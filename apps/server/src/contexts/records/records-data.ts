/** Rows of access records; every function takes the scope first. Passages of somebody who does not exist for its asker did not happen for him. */
import type { Restriction } from '@gatehouse/access-rules'
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import { failReason } from '@gatehouse/contract/enums'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import { countUpTo } from '../../platform/database/page.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import { findNamed } from './record-names-data.ts'
import type { RecordTables } from './schema.ts'
import { isHit, wasFound } from './watch-list-hits-data.ts'

type Db = Database<RecordTables>

/** The rule of a restriction area the terminal wrote down with the server's refusal. */
const restriction = sql<Restriction | null>`CASE WHEN fail_reason IN (${sql.lit(failReason.cloudRefused)}, ${sql.lit(failReason.areaFull)}) THEN substring(checks FROM '"refused","(alreadyInside|alreadyOutside|full)"') END`

const recordColumns = [
  ...columnList([
    'id',
    'person_id as personId',
    'person_name as personName',
    'work_number as workNumber',
    'person_park_name as personParkName',
    'contact_id as contactId',
    'contact_name as contactName',
    'contact_relation as contactRelation',
    'device_id as deviceId',
    'device_name as deviceName',
    'occurred_at as time',
    'received_at as receivedAt',
    'direction',
    'verify_type as verifyType',
    'result',
    'fail_reason as failReason',
    'score',
    'temperature',
    'temperature_status as temperatureStatus',
    'mask',
    'helmet',
    'capture_file_id as captureFileId',
    'picture_kept_until as pictureKeptUntil',
  ]),
  restriction.as('restriction'),
] as const

export interface RecordFilter {
  from: number
  /** Inclusive; null for no end. */
  to: number | null
  personId?: string | undefined
  /** Part of a name: of the person, or of a contact who came in the person's place. */
  personName?: string | undefined
  deviceId?: string | undefined
  direction?: number | undefined
  result?: number | undefined
  failReason?: number | undefined
  stranger?: boolean | undefined
  /** Only those on which somebody of the watch list was found; none for whoever does not see that list. */
  watchList?: true | undefined
}

/** Place of a row in the order of the list, newest first. */
export interface RecordCursor {
  time: number
  id: string
}

const isSeen = (scope: Scope) =>
  sql<boolean>`(${personIsSeen(scope, 'access_record.person_id')} AND ${deviceIsSeen(scope, 'access_record.device_id')})`

export const isStranger = sql<boolean>`(person_id IS NULL AND fail_reason = ${sql.lit(failReason.notRegistered)})`

/** The filter of the list call but for whom it names; each condition names its index in the migration. */
function unnamed(scope: Scope, db: Db, filter: RecordFilter) {
  let rows = db
    .selectFrom('access_record')
    .where('park_id', '=', scope.parkId)
    .where('occurred_at', '>=', timestamp(filter.from))
    .where(isSeen(scope))
  if (filter.to !== null) rows = rows.where('occurred_at', '<=', timestamp(filter.to))
  if (filter.deviceId !== undefined) rows = rows.where('device_id', '=', filter.deviceId)
  if (filter.direction !== undefined) rows = rows.where('direction', '=', filter.direction)
  // Written out, so that the planner knows the partial index fits.
  if (filter.result !== undefined) rows = rows.where('result', '=', sql.lit(filter.result))
  if (filter.failReason !== undefined) rows = rows.where('fail_reason', '=', filter.failReason)
  if (filter.stranger === true) rows = rows.where(isStranger)
  if (filter.stranger === false) rows = rows.where(sql<boolean>`${isStranger} IS NOT TRUE`)
  if (filter.watchList === true) rows = rows.where(isHit(scope, filter))
  return rows
}

/** The same of the person it names, in parts that have none in common: their own passages, and those of nobody known on which they were found. */
async function ofPerson(scope: Scope, db: Db, filter: RecordFilter) {
  const { personId } = filter
  const rows = unnamed(scope, db, filter)
  if (personId === undefined) return [rows]
  const own = rows.where('person_id', '=', personId)
  if (!(await wasFound(scope, db, personId))) return [own]
  return [own, rows.where(isHit(scope, filter, personId)).where('person_id', 'is distinct from', personId)]
}

/**
 * The records of a filter in parts that have none in common, where it names somebody: of persons of that name, and by contacts of that
 * name. Each part has indexes of its own; asked for together, the one that is in no index would have to be looked for in all records.
 */
async function partsOf(scope: Scope, db: Db, filter: RecordFilter) {
  const { personName = '' } = filter
  const all = await ofPerson(scope, db, filter)
  if (personName === '') return all
  const { personIds, contactIds } = await findNamed(scope, db, personName)
  const pattern = personalPattern(scope, personName)
  return all.flatMap((rows) => {
    const ofPersons = rows.where('person_name', 'ilike', pattern)
    // Records of nobody known may have a name too: the one the terminal gave.
    const parts = [
      personIds === null
        ? ofPersons
        : ofPersons.where(sql<boolean>`(person_id = ${oneOf(personIds)} OR (person_id IS NULL AND person_name <> ''))`),
    ]
    if (contactIds?.length === 0) return parts
    const byContacts = rows
      .where('contact_id', 'is not', null)
      .where('contact_name', 'ilike', pattern)
      .where('person_name', 'not ilike', pattern)
    return [...parts, contactIds === null ? byContacts : byContacts.where('contact_id', '=', oneOf(contactIds))]
  })
}

/** Rows after the cursor, else from the offset; no more than `limit`. */
export async function listRecords(
  scope: Scope,
  db: Db,
  filter: RecordFilter,
  place: { after: RecordCursor | null; offset: number; limit: number },
) {
  const { after, limit } = place
  const offset = after === null ? place.offset : 0
  const parts = (await partsOf(scope, db, filter)).map((part) => {
    const time = after === null ? null : timestamp(after.time)
    // The plain comparison tells the planner which months to leave out.
    const rows =
      time === null ? part : part.where('occurred_at', '<=', time).where(sql<boolean>`(occurred_at, id) < (${time}, ${after!.id}::uuid)`)
    return rows.orderBy('occurred_at', 'desc').orderBy('id', 'desc')
  })
  const [only, ...more] = parts
  if (more.length === 0) return only!.select(recordColumns).limit(limit).offset(offset).execute()
  // Places first, which stand in indexes: of all the records before a page none has to be read.
  const [first, ...others] = parts.map((part) =>
    db
      .selectFrom(
        part
          .select(['occurred_at as placeTime', 'id as placeId'])
          .limit(offset + limit)
          .as('part'),
      )
      .selectAll(),
  )
  const all = others.reduce((rows, part) => rows.unionAll(part), first!)
  const places = db
    .selectFrom(all.as('found'))
    .selectAll()
    .orderBy('placeTime', 'desc')
    .orderBy('placeId', 'desc')
    .limit(limit)
    .offset(offset)
  return db
    .selectFrom(places.as('place'))
    .innerJoin('access_record', (join) => join.onRef('id', '=', 'placeId').onRef('occurred_at', '=', 'placeTime'))
    .select(recordColumns)
    .orderBy('placeTime', 'desc')
    .orderBy('placeId', 'desc')
    .execute()
}
export type RecordRow = Awaited<ReturnType<typeof listRecords>>[number]

/** How many there are, counted up to `limit`. */
export async function countRecords(scope: Scope, db: Db, filter: RecordFilter, limit = LIST_OFFSET_MAX + 1): Promise<number> {
  const counts = await Promise.all((await partsOf(scope, db, filter)).map((part) => countUpTo(db, part.select('id'), limit)))
  return Math.min(
    limit,
    counts.reduce((sum, count) => sum + count, 0),
  )
}

/** The named records of this park, in no order. */
export function findRecords(scope: Scope, db: Db, ids: readonly string[]): Promise<RecordRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('access_record')
    .select(recordColumns)
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(isSeen(scope))
    .execute()
}

/** Those of these records that exist for the asker, in no order. */
export async function findSeenIds(scope: Scope, db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('access_record')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(isSeen(scope))
    .execute()
  return rows.map(({ id }) => id)
}

/** Ids of all records of these persons, whoever asks. */
export async function findIdsOfPersons({ parkId }: Scope, db: Db, personIds: readonly string[]): Promise<string[]> {
  if (personIds.length === 0) return []
  const rows = await db
    .selectFrom('access_record')
    .select('id')
    .where('park_id', '=', parkId)
    .where('person_id', '=', oneOf(personIds))
    .execute()
  return rows.map(({ id }) => id)
}

export function findRecordDetail(scope: Scope, db: Db, id: string) {
  return db
    .selectFrom('access_record')
    .select(recordColumns)
    .select(['checks', 'settings_revision as settingsRevision', 'clock_offset_ms as clockOffsetMs'])
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where(isSeen(scope))
    .executeTakeFirst()
}

/**
 * The highest number stored of each epoch; those nothing is stored of are left out. Unscoped: device ids are unique in
 * the installation, and the device has proved itself.
 */
export async function readAcksUnscoped(
  db: Db,
  epochs: readonly { deviceId: string; epoch: string }[],
): Promise<{ deviceId: string; epoch: string; ackSeq: number }[]> {
  const asked = JSON.stringify(epochs.map(({ deviceId, epoch }) => ({ deviceId, epoch })))
  const { rows } = await sql<{ deviceId: string; epoch: string; ackSeq: number }>`
    SELECT device_id AS "deviceId", device_epoch.epoch, ack_seq AS "ackSeq"
    FROM json_to_recordset(${asked}::json) AS asked ("deviceId" uuid, epoch text)
    JOIN device_epoch ON device_epoch.device_id = asked."deviceId" AND device_epoch.epoch = asked.epoch`.execute(db)
  return rows
}

/** The highest number stored of one epoch, 0 where none is. Unscoped for the same reason. */
export async function readAckUnscoped(db: Db, deviceId: string, epoch: string): Promise<number> {
  return (await readAcksUnscoped(db, [{ deviceId, epoch }]))[0]?.ackSeq ?? 0
}

/**
 * A record of one device, for its picture. Its id says nothing of its moment, and each month has an index of its own:
 * those from `recent` on are looked through first, because pictures follow their records closely.
 */
export async function findRecordOfDevice(scope: Scope, db: Db, deviceId: string, id: string, recent: number) {
  const records = db
    .selectFrom('access_record')
    .select(['id', 'occurred_at as time', 'person_id as personId', 'capture_file_id as captureFileId'])
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .where('id', '=', id)
  const found = await records.where('occurred_at', '>=', timestamp(recent)).executeTakeFirst()
  return found ?? records.where('occurred_at', '<', timestamp(recent)).executeTakeFirst()
}

/** Gives a record its picture; false where it has one, or is gone, or is of somebody else now. */
export async function updateCapture(
  scope: Scope,
  db: Db,
  record: { id: string; time: number; personId: string | null },
  fileId: string,
): Promise<boolean> {
  const result = await db
    .updateTable('access_record')
    .set({ capture_file_id: fileId })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', record.id)
    .where('occurred_at', '=', timestamp(record.time))
    .where('person_id', 'is not distinct from', record.personId)
    .where('capture_file_id', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** What is needed of a record that goes: its picture, its name in the log, and what it was counted as. */
const deletedColumns = [
  'park_id',
  'device_id',
  'device_name',
  'occurred_at',
  'local_date',
  'local_hour',
  'person_group_id',
  'direction',
  'result',
  'fail_reason',
  'temperature',
  'temperature_status',
  'watched',
  'capture_file_id',
] as const
export type DeletedRecord = Pick<RecordTables['access_record'], (typeof deletedColumns)[number]>

/** Notes of a record whose picture came too late that it is not kept. */
export async function markPictureExpired(scope: Scope, db: Db, record: { id: string; time: number }, keptUntil: number): Promise<void> {
  await db
    .updateTable('access_record')
    .set({ picture_kept_until: timestamp(keptUntil) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', record.id)
    .where('occurred_at', '=', timestamp(record.time))
    .where('capture_file_id', 'is', null)
    .where('picture_kept_until', 'is', null)
    .execute()
}

/** Deletes a record; answers what it was, undefined where there is no such record. */
export async function deleteRecord(scope: Scope, db: Db, id: string): Promise<DeletedRecord | undefined> {
  return db
    .deleteFrom('access_record')
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where(isSeen(scope))
    .returning(deletedColumns)
    .executeTakeFirst()
}

/** Whose records, and of which devices those of nobody known. */
export interface RecordsOf {
  personIds: readonly string[]
  deviceIds: readonly string[]
}

const isOf = ({ personIds, deviceIds }: RecordsOf) =>
  sql<boolean>`(person_id = ${oneOf(personIds)} OR (person_id IS NULL AND device_id = ${oneOf(deviceIds)}))`

/** A record counts for the asker. By the mark it is counted by in statistics too, so that figures agree. */
export const isCounted = (scope: Scope) => (seesWatchList(scope) ? sql<boolean>`true` : sql<boolean>`NOT access_record.watched`)

/** How many records of the park there are, and how many of them are these. */
export async function countRecordsOf(scope: Scope, db: Db, of: RecordsOf): Promise<{ these: number; all: number }> {
  return db
    .selectFrom('access_record')
    .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.countAll<number>().filterWhere(isOf(of)).as('these')])
    .where('park_id', '=', scope.parkId)
    .where(isCounted(scope))
    .executeTakeFirstOrThrow()
}

/** Deletes some of these records, no more than `limit`; answers what they were. */
export async function deleteRecordsOf(scope: Scope, db: Db, of: RecordsOf, limit: number): Promise<(DeletedRecord & { id: string })[]> {
  const { rows } = await sql<DeletedRecord & { id: string }>`
    WITH picked AS (SELECT id, occurred_at FROM access_record WHERE park_id = ${scope.parkId}
      AND ${isOf(of)} LIMIT ${limit})
    DELETE FROM access_record AS record USING picked WHERE record.id = picked.id AND record.occurred_at = picked.occurred_at
    RETURNING record.id, ${sql.join(deletedColumns.map((column) => sql.ref(`record.${column}`)))}`.execute(db)
  return rows
}

/** Deletes where the numbering of these devices stands, and what never became a record of theirs. */
export async function deleteNumberingOf(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<void> {
  for (const table of ['unstorable_record', 'record_gap', 'device_epoch', 'watched_deleted'])
    await sql`DELETE FROM ${sql.table(table)} WHERE park_id = ${scope.parkId} AND device_id = ${oneOf(deviceIds)}`.execute(db)
}

/** Deletes every record of a park and where its devices stand; answers how many and their pictures. */
export async function deleteRecordsOfPark(scope: Scope, db: Db): Promise<{ count: number; fileIds: string[] }> {
  const pictured = await db
    .selectFrom('access_record')
    .select('capture_file_id as fileId')
    .where('park_id', '=', scope.parkId)
    .where('capture_file_id', 'is not', null)
    .execute()
  const deleted = await db.deleteFrom('access_record').where('park_id', '=', scope.parkId).executeTakeFirst()
  await db.deleteFrom('unstorable_record').where('park_id', '=', scope.parkId).execute()
  for (const table of ['record_gap', 'record_name', 'record_contact_name', 'picture_retention'])
    await sql`DELETE FROM ${sql.table(table)} WHERE park_id = ${scope.parkId}`.execute(db)
  await db.deleteFrom('device_epoch').where('park_id', '=', scope.parkId).execute()
  return { count: Number(deleted.numDeletedRows), fileIds: pictured.map((row) => row.fileId!) }
}
