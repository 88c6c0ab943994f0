/** Rows of musters; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { personIsSeen } from '../../platform/session/sight.ts'
import type { RestrictionTables } from './schema.ts'
import { known } from './states-data.ts'

type Db = Database<RestrictionTables>

/** The list of a muster: whoever is inside, was found outside after it began, or was met. */
const mustered = (scope: Scope, areaId: string, open: { id: string; beganAt: number } | null, now: number) => {
  const met =
    open === null
      ? sql`(SELECT NULL::uuid AS person_id, NULL::timestamptz AS met_at, NULL::text AS met_by WHERE false)`
      : sql`(SELECT person_id, met_at, met_by FROM restriction_muster_met WHERE muster_id = ${open.id}::uuid AND park_id = ${scope.parkId}::uuid AND ${personIsSeen(scope, 'restriction_muster_met.person_id')})`
  return sql`(
    SELECT coalesce(known.person_id, met.person_id) AS person_id, coalesce(known.inside, false) AS inside, coalesce(known.at, met.met_at) AS at, known.device_id, met.met_at, met.met_by,
           CASE WHEN met.met_at IS NOT NULL THEN 'met' WHEN known.inside THEN 'missing' ELSE 'left' END AS part
    FROM ${known(scope, areaId, now)} AS known FULL JOIN ${met} AS met ON met.person_id = known.person_id
    WHERE known.inside OR met.met_at IS NOT NULL ${open === null ? sql`` : sql`OR (known.inside = false AND known.at >= ${timestamp(open.beganAt)})`})`
}

export type MusterPart = 'missing' | 'met' | 'left'

export interface MusterRow {
  personId: string
  inside: boolean
  at: number
  deviceId: string | null
  metAt: number | null
  metBy: string | null
}

/** A page of the list of a muster, those who are missing first; and how many there are of each kind. */
export async function listMuster(
  scope: Scope,
  db: Db,
  areaId: string,
  open: { id: string; beganAt: number } | null,
  { filter, page, size }: { filter?: MusterPart | undefined; page: number; size: number },
  now: number,
) {
  const list = mustered(scope, areaId, open, now)
  const [content, parts] = await Promise.all([
    sql<MusterRow>`SELECT person_id AS "personId", inside, at, device_id AS "deviceId", met_at AS "metAt", met_by AS "metBy" FROM ${list} AS list
      ${filter === undefined ? sql`` : sql`WHERE part = ${filter}`}
      ORDER BY CASE part WHEN 'missing' THEN 1 WHEN 'left' THEN 2 ELSE 3 END, at DESC, person_id LIMIT ${size} OFFSET ${(page - 1) * size}`.execute(
      db,
    ),
    sql<{ part: MusterPart; count: number }>`SELECT part, count(*) AS count FROM ${list} AS list GROUP BY part`.execute(db),
  ])
  const of = (part: MusterPart): number => parts.rows.find((row) => row.part === part)?.count ?? 0
  const counts = { missing: of('missing'), met: of('met'), left: of('left') }
  return { content: content.rows, counts, total: filter === undefined ? counts.missing + counts.met + counts.left : counts[filter] }
}

export async function findOpenMuster(
  scope: Scope,
  db: Db,
  areaId: string,
): Promise<{ id: string; beganAt: number; beganBy: string } | null> {
  const row = await db
    .selectFrom('restriction_muster')
    .select(['id', 'began_at as beganAt', 'began_by as beganBy'])
    .where('park_id', '=', scope.parkId)
    .where('area_id', '=', areaId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, beganAt: row.beganAt as number }
}

export async function insertMuster(scope: Scope, db: Db, areaId: string, id: string, beganBy: string, now: number): Promise<void> {
  await db
    .insertInto('restriction_muster')
    .values({ id, park_id: scope.parkId, area_id: areaId, began_at: timestamp(now), began_by: beganBy, ended_at: null })
    .execute()
}

export async function endMuster(scope: Scope, db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('restriction_muster')
    .set({ ended_at: timestamp(now) })
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .execute()
}

/** Who was met stays as it was noted first. Answers how many were not met before. */
export async function insertMet(
  scope: Scope,
  db: Db,
  musterId: string,
  personIds: readonly string[],
  metBy: string,
  now: number,
): Promise<number> {
  const rows = await db
    .insertInto('restriction_muster_met')
    .values(
      personIds.map((person_id) => ({ muster_id: musterId, park_id: scope.parkId, person_id, met_at: timestamp(now), met_by: metBy })),
    )
    .onConflict((conflict) => conflict.columns(['muster_id', 'person_id']).doNothing())
    .returning('person_id')
    .execute()
  return rows.length
}

export async function deleteMet(scope: Scope, db: Db, musterId: string, personIds: readonly string[]): Promise<number> {
  const result = await db
    .deleteFrom('restriction_muster_met')
    .where('muster_id', '=', musterId)
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', oneOf(personIds))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Notes of musters that ended long ago are dropped with who was met. Unscoped: whatever park they are of. */
export async function deleteMustersBeforeUnscoped(db: Db, before: number): Promise<number> {
  const result = await db.deleteFrom('restriction_muster').where('ended_at', '<', timestamp(before)).executeTakeFirst()
  return Number(result.numDeletedRows)
}
