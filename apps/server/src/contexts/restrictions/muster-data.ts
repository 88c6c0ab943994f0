/** Rows of musters; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { personIsSeen } from '../../platform/session/sight.ts'
import { currentStates } from './states-data.ts'

/** The list of a muster: persons who are inside, were found outside after it started, or were met. */
const mustered = (scope: Scope, areaId: string, open: { id: string; beganAt: number } | null, now: number) => {
  const met =
    open === null
      ? sql`(SELECT NULL::uuid AS person_id, NULL::timestamptz AS met_at, NULL::text AS met_by WHERE false)`
      : sql`(SELECT person_id, met_at, met_by FROM restriction_muster_met
        WHERE muster_id = ${open.id}::uuid AND park_id = ${scope.parkId}::uuid AND ${personIsSeen(scope, 'restrictionMusterMet.personId')})`
  return sql`(
    SELECT coalesce(known.person_id, met.person_id) AS person_id, coalesce(known.inside, false) AS inside, coalesce(known.at,
    met.met_at) AS at, known.device_id, met.met_at, met.met_by,
           CASE WHEN met.met_at IS NOT NULL THEN 'met' WHEN known.inside THEN 'missing' ELSE 'left' END AS part
    FROM ${currentStates(scope, areaId, now)} AS known FULL JOIN ${met} AS met ON met.person_id = known.person_id
    WHERE known.inside OR met.met_at IS NOT NULL ${
      open === null
        ? sql``
        : sql`OR (known.inside = false
    AND known.at >= ${timestamp(open.beganAt)})`
    })`
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
  db: Database,
  areaId: string,
  open: { id: string; beganAt: number } | null,
  { filter, page, size }: { filter?: MusterPart | undefined; page: number; size: number },
  now: number,
) {
  const list = mustered(scope, areaId, open, now)
  const [content, parts] = await Promise.all([
    sql<MusterRow>`SELECT person_id AS "personId", inside, at, device_id AS "deviceId", met_at AS "metAt", met_by AS "metBy"
      FROM ${list} AS list
      ${filter === undefined ? sql`` : sql`WHERE part = ${filter}`}
      ORDER BY CASE part WHEN 'missing' THEN 1 WHEN 'left' THEN 2 ELSE 3 END, at DESC, person_id
      LIMIT ${size} OFFSET ${(page - 1) * size}`.execute(db),
    sql<{ part: MusterPart; count: number }>`SELECT part, count(*) AS count FROM ${list} AS list GROUP BY part`.execute(db),
  ])
  const of = (part: MusterPart): number => parts.rows.find((row) => row.part === part)?.count ?? 0
  const counts = { missing: of('missing'), met: of('met'), left: of('left') }
  return { content: content.rows, counts, total: filter === undefined ? counts.missing + counts.met + counts.left : counts[filter] }
}

export async function findOpenMuster(
  scope: Scope,
  db: Database,
  areaId: string,
): Promise<{ id: string; beganAt: number; beganBy: string } | null> {
  const row = await db
    .selectFrom('restrictionMuster')
    .select(['id', 'beganAt', 'beganBy'])
    .where('parkId', '=', scope.parkId)
    .where('areaId', '=', areaId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

export async function insertMuster(scope: Scope, db: Database, areaId: string, id: string, startedBy: string, now: number): Promise<void> {
  await db
    .insertInto('restrictionMuster')
    .values({ id, parkId: scope.parkId, areaId, beganAt: timestamp(now), beganBy: startedBy, endedAt: null })
    .execute()
}

export async function endMuster(scope: Scope, db: Database, id: string, now: number): Promise<void> {
  await db
    .updateTable('restrictionMuster')
    .set({ endedAt: timestamp(now) })
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .execute()
}

/** A person who was met already stays as first noted. Return how many were not met before. */
export async function insertMet(
  scope: Scope,
  db: Database,
  musterId: string,
  personIds: readonly string[],
  metBy: string,
  now: number,
): Promise<number> {
  const rows = await db
    .insertInto('restrictionMusterMet')
    .values(personIds.map((personId) => ({ musterId, parkId: scope.parkId, personId, metAt: timestamp(now), metBy })))
    .onConflict((conflict) => conflict.columns(['musterId', 'personId']).doNothing())
    .returning('personId')
    .execute()
  return rows.length
}

export async function deleteMet(scope: Scope, db: Database, musterId: string, personIds: readonly string[]): Promise<number> {
  const result = await db
    .deleteFrom('restrictionMusterMet')
    .where('musterId', '=', musterId)
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Note of musters that ended long ago are dropped with who was met. Unscoped: whatever park they are of. */
export async function deleteMustersBeforeUnscoped(db: Database, before: number): Promise<number> {
  const result = await db.deleteFrom('restrictionMuster').where('endedAt', '<', timestamp(before)).executeTakeFirst()
  return Number(result.numDeletedRows)
}
