/** Marks of records by which passages of the watch list are counted separately. Unscoped: people pass in linked parks too. */
import { sql, type Database, type Transaction } from '../../platform/database/database.ts'
import { isWatched } from '../../platform/session/sight.ts'
import { markingUnscoped } from '../records/index.ts'
import { asCells } from './data.ts'

/** Return those of these persons who are on the watch list, or were when they were deleted. */
export async function findWatchedUnscoped(db: Database, personIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT asked.id FROM unnest(${sql.val(personIds)}::uuid[]) AS asked (id) WHERE ${isWatched('asked.id')}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Set or clear the mark on records of these persons, and count the records accordingly from now on. */
export async function markUnscoped(
  tx: Transaction,
  parkIds: readonly string[],
  personIds: readonly string[],
  watched: boolean,
): Promise<void> {
  if (personIds.length === 0) return
  await sql`
    WITH marked AS (${markingUnscoped(parkIds, personIds, watched)}),
    cells AS (SELECT ${asCells} FROM marked)
    INSERT INTO passage_pending (park_id, local_date, local_hour, device_id, person_group_id, direction, result, fail_reason,
    temperature_mark, watched, count)
    SELECT park_id, local_date, local_hour, device_id, person_group_id, direction, result, fail_reason, temperature_mark, side.watched,
    side.count
    FROM cells CROSS JOIN (VALUES (${sql.lit(!watched)}, -1), (${sql.lit(watched)}, 1)) AS side (watched, count)`.execute(tx)
}
