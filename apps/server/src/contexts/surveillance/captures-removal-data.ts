/** Deletion of captures; every function takes the scope first. What tasks made of a capture is deleted with it. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface DeletedCapture {
  id: string
  capturedAt: number
  fileId: string | null
}

/** Return captures received before a moment, the oldest first. Unscoped: the daily job looks through all parks at once. */
export function findPastUnscoped(db: Database, before: number, limit: number): Promise<{ id: string; parkId: string }[]> {
  return db
    .selectFrom('capture')
    .select(['id', 'parkId'])
    .where('receivedAt', '<', timestamp(before))
    .orderBy('receivedAt')
    .limit(limit)
    .execute()
}

/** Forget which pictures were posted before a moment. Unscoped: as above. */
export async function deletePostedUnscoped(db: Database, before: number): Promise<void> {
  await db.deleteFrom('postedCapture').where('receivedAt', '<', timestamp(before)).execute()
}

export function deleteCaptures(scope: Scope, db: Database, ids: readonly string[]): Promise<DeletedCapture[]> {
  return db
    .deleteFrom('capture')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .returning(['id', 'capturedAt', 'fileId'])
    .execute()
}

/** Return how many captures matched one of these persons. */
export async function countOfPersons(scope: Scope, db: Database, personIds: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom('captureMatch')
    .select((eb) => eb.fn.count<number>('captureId').distinct().as('count'))
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .executeTakeFirstOrThrow()
  return count
}

/** Delete the captures that matched one of these persons. */
export function deleteOfPersons(scope: Scope, db: Database, personIds: readonly string[]): Promise<DeletedCapture[]> {
  return db
    .deleteFrom('capture')
    .where('parkId', '=', scope.parkId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('captureMatch')
        .select('captureId')
        .where('captureMatch.parkId', '=', scope.parkId)
        .where('captureMatch.personId', '=', oneOf(personIds)),
    )
    .returning(['id', 'capturedAt', 'fileId'])
    .execute()
}

/** Merge what is kept of how many captures there are into one row for each hour, device and model. Unscoped: as above. */
export async function mergeCountsUnscoped(db: Database): Promise<void> {
  await sql`WITH several AS (
      SELECT park_id, hour, device_id, model_id FROM capture_count GROUP BY 1, 2, 3, 4 HAVING count(*) > 1 OR sum(captures) = 0),
    merged AS (
      DELETE FROM capture_count USING several
      WHERE (capture_count.park_id, capture_count.hour, capture_count.device_id, capture_count.model_id)
        = (several.park_id, several.hour, several.device_id, several.model_id)
      RETURNING capture_count.park_id, capture_count.hour, capture_count.device_id, capture_count.model_id, captures)
    INSERT INTO capture_count (park_id, hour, device_id, model_id, captures)
    SELECT park_id, hour, device_id, model_id, sum(captures)::integer FROM merged GROUP BY 1, 2, 3, 4 HAVING sum(captures) <> 0`.execute(db)
}

/** Delete all captures of the park. */
export async function deleteOfPark(scope: Scope, db: Database): Promise<DeletedCapture[]> {
  await db.deleteFrom('postedCapture').where('parkId', '=', scope.parkId).execute()
  const deleted = await db.deleteFrom('capture').where('parkId', '=', scope.parkId).returning(['id', 'capturedAt', 'fileId']).execute()
  await db.deleteFrom('captureCount').where('parkId', '=', scope.parkId).execute()
  return deleted
}
