/** Rows of records on which a person of the watch list was found; every function takes the scope first. */
import { PERSONS } from '../people/index.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { isOnWatchList } from '../../platform/session/sight.ts'

export interface HitRow {
  recordId: string
  personId: string
  /** 0 to 100, raw. */
  score: number
}

/** Return a record whose picture arrived; undefined where the record is deleted, no longer has a picture, or already has a hit. */
export function findPictured(scope: Scope, db: Database, recordId: string) {
  return db
    .selectFrom('accessRecord')
    .select(['id', 'occurredAt as time', 'receivedAt', 'personId', 'contactId', 'checks'])
    .select((eb) => eb.ref('captureFileId').$notNull().as('fileId'))
    .where('parkId', '=', scope.parkId)
    .where('id', '=', recordId)
    .where('captureFileId', 'is not', null)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('watchListHit').select('recordId').where('recordId', '=', recordId))))
    .executeTakeFirst()
}
export type PicturedRecord = NonNullable<Awaited<ReturnType<typeof findPictured>>>

/**
 * Store whom a record shows; return false where it already has a hit, where the record is deleted, or where the person is no
 * longer on the list. Both rows are locked until the transaction ends, so that a transaction that deletes one of them finds the
 * hit.
 */
export async function insertHit(
  { parkId }: Scope,
  db: Database,
  { id, time }: Pick<PicturedRecord, 'id' | 'time'>,
  { personId, score }: Pick<HitRow, 'personId' | 'score'>,
  now: number,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO watch_list_hit (record_id, park_id, occurred_at, person_id, score, noted_at)
    SELECT record.id, record.park_id, record.occurred_at, person.id, ${score}, ${timestamp(now)}
    FROM access_record AS record JOIN ${PERSONS} ON person.park_id = record.park_id
    WHERE record.park_id = ${parkId} AND record.id = ${id} AND record.occurred_at = ${timestamp(time)}
      AND person.id = ${personId} AND ${isOnWatchList('person.id')}
    FOR KEY SHARE OF record, person
    ON CONFLICT (record_id) DO NOTHING RETURNING record_id`.execute(db)
  return rows.length > 0
}

/** Return whom these records show, if the person is on the watch list and the caller may see that list. */
export async function findHits(scope: Scope, db: Database, recordIds: readonly string[]): Promise<HitRow[]> {
  if (recordIds.length === 0 || !seesWatchList(scope)) return []
  return db
    .selectFrom('watchListHit')
    .select(['recordId', 'personId', 'score'])
    .where('parkId', '=', scope.parkId)
    .where('recordId', '=', oneOf(recordIds))
    .where(isOnWatchList('watchListHit.personId'))
    .execute()
}

/** Whether any record shows this person; false for a caller who may not see the watch list. */
export async function wasFound(scope: Scope, db: Database, personId: string): Promise<boolean> {
  if (!seesWatchList(scope)) return false
  const row = await db
    .selectFrom('watchListHit')
    .select('recordId')
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', personId)
    .where(isOnWatchList('watchListHit.personId'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Condition that a person of the watch list, or this person, was found on a record in this time. It names the ids of those
 * records, which are few among millions, so that each is found by the index of ids.
 */
export function isHit(scope: Scope, { from, to }: { from: number; to: number | null }, personId?: string) {
  if (!seesWatchList(scope)) return sql<boolean>`false`
  const until = to === null ? sql`` : sql`AND hit.occurred_at <= ${timestamp(to)}`
  const ofPerson = personId === undefined ? sql`` : sql`AND hit.person_id = ${personId}`
  return sql<boolean>`access_record.id = ANY (ARRAY(SELECT hit.record_id FROM watch_list_hit AS hit
    WHERE hit.park_id = ${scope.parkId} AND hit.occurred_at >= ${timestamp(from)} ${until} ${ofPerson}
    AND ${isOnWatchList('hit.personId')}))`
}

export async function deleteHits(scope: Scope, db: Database, recordIds: readonly string[]): Promise<void> {
  await db.deleteFrom('watchListHit').where('parkId', '=', scope.parkId).where('recordId', '=', oneOf(recordIds)).execute()
}

/** Delete the hits of these persons. */
export async function deleteHitsOfPersons(scope: Scope, db: Database, personIds: readonly string[]): Promise<void> {
  await db.deleteFrom('watchListHit').where('parkId', '=', scope.parkId).where('personId', '=', oneOf(personIds)).execute()
}

export async function deleteHitsOfPark(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('watchListHit').where('parkId', '=', scope.parkId).execute()
}

const DAY = 86_400_000
/** Days over which the mean is taken. */
const DAYS = 7

/** Return the mean number of passages a day, over the last seven days or since the first passage in them. */
export async function passagesPerDay(scope: Scope, db: Database, now: number): Promise<number> {
  const { rows } = await sql<{ count: number; first: number | null }>`
    SELECT count(*) AS count, min(occurred_at) AS first FROM access_record
     WHERE park_id = ${scope.parkId}::uuid AND occurred_at > ${timestamp(now - DAYS * DAY)}`.execute(db)
  const { count, first } = rows[0]!
  return first === null ? 0 : count / Math.max(1, Math.ceil((now - first) / DAY))
}
