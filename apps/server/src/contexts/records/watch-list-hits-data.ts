/** Rows of records on which somebody of the watch list was found; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { isOnWatchList } from '../../platform/session/sight.ts'
import type { RecordTables } from './schema.ts'

type Db = Database<RecordTables>

export interface HitRow {
  recordId: string
  personId: string
  /** 0 to 100, raw. */
  score: number
}

/** A record whose picture arrived; undefined where it is gone, has no picture any more, or somebody was found on it already. */
export function findPictured(scope: Scope, db: Db, recordId: string) {
  return db
    .selectFrom('access_record')
    .select(['id', 'occurred_at as time', 'received_at as receivedAt', 'person_id as personId', 'contact_id as contactId', 'checks'])
    .select((eb) => eb.ref('capture_file_id').$notNull().as('fileId'))
    .where('park_id', '=', scope.parkId)
    .where('id', '=', recordId)
    .where('capture_file_id', 'is not', null)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('watch_list_hit').select('record_id').where('record_id', '=', recordId))))
    .executeTakeFirst()
}
export type PicturedRecord = NonNullable<Awaited<ReturnType<typeof findPictured>>>

/**
 * Notes whom a record shows; false where somebody is noted already, where the record is gone, or the person is on the list no more. Both stay
 * until the transaction ends: whoever deletes one of them finds the note.
 */
export async function insertHit(
  { parkId }: Scope,
  db: Db,
  { id, time }: Pick<PicturedRecord, 'id' | 'time'>,
  { personId, score }: Pick<HitRow, 'personId' | 'score'>,
  now: number,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO watch_list_hit (record_id, park_id, occurred_at, person_id, score, noted_at)
    SELECT record.id, record.park_id, record.occurred_at, person.id, ${score}, ${timestamp(now)}
    FROM access_record AS record JOIN person ON person.park_id = record.park_id
    WHERE record.park_id = ${parkId} AND record.id = ${id} AND record.occurred_at = ${timestamp(time as number)}
      AND person.id = ${personId} AND ${isOnWatchList('person.id')}
    FOR KEY SHARE OF record, person
    ON CONFLICT (record_id) DO NOTHING RETURNING record_id`.execute(db)
  return rows.length > 0
}

/** Whom these records show, as far as that person is on the watch list and it exists for the asker. */
export async function findHits(scope: Scope, db: Db, recordIds: readonly string[]): Promise<HitRow[]> {
  if (recordIds.length === 0 || !seesWatchList(scope)) return []
  return db
    .selectFrom('watch_list_hit')
    .select(['record_id as recordId', 'person_id as personId', 'score'])
    .where('park_id', '=', scope.parkId)
    .where('record_id', '=', oneOf(recordIds))
    .where(isOnWatchList('watch_list_hit.person_id'))
    .execute()
}

/** Whether any record shows this person, as far as the asker may know. */
export async function wasFound(scope: Scope, db: Db, personId: string): Promise<boolean> {
  if (!seesWatchList(scope)) return false
  const row = await db
    .selectFrom('watch_list_hit')
    .select('record_id')
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', personId)
    .where(isOnWatchList('watch_list_hit.person_id'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * A record is among those on which somebody of the watch list was found in this time, or this person. Asked for by the ids of those records, which
 * are few among millions: each is looked up by its own.
 */
export function isHit(scope: Scope, { from, to }: { from: number; to: number | null }, personId?: string) {
  if (!seesWatchList(scope)) return sql<boolean>`false`
  const until = to === null ? sql`` : sql`AND hit.occurred_at <= ${timestamp(to)}`
  const whom = personId === undefined ? sql`` : sql`AND hit.person_id = ${personId}`
  return sql<boolean>`access_record.id = ANY (ARRAY(SELECT hit.record_id FROM watch_list_hit AS hit
    WHERE hit.park_id = ${scope.parkId} AND hit.occurred_at >= ${timestamp(from)} ${until} ${whom} AND ${isOnWatchList('hit.person_id')}))`
}

export async function deleteHits(scope: Scope, db: Db, recordIds: readonly string[]): Promise<void> {
  await db.deleteFrom('watch_list_hit').where('park_id', '=', scope.parkId).where('record_id', '=', oneOf(recordIds)).execute()
}

/** Forgets where these persons were found. */
export async function deleteHitsOfPersons(scope: Scope, db: Db, personIds: readonly string[]): Promise<void> {
  await db.deleteFrom('watch_list_hit').where('park_id', '=', scope.parkId).where('person_id', '=', oneOf(personIds)).execute()
}

export async function deleteHitsOfPark(scope: Scope, db: Db): Promise<void> {
  await db.deleteFrom('watch_list_hit').where('park_id', '=', scope.parkId).execute()
}

const DAY = 86_400_000
/** Days by which an ordinary one is told. */
const DAYS = 7

/** Passages on an ordinary day: the mean of the last seven, or of those since the first passage. */
export async function passagesPerDay(scope: Scope, db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ count: number; first: number | null }>`
    SELECT count(*) AS count, min(occurred_at) AS first FROM access_record
     WHERE park_id = ${scope.parkId}::uuid AND occurred_at > ${timestamp(now - DAYS * DAY)}`.execute(db)
  const { count, first } = rows[0]!
  return first === null ? 0 : count / Math.max(1, Math.ceil((now - first) / DAY))
}
