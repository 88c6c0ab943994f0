/** Rows of long work. What the node that leads does for all parks is unscoped; it names the row and its own attempt. */
import type { WorkState } from '@gatehouse/contract/work'
import { columnList } from '../database/column-list.ts'
import { sql, timestamp, type Database } from '../database/database.ts'
import type { Scope } from '../session/session.ts'
import type { WorkTables } from './work-migration.ts'

type Db = Database<WorkTables>

export interface Counts {
  done: number
  total: number | null
  failed: number
  kept: unknown
}

export interface TakenRow extends Counts {
  id: string
  parkId: string
  runner: string
  input: unknown
}

const shown = columnList([
  'id',
  'kind',
  'state',
  'done',
  'total',
  'failed',
  'created_at as createdAt',
  'started_at as startedAt',
  'ended_at as endedAt',
  'reason',
])

const jsonOrNull = (value: unknown): string | null => (value == null ? null : JSON.stringify(value))
const columnsOf = ({ done, total, failed, kept }: Counts) => ({ done, total, failed, kept: jsonOrNull(kept) })

/** False where one of the kind waits or runs in the park. */
export async function insert(scope: Scope, db: Db, id: string, kind: string, input: unknown, now: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`INSERT INTO work (id, park_id, kind, state, input, created_at)
    VALUES (${id}::uuid, ${scope.parkId}::uuid, ${kind}, 'waiting', ${JSON.stringify(input ?? {})}::jsonb, ${timestamp(now)})
    ON CONFLICT (park_id, kind) WHERE state IN ('waiting', 'running') DO NOTHING RETURNING id`.execute(db)
  return rows.length > 0
}

export async function findOpen(scope: Scope, db: Db, kind: string): Promise<string | null> {
  const row = await db
    .selectFrom('work')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where('kind', '=', kind)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return row?.id ?? null
}

export async function find(scope: Scope, db: Db, id: string): Promise<WorkState | null> {
  return ((await db.selectFrom('work').select(shown).where('park_id', '=', scope.parkId).where('id', '=', id).executeTakeFirst()) ??
    null) as WorkState | null
}

export async function findLatest(scope: Scope, db: Db, kind: string): Promise<WorkState | null> {
  const rows = db.selectFrom('work').select(shown).where('park_id', '=', scope.parkId).where('kind', '=', kind)
  return ((await rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null) as WorkState | null
}

/** Whether there was something to cancel. */
export async function cancel(scope: Scope, db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('work')
    .set({ state: 'cancelled', runner: null, ended_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

export async function deleteOfPark(scope: Scope, db: Db): Promise<void> {
  await db.deleteFrom('work').where('park_id', '=', scope.parkId).execute()
}

/** The oldest of a kind that waits or whose attempt died, from now on this runner's; null where there is none. */
export async function takeUnscoped(db: Db, kind: string, runner: string, now: number, deadAfterMs: number): Promise<TakenRow | null> {
  const { rows } =
    await sql<TakenRow>`UPDATE work SET state = 'running', runner = ${runner}::uuid, beat_at = now(), started_at = coalesce(started_at, ${timestamp(now)})
    WHERE id = (SELECT id FROM work WHERE kind = ${kind} AND (state = 'waiting'
        OR state = 'running' AND (runner IS NULL OR beat_at < now() - make_interval(secs => ${deadAfterMs / 1000})))
      ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, park_id AS "parkId", runner, input, kept, done, total, failed`.execute(db)
  return rows[0] ?? null
}

/** Keeps how far an attempt is and that it lives; otherwise why it is over. */
export async function saveProgressUnscoped(db: Db, id: string, runner: string, counts: Counts): Promise<'kept' | 'cancelled' | 'lost'> {
  const { numUpdatedRows } = await db
    .updateTable('work')
    .set({ ...columnsOf(counts), beat_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('runner', '=', runner)
    .executeTakeFirst()
  if (Number(numUpdatedRows) > 0) return 'kept'
  const row = await db.selectFrom('work').select('state').where('id', '=', id).executeTakeFirst()
  return row === undefined || row.state === 'cancelled' ? 'cancelled' : 'lost'
}

export async function endUnscoped(
  db: Db,
  id: string,
  runner: string,
  counts: Counts,
  end: { state: 'done' | 'failed'; reason: string | null },
  now: number,
): Promise<void> {
  await db
    .updateTable('work')
    .set({ ...columnsOf(counts), ...end, runner: null, ended_at: timestamp(now) })
    .where('id', '=', id)
    .where('runner', '=', runner)
    .execute()
}

/** Leaves the work to the next who looks. */
export async function releaseUnscoped(db: Db, id: string, runner: string, counts: Counts): Promise<void> {
  await db
    .updateTable('work')
    .set({ ...columnsOf(counts), runner: null })
    .where('id', '=', id)
    .where('runner', '=', runner)
    .execute()
}
