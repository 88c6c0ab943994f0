/** Rows of what cameras counted and did not keep, and of what is kept for hours; every function takes the scope first. */
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Count those who passed a camera on a day, and of how many a capture was kept. */
export async function countPassing(
  { parkId }: Scope,
  db: Database,
  { deviceId, day, passed, kept }: { deviceId: string; day: string; passed: number; kept: number },
): Promise<void> {
  await sql`
    INSERT INTO capture_passing AS counted (park_id, device_id, day, passed, kept)
    VALUES (${parkId}, ${deviceId}, ${day}, ${passed}, ${kept})
    ON CONFLICT (device_id, day) DO UPDATE SET passed = counted.passed + excluded.passed, kept = counted.kept + excluded.kept`.execute(db)
}

/** Return the newest days on which somebody passed a camera and was counted. */
export function findPassing(scope: Scope, db: Database, deviceId: string, limit: number) {
  return db
    .selectFrom('capturePassing')
    .select(['day', 'passed', 'kept'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute()
}

interface Loss {
  id: string
  deviceId: string
  count: number
  from: number
  to: number
}

/** Note the captures that a camera lost in a cut, once. */
export async function insertLoss(scope: Scope, db: Database, { id, deviceId, count, from, to }: Loss): Promise<void> {
  await db
    .insertInto('captureLoss')
    .values({ id, parkId: scope.parkId, deviceId, count, fromTime: timestamp(from), toTime: timestamp(to) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Return the newest cuts in which a camera lost captures. */
export function findLosses(scope: Scope, db: Database, deviceId: string, limit: number) {
  return db
    .selectFrom('captureLoss')
    .select(['id', 'count', 'fromTime as from', 'toTime as to'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .orderBy('toTime', 'desc')
    .limit(limit)
    .execute()
}

/** Forget the counts of days before one, and cuts that ended before a moment. Unscoped: the job looks through all parks at once. */
export async function deleteCountsUnscoped(db: Database, day: string, before: number): Promise<void> {
  await db.deleteFrom('capturePassing').where('day', '<', day).execute()
  await db.deleteFrom('captureLoss').where('toTime', '<', timestamp(before)).execute()
}

/** Delete the counts of the park. */
export async function deleteCountsOfPark(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('capturePassing').where('parkId', '=', scope.parkId).execute()
  await db.deleteFrom('captureLoss').where('parkId', '=', scope.parkId).execute()
}

/** Return the cameras that captures are stored of. Unscoped: as above. */
export async function findCamerasUnscoped(db: Database): Promise<{ parkId: string; deviceId: string }[]> {
  // One step in the index for each camera, however many captures it has.
  const { rows } = await sql<{ parkId: string; deviceId: string }>`
    WITH RECURSIVE camera AS (
      (SELECT park_id, device_id FROM capture ORDER BY park_id, device_id LIMIT 1)
      UNION ALL
      SELECT next.park_id, next.device_id FROM camera CROSS JOIN LATERAL (
        SELECT park_id, device_id FROM capture WHERE (park_id, device_id) > (camera.park_id, camera.device_id)
        ORDER BY park_id, device_id LIMIT 1) AS next)
    SELECT park_id, device_id FROM camera`.execute(db)
  return rows
}

/** Return captures whose own time is over, the first of them first. Unscoped: as above. */
export function findOverUnscoped(db: Database, now: number, limit: number): Promise<{ id: string; parkId: string }[]> {
  return db
    .selectFrom('capture')
    .select(['id', 'parkId'])
    .where('keptUntil', '<', timestamp(now))
    .orderBy('keptUntil')
    .limit(limit)
    .execute()
}

/** Return captures of a camera that were received before a moment. */
export async function findReceivedBefore(scope: Scope, db: Database, deviceId: string, before: number, limit: number) {
  const rows = await db
    .selectFrom('capture')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    // Nothing was captured later than it was received, and the index is by the time of capture.
    .where('capturedAt', '<', timestamp(before))
    .where('receivedAt', '<', timestamp(before))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => ({ id, parkId: scope.parkId }))
}

/** Note of all captures of a camera that they are kept only because a task identified somebody. */
export async function markMatched({ parkId }: Scope, db: Database, deviceId: string): Promise<void> {
  await db
    .updateTable('capture')
    .set({ matchedOnly: true })
    .where('parkId', '=', parkId)
    .where('deviceId', '=', deviceId)
    .where('matchedOnly', '=', false)
    .execute()
}

/** Return captures of a camera that no task identified as somebody. */
export async function findUnmatched(scope: Scope, db: Database, deviceId: string, limit: number) {
  const rows = await db
    .selectFrom('capture')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('captureMatch')
            .select('captureMatch.id')
            .whereRef('captureMatch.captureId', '=', 'capture.id')
            .where('captureMatch.personId', 'is not', null),
        ),
      ),
    )
    .limit(limit)
    .execute()
  return rows.map(({ id }) => ({ id, parkId: scope.parkId }))
}
