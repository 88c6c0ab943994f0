/** Rows of erasures as devices are told of them; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { SynchronisationTables } from './schema.ts'

type Db = Database<SynchronisationTables>

/** Numbers an erasure behind all others of the park; until commit nobody else numbers one there, so none becomes visible before an earlier one. */
export async function insertErasure(scope: Scope, db: Db, { id, personId }: { id: string; personId: string }, now: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sync_erasure ${scope.parkId}`}, 0))`.execute(db)
  await sql`INSERT INTO sync_erasure (id, park_id, seq, person_id, noted_at)
    SELECT ${id}::uuid, ${scope.parkId}::uuid, coalesce(max(seq), 0) + 1, ${personId}::uuid, ${timestamp(now)}::timestamptz FROM sync_erasure WHERE park_id = ${scope.parkId}
    ON CONFLICT (park_id, person_id) DO NOTHING`.execute(db)
}

/** The newest of the park; null where nobody was erased. */
export async function findNewestErasure(scope: Scope, db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('sync_erasure')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

const numberOf = (scope: Scope, db: Db, id: string) =>
  db.selectFrom('sync_erasure').select('seq').where('park_id', '=', scope.parkId).where('id', '=', id)

/** Those behind one, in their order; all of them where it is not known. */
export async function listErasures(scope: Scope, db: Db, after: string | null, limit: number): Promise<{ id: string; personId: string }[]> {
  const from = after === null ? undefined : await numberOf(scope, db, after).executeTakeFirst()
  return db
    .selectFrom('sync_erasure')
    .select(['id', 'person_id as personId'])
    .where('park_id', '=', scope.parkId)
    .where('seq', '>', from?.seq ?? 0)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** What a device last said of erasures; undefined before it said anything at all. */
export async function findTold(
  scope: Scope,
  db: Db,
  deviceId: string,
): Promise<{ tells: boolean; erasureId: string | null; heldAt: number | null } | undefined> {
  const row = await db
    .selectFrom('sync_device')
    .select(['tells_erasures as tells', 'erasure_id as erasureId', 'held_at as heldAt'])
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  return row as { tells: boolean; erasureId: string | null; heldAt: number | null } | undefined
}

/** Of these persons, those whose erasures do not lie behind one. */
export async function findErasedUpTo(scope: Scope, db: Db, erasureId: string, personIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('sync_erasure')
    .select('person_id as id')
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', oneOf(personIds))
    .where('seq', '<=', numberOf(scope, db, erasureId))
    .execute()
  return rows.map(({ id }) => id)
}
