/** Rows of long work. Functions that a node calls for all parks are unscoped; they take the id of the row and of the node's own attempt. */
import type { WorkState } from '@gatehouse/contract/work'
import { columnList } from '../database/column-list.ts'
import { sql, timestamp, type Database } from '../database/database.ts'
import type { Scope } from '../session/session.ts'
import type { OpenWork } from './work-turns.ts'

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

const shown = columnList(['id', 'kind', 'state', 'done', 'total', 'failed', 'createdAt', 'startedAt', 'endedAt', 'reason'])

/** No attempt works on it: it waits, was released, or its attempt died. */
const isFree = (deadAfterMs: number) => sql<boolean>`(runner IS NULL OR beat_at < now() - make_interval(secs => ${deadAfterMs / 1000}))`

const jsonOrNull = (value: unknown): string | null => (value == null ? null : JSON.stringify(value))
const columnsOf = ({ done, total, failed, kept }: Counts) => ({ done, total, failed, kept: jsonOrNull(kept) })

/** Insert work. Return false if work of the kind waits or runs in the park. */
export async function insert(scope: Scope, db: Database, id: string, kind: string, input: unknown, now: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`INSERT INTO work (id, park_id, kind, state, input, created_at)
    VALUES (${id}::uuid, ${scope.parkId}::uuid, ${kind}, 'waiting', ${JSON.stringify(input ?? {})}::jsonb, ${timestamp(now)})
    ON CONFLICT (park_id, kind) WHERE state IN ('waiting', 'running') DO NOTHING RETURNING id`.execute(db)
  return rows.length > 0
}

export async function findOpen(scope: Scope, db: Database, kind: string): Promise<string | null> {
  const row = await db
    .selectFrom('work')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', kind)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return row?.id ?? null
}

export async function find(scope: Scope, db: Database, id: string): Promise<WorkState | null> {
  return ((await db.selectFrom('work').select(shown).where('parkId', '=', scope.parkId).where('id', '=', id).executeTakeFirst()) ??
    null) as WorkState | null
}

export async function findLatest(scope: Scope, db: Database, kind: string): Promise<WorkState | null> {
  const rows = db.selectFrom('work').select(shown).where('parkId', '=', scope.parkId).where('kind', '=', kind)
  return ((await rows.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null) as WorkState | null
}

/** Cancel work. Return whether it waited or ran. */
export async function cancel(scope: Scope, db: Database, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('work')
    .set({ state: 'cancelled', runner: null, endedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

export async function deleteOfPark(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('work').where('parkId', '=', scope.parkId).execute()
}

/** Return all work that waits or runs. Unscoped: the order depends on all parks. */
export async function listOpenUnscoped(db: Database, deadAfterMs: number): Promise<OpenWork[]> {
  const { rows } = await sql<OpenWork>`SELECT id, park_id AS "parkId", kind, created_at AS "createdAt", served_at AS "servedAt",
      NOT ${isFree(deadAfterMs)} AS attended
    FROM work WHERE state IN ('waiting', 'running')`.execute(db)
  return rows
}

/** Assign the work to a runner. Return null if it was taken meanwhile, or has ended. */
export async function takeUnscoped(db: Database, id: string, runner: string, now: number, deadAfterMs: number): Promise<TakenRow | null> {
  const { rows } = await sql<TakenRow>`UPDATE work SET state = 'running', runner = ${runner}::uuid, beat_at = now(),
      started_at = coalesce(started_at, ${timestamp(now)})
    WHERE id = ${id}::uuid AND state IN ('waiting', 'running') AND ${isFree(deadAfterMs)}
    RETURNING id, park_id AS "parkId", runner, input, kept, done, total, failed`.execute(db)
  return rows[0] ?? null
}

/** Store the progress of an attempt and that it is alive. Return `kept`, or else why the attempt is over. */
export async function saveProgressUnscoped(
  db: Database,
  id: string,
  runner: string,
  counts: Counts,
): Promise<'kept' | 'cancelled' | 'lost'> {
  const { numUpdatedRows } = await db
    .updateTable('work')
    .set({ ...columnsOf(counts), beatAt: sql<number>`now()` })
    .where('id', '=', id)
    .where('runner', '=', runner)
    .executeTakeFirst()
  if (Number(numUpdatedRows) > 0) return 'kept'
  const row = await db.selectFrom('work').select('state').where('id', '=', id).executeTakeFirst()
  return row === undefined || row.state === 'cancelled' ? 'cancelled' : 'lost'
}

export async function endUnscoped(
  db: Database,
  id: string,
  runner: string,
  counts: Counts,
  end: { state: 'done' | 'failed'; reason: string | null },
  now: number,
): Promise<void> {
  await db
    .updateTable('work')
    .set({ ...columnsOf(counts), ...end, runner: null, endedAt: timestamp(now) })
    .where('id', '=', id)
    .where('runner', '=', runner)
    .execute()
}

/** Release the work, so that another attempt can take it. */
export async function releaseUnscoped(db: Database, id: string, runner: string, counts: Counts, now: number): Promise<void> {
  await db
    .updateTable('work')
    .set({ ...columnsOf(counts), runner: null, servedAt: timestamp(now) })
    .where('id', '=', id)
    .where('runner', '=', runner)
    .execute()
}
