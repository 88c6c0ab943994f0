/** Rows of erasures that devices are notified of; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

/**
 * Number an erasure after all others of the park. Until commit no other transaction can number one there, so no erasure
 * becomes visible before an earlier one.
 */
export async function insertErasure(
  scope: Scope,
  db: Database,
  { id, personId }: { id: string; personId: string },
  now: number,
): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sync_erasure ${scope.parkId}`}, 0))`.execute(db)
  await sql`INSERT INTO sync_erasure (id, park_id, seq, person_id, noted_at)
    SELECT ${id}::uuid, ${scope.parkId}::uuid, coalesce(max(seq), 0) + 1, ${personId}::uuid, ${timestamp(now)}::timestamptz
    FROM sync_erasure WHERE park_id = ${scope.parkId}
    ON CONFLICT (park_id, person_id) DO NOTHING`.execute(db)
}

/** Return the id of the park's newest erasure; null if nobody was erased. */
export async function findNewestErasure(scope: Scope, db: Database): Promise<string | null> {
  const row = await db
    .selectFrom('syncErasure')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

const numberOf = (scope: Scope, db: Database, id: string) =>
  db.selectFrom('syncErasure').select('seq').where('parkId', '=', scope.parkId).where('id', '=', id)

/** Return the erasures after a given one, in order; all of them if that one is null or unknown. */
export async function listErasures(
  scope: Scope,
  db: Database,
  after: string | null,
  limit: number,
): Promise<{ id: string; personId: string }[]> {
  const from = after === null ? undefined : await numberOf(scope, db, after).executeTakeFirst()
  return db
    .selectFrom('syncErasure')
    .select(['id', 'personId'])
    .where('parkId', '=', scope.parkId)
    .where('seq', '>', from?.seq ?? 0)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Return what a device last reported about erasures; undefined if nothing is stored about the device. */
export async function findReportedErasure(
  scope: Scope,
  db: Database,
  deviceId: string,
): Promise<{ reportsErasures: boolean; erasureId: string | null; reportedAt: number | null } | undefined> {
  const row = await db
    .selectFrom('syncDevice')
    .select(['tellsErasures as reportsErasures', 'erasureId', 'heldAt as reportedAt'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .executeTakeFirst()
  return row as { reportsErasures: boolean; erasureId: string | null; reportedAt: number | null } | undefined
}

/** Return those of these persons whose erasure is not after the given one. */
export async function findErasedUpTo(scope: Scope, db: Database, erasureId: string, personIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('syncErasure')
    .select('personId as id')
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .where('seq', '<=', numberOf(scope, db, erasureId))
    .execute()
  return rows.map(({ id }) => id)
}
