/**
 * Rows of access records; every function takes the scope first. Passages of a person whom the caller may not see are not shown to
 * the caller.
 */
import { sentRows } from '../../platform/database/sent-rows.ts'
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import { failReason } from '@gatehouse/contract/enums'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import { countUpTo } from '../../platform/database/page.ts'
import type { Place } from '../../platform/http/newest-first.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import { findNamed } from './record-names-data.ts'
import { isHit, wasFound } from './watch-list-hits-data.ts'

const recordColumns = columnList([
  'id',
  'personId',
  'personName',
  'workNumber',
  'personParkName',
  'contactId',
  'contactName',
  'contactRelation',
  'deviceId',
  'deviceName',
  'occurredAt as time',
  'receivedAt',
  'direction',
  'verifyType',
  'result',
  'failReason',
  'score',
  'temperature',
  'temperatureStatus',
  'mask',
  'helmet',
  'captureFileId',
  'pictureKeptUntil',
  'restriction',
])

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
  /** Only records on which a person of the watch list was found; none for a caller who may not see that list. */
  watchList?: true | undefined
}

/** Condition that the caller may see a record. */
export const isSeen = (scope: Scope) =>
  sql<boolean>`(${personIsSeen(scope, 'accessRecord.personId')} AND ${deviceIsSeen(scope, 'accessRecord.deviceId')})`

export const isStranger = sql<boolean>`(person_id IS NULL AND fail_reason = ${sql.lit(failReason.notRegistered)})`

/** Return the query for a filter without its person and name. The migrations have an index for most of its conditions. */
function unnamed(scope: Scope, db: Database, filter: RecordFilter) {
  let rows = db
    .selectFrom('accessRecord')
    .where('parkId', '=', scope.parkId)
    .where('occurredAt', '>=', timestamp(filter.from))
    .where(isSeen(scope))
  if (filter.to !== null) rows = rows.where('occurredAt', '<=', timestamp(filter.to))
  if (filter.deviceId !== undefined) rows = rows.where('deviceId', '=', filter.deviceId)
  if (filter.direction !== undefined) rows = rows.where('direction', '=', filter.direction)
  // Written out, so that the planner knows the partial index fits.
  if (filter.result !== undefined) rows = rows.where('result', '=', sql.lit(filter.result))
  if (filter.failReason !== undefined) rows = rows.where('failReason', '=', filter.failReason)
  if (filter.stranger === true) rows = rows.where(isStranger)
  if (filter.stranger === false) rows = rows.where(sql<boolean>`${isStranger} IS NOT TRUE`)
  if (filter.watchList === true) rows = rows.where(isHit(scope, filter))
  return rows
}

/**
 * Return the queries for a filter with its person but without its name, as disjoint parts: the person's own passages, and other
 * records on which the person was found.
 */
async function ofPerson(scope: Scope, db: Database, filter: RecordFilter) {
  const { personId } = filter
  const rows = unnamed(scope, db, filter)
  if (personId === undefined) return [rows]
  const own = rows.where('personId', '=', personId)
  if (!(await wasFound(scope, db, personId))) return [own]
  return [own, rows.where(isHit(scope, filter, personId)).where('personId', 'is distinct from', personId)]
}

/**
 * Return the queries for a filter as disjoint parts; where it has a name: persons of that name, and contacts of that name. Each
 * part has its own indexes; in one query, the part without an index would force a scan of all records.
 */
async function partsOf(scope: Scope, db: Database, filter: RecordFilter) {
  const { personName = '' } = filter
  const all = await ofPerson(scope, db, filter)
  if (personName === '') return all
  const { personIds, contactIds } = await findNamed(scope, db, personName)
  const pattern = personalPattern(scope, personName)
  return all.flatMap((rows) => {
    const ofPersons = rows.where('personName', 'ilike', pattern)
    // A record without a person may have a name too: the one the terminal sent.
    const parts = [
      personIds === null
        ? ofPersons
        : ofPersons.where(sql<boolean>`(person_id = ${oneOf(personIds)} OR (person_id IS NULL AND person_name <> ''))`),
    ]
    if (contactIds?.length === 0) return parts
    const byContacts = rows
      .where('contactId', 'is not', null)
      .where('contactName', 'ilike', pattern)
      .where('personName', 'not ilike', pattern)
    return [...parts, contactIds === null ? byContacts : byContacts.where('contactId', '=', oneOf(contactIds))]
  })
}

/** Return at most `limit` rows after the cursor; without a cursor, from the offset on. */
export async function listRecords(scope: Scope, db: Database, filter: RecordFilter, { after, offset, limit }: Place) {
  const parts = (await partsOf(scope, db, filter)).map((part) => {
    const time = after === null ? null : timestamp(after.time)
    // The plain comparison lets the planner skip months.
    const rows =
      time === null ? part : part.where('occurredAt', '<=', time).where(sql<boolean>`(occurred_at, id) < (${time}, ${after!.id}::uuid)`)
    return rows.orderBy('occurredAt', 'desc').orderBy('id', 'desc')
  })
  const [only, ...more] = parts
  if (more.length === 0) return only!.select(recordColumns).limit(limit).offset(offset).execute()
  // Time and id come first, from indexes alone: no record before the page is read.
  const [first, ...others] = parts.map((part) =>
    db
      .selectFrom(
        part
          .select(['occurredAt as placeTime', 'id as placeId'])
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
    .innerJoin('accessRecord', (join) => join.onRef('id', '=', 'placeId').onRef('occurredAt', '=', 'placeTime'))
    .select(recordColumns)
    .orderBy('placeTime', 'desc')
    .orderBy('placeId', 'desc')
    .execute()
}
export type RecordRow = Awaited<ReturnType<typeof listRecords>>[number]

/** Return how many records match, counted up to `limit`. */
export async function countRecords(scope: Scope, db: Database, filter: RecordFilter, limit = LIST_OFFSET_MAX + 1): Promise<number> {
  const counts = await Promise.all((await partsOf(scope, db, filter)).map((part) => countUpTo(db, part.select('id'), limit)))
  return Math.min(
    limit,
    counts.reduce((sum, count) => sum + count, 0),
  )
}

/** Moments between which records lie, both inclusive: only the months between them are searched. Absent: all months are. */
export interface Span {
  from: number
  to: number
}

/** Return the query for the records of a park with these ids. An id says nothing about its moment, and each month has its own index. */
function named(scope: Scope, db: Database, ids: readonly string[], span: Span | undefined) {
  const rows = db.selectFrom('accessRecord').where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).where(isSeen(scope))
  return span === undefined ? rows : rows.where('occurredAt', '>=', timestamp(span.from)).where('occurredAt', '<=', timestamp(span.to))
}

/** Return the named records of this park, in no order. */
export function findRecords(scope: Scope, db: Database, ids: readonly string[], span?: Span): Promise<RecordRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return named(scope, db, ids, span).select(recordColumns).execute()
}

