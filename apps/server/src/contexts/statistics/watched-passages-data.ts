/** Marks of records by which passages of the watch list are counted apart. Unscoped: people pass in linked parks, too. */
import { oneOf, sql, type Database, type Tx } from '../../platform/database/database.ts'
import { isWatched } from '../../platform/session/sight.ts'
import { asCells, type Tables } from './data.ts'

/** Those of these persons who are on the watch list, or were when they were deleted. */
export async function findWatchedUnscoped(db: Database<Tables>, personIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT asked.id FROM unnest(${sql.val(personIds)}::uuid[]) AS asked (id) WHERE ${isWatched('asked.id')}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether any record of these persons in these parks is marked. */
export async function hasMarkedUnscoped(db: Database<Tables>, parkIds: readonly string[], personIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM access_record WHERE watched AND park_id = ${oneOf(parkIds)} AND person_id = ${oneOf(personIds)} LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Marks records of these persons, or takes their mark away, and counts each for what it is from now on. */
export async function markUnscoped(
  tx: Tx<Tables>,
  parkIds: readonly string[],
  personIds: readonly string[],
  watched: boolean,
): Promise<void> {
  if (personIds.length === 0) return
  await sql`
    WITH marked AS (UPDATE access_record SET watched = ${watched}
      WHERE park_id = ${oneOf(parkIds)} AND person_id = ${oneOf(personIds)} AND watched = ${sql.lit(!watched)} RETURNING *),
    cells AS (SELECT ${asCells} FROM marked)
    INSERT INTO passage_pending (park_id, local_date, local_hour, device_id, person_group_id, direction, result, fail_reason, temperature_mark, watched, count)
    SELECT park_id, local_date, local_hour, device_id, person_group_id, direction, result, fail_reason, temperature_mark, side.watched, side.count
    FROM cells CROSS JOIN (VALUES (${sql.lit(!watched)}, -1), (${sql.lit(watched)}, 1)) AS side (watched, count)`.execute(tx)
}