/** Return the ids of those of these records that the caller may see, in no order. */
export async function findSeenIds(scope: Scope, db: Database, ids: readonly string[], span?: Span): Promise<string[]> {
  const rows = await named(scope, db, ids, span).select('id').execute()
  return rows.map(({ id }) => id)
}

/** Return the ids of all records of these persons, whoever calls. */
export async function findIdsOfPersons({ parkId }: Scope, db: Database, personIds: readonly string[]): Promise<string[]> {
  if (personIds.length === 0) return []
  const rows = await db
    .selectFrom('accessRecord')
    .select('id')
    .where('parkId', '=', parkId)
    .where('personId', '=', oneOf(personIds))
    .execute()
  return rows.map(({ id }) => id)
}

export function findRecordDetail(scope: Scope, db: Database, id: string, span?: Span) {
  return named(scope, db, [id], span).select(recordColumns).select(['checks', 'settingsRevision', 'clockOffsetMs']).executeTakeFirst()
}

/**
 * Return the highest number stored of each epoch; epochs of which nothing is stored are left out. Unscoped: device ids are unique
 * in the installation, and the device is authenticated.
 */
export async function readAcksUnscoped(
  db: Database,
  epochs: readonly { deviceId: string; epoch: string }[],
): Promise<{ deviceId: string; epoch: string; ackSeq: number }[]> {
  const { rows } = await sql<{ deviceId: string; epoch: string; ackSeq: number }>`
    SELECT device_epoch.device_id, device_epoch.epoch, ack_seq
    FROM ${sentRows(epochs, { deviceId: 'uuid', epoch: 'text' })} AS asked
    JOIN device_epoch ON device_epoch.device_id = asked.device_id AND device_epoch.epoch = asked.epoch`.execute(db)
  return rows
}

/** Return the highest number stored of one epoch, 0 where none is. Unscoped for the same reason. */
export async function readAckUnscoped(db: Database, deviceId: string, epoch: string): Promise<number> {
  return (await readAcksUnscoped(db, [{ deviceId, epoch }]))[0]?.ackSeq ?? 0
}

/**
 * Return a record of one device, for its picture. An id says nothing about its moment, and each month has its own index: months
 * from `recent` on are searched first, because pictures follow their records closely.
 */
export async function findRecordOfDevice(scope: Scope, db: Database, deviceId: string, id: string, recent: number) {
  const records = db
    .selectFrom('accessRecord')
    .select(['id', 'occurredAt as time', 'personId', 'captureFileId'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('id', '=', id)
  const found = await records.where('occurredAt', '>=', timestamp(recent)).executeTakeFirst()
  return found ?? records.where('occurredAt', '<', timestamp(recent)).executeTakeFirst()
}

/** Give a record its picture; return false where it has one, is deleted, or is now of another person. */
export async function updateCapture(
  scope: Scope,
  db: Database,
  record: { id: string; time: number; personId: string | null },
  fileId: string,
): Promise<boolean> {
  const result = await db
    .updateTable('accessRecord')
    .set({ captureFileId: fileId })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', record.id)
    .where('occurredAt', '=', timestamp(record.time))
    .where('personId', 'is not distinct from', record.personId)
    .where('captureFileId', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Note on a record without a picture that its picture arrived too late to be kept. */
export async function markPictureExpired(
  scope: Scope,
  db: Database,
  record: { id: string; time: number },
  keptUntil: number,
): Promise<void> {
  await db
    .updateTable('accessRecord')
    .set({ pictureKeptUntil: timestamp(keptUntil) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', record.id)
    .where('occurredAt', '=', timestamp(record.time))
    .where('captureFileId', 'is', null)
    .where('pictureKeptUntil', 'is', null)
    .execute()
}

/**
 * Return the moment of a record, by which its month is found; undefined where there is no such record. Months from `recent` on
 * are searched first.
 */
export async function findMoment(scope: Scope, db: Database, id: string, recent: number): Promise<number | undefined> {
  const moment = db
    .selectFrom('accessRecord')
    .select('occurredAt')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where(isSeen(scope))
  const found = await moment.where('occurredAt', '>=', timestamp(recent)).executeTakeFirst()
  return (found ?? (await moment.where('occurredAt', '<', timestamp(recent)).executeTakeFirst()))?.occurredAt
}

/** Condition that a record counts for the caller. It uses the mark that statistics count by, so that the figures agree. */
export const isCounted = (scope: Scope) => (seesWatchList(scope) ? sql<boolean>`true` : sql<boolean>`NOT access_record.watched`)
