/**
 * The states of persons in an area, of those that exist for the scope. They come from two sources: the state that the last record or a
 * user stored, and passages that the server has allowed and whose records have not arrived. The later of the two counts; how many are
 * inside is counted, and stored nowhere.
 */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { personIsSeen } from '../../platform/session/sight.ts'

/** A passage the server let through counts for so long without its record. */
export const REQUEST_VALID_MS = 5 * 60_000

/**
 * State of every person of an area: `person_id, inside, at, source, device_id`; `inside` null where nobody knows. `perhaps`: inside
 * by what is recorded, or by any answer since; whether that person passed only the record tells.
 */
export const currentStates = (scope: Scope, areaId: string, now: number) => sql`(
  SELECT coalesce(last.person_id, asked.person_id) AS person_id,
         coalesce(asked.entering, last.inside) AS inside,
         coalesce(last.inside, false) OR coalesce(asked.entered, false) AS perhaps,
         coalesce(asked.at, last.at) AS at,
         CASE WHEN asked.at IS NULL THEN last.source ELSE 'asked' END AS source,
         CASE WHEN asked.at IS NULL THEN last.device_id ELSE asked.device_id END AS device_id
  FROM (SELECT * FROM restriction_person WHERE area_id = ${areaId}::uuid AND park_id = ${scope.parkId}::uuid) AS last
  FULL JOIN (
    SELECT DISTINCT ON (passage.person_id) passage.person_id, passage.entering, passage.asked_at AS at, passage.device_id,
           bool_or(passage.entering) OVER (PARTITION BY passage.person_id) AS entered
    FROM restriction_passage AS passage
    LEFT JOIN restriction_person AS before ON before.area_id = passage.area_id AND before.person_id = passage.person_id
    WHERE passage.area_id = ${areaId}::uuid AND passage.park_id = ${scope.parkId}::uuid AND passage.state = 'asked'
    AND passage.asked_at > ${timestamp(now - REQUEST_VALID_MS)}
      AND (before.at IS NULL OR passage.asked_at > before.at)
    ORDER BY passage.person_id, passage.asked_at DESC
  ) AS asked ON asked.person_id = last.person_id
  WHERE ${personIsSeen(scope, 'last.personId')} AND ${personIsSeen(scope, 'asked.personId')})`

export interface PersonState {
  inside: boolean | null
  /** Whether the person may be inside, by any reading of what is known. */
  perhaps: boolean
  at: number
}

/** What is known of one person; null where nothing is. */
export async function findState(scope: Scope, db: Database, areaId: string, personId: string, now: number): Promise<PersonState | null> {
  const { rows } = await sql<PersonState>`SELECT inside, perhaps, at FROM ${currentStates(scope, areaId, now)} AS known
      WHERE person_id = ${personId}::uuid`.execute(db)
  return rows[0] ?? null
}

/** Return how many persons are inside. */
export async function countInside(scope: Scope, db: Database, areaId: string, now: number): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`SELECT count(*) AS count FROM ${currentStates(scope, areaId, now)} AS known WHERE inside`.execute(db)
  return rows[0]!.count
}

/** Return how many persons may be inside: a place is free once the record of who left is there. */
export async function countPerhaps(scope: Scope, db: Database, areaId: string, now: number): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`SELECT count(*) AS count FROM ${currentStates(scope, areaId, now)} AS known WHERE perhaps`.execute(db)
  return rows[0]!.count
}

/** Return how many passages the server has let through whose records are not yet there. */
export async function countRequested(scope: Scope, db: Database, areaId: string, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('restrictionPassage')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('parkId', '=', scope.parkId)
    .where('areaId', '=', areaId)
    .where('state', '=', 'asked')
    .where('askedAt', '>', timestamp(now - REQUEST_VALID_MS))
    .executeTakeFirstOrThrow()
  return count
}

export interface StateRow {
  personId: string
  inside: boolean
  at: number
  source: 'asked' | 'record' | 'hand'
  deviceId: string | null
}

export interface StateFilter {
  inside?: boolean | undefined
  /** Only these; all by default. */
  personIds?: readonly string[] | undefined
  page: number
  size: number
}

/** A page of the persons with a state, the newest first. */
export async function listStates(
  scope: Scope,
  db: Database,
  areaId: string,
  { inside, personIds, page, size }: StateFilter,
  now: number,
): Promise<{ content: StateRow[]; total: number }> {
  const filter = sql`inside IS NOT NULL
    ${inside === undefined ? sql`` : sql`AND inside = ${inside}`}
    ${personIds === undefined ? sql`` : sql`AND person_id = ANY(${sql.val(personIds)}::uuid[])`}`
  const [content, counted] = await Promise.all([
    sql<StateRow>`SELECT person_id AS "personId", inside, at, source, device_id AS "deviceId"
      FROM ${currentStates(scope, areaId, now)} AS known
      WHERE ${filter} ORDER BY at DESC, person_id LIMIT ${size} OFFSET ${(page - 1) * size}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${currentStates(scope, areaId, now)} AS known WHERE ${filter}`.execute(db),
  ])
  return { content: content.rows, total: counted.rows[0]!.total }
}

/** A state that is no later than what is known changes nothing. */
export async function putState(
  scope: Scope,
  db: Database,
  areaId: string,
  personIds: readonly string[],
  { inside, at, source, deviceId }: { inside: boolean | null; at: number; source: 'record' | 'hand'; deviceId: string | null },
): Promise<number> {
  const result = await sql`INSERT INTO restriction_person (area_id, park_id, person_id, inside, at, source, device_id)
    SELECT ${areaId}::uuid, ${scope.parkId}::uuid, named.id, ${inside}::boolean, ${timestamp(at)}, ${source}, ${deviceId}::uuid
    FROM unnest(${sql.val(personIds)}::uuid[]) AS named (id)
    ON CONFLICT (area_id, person_id) DO UPDATE
    SET inside = excluded.inside, at = excluded.at, source = excluded.source, device_id = excluded.device_id
      WHERE restriction_person.at <= excluded.at`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Those of these persons with a state in the area, with its latest moment. */
export async function latestOf(
  scope: Scope,
  db: Database,
  areaId: string,
  personIds: readonly string[],
  now: number,
): Promise<{ personId: string; at: number }[]> {
  const { rows } = await sql<{
    personId: string
    at: number
  }>`SELECT person_id AS "personId", at FROM ${currentStates(scope, areaId, now)} AS known
    WHERE person_id = ANY(${sql.val(personIds)}::uuid[])`.execute(db)
  return rows
}

export interface PassageKey {
  deviceId: string
  personId: string
  moment: number
}

export async function findPassage(scope: Scope, db: Database, { deviceId, personId, moment }: PassageKey) {
  return db
    .selectFrom('restrictionPassage')
    .select(['entering', 'askedAt', 'state', 'areaId'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('personId', '=', personId)
    .where('moment', '=', timestamp(moment))
    .executeTakeFirst()
}

/** Note that the server has let a passage through. */
export async function insertRequested(
  scope: Scope,
  db: Database,
  areaId: string,
  { deviceId, personId, moment }: PassageKey,
  entering: boolean,
  askedAt: number,
  now: number,
): Promise<void> {
  await db
    .insertInto('restrictionPassage')
    .values({
      deviceId,
      personId,
      moment: timestamp(moment),
      parkId: scope.parkId,
      areaId,
      entering,
      askedAt: timestamp(askedAt),
      notedAt: timestamp(now),
      state: 'asked',
    })
    .execute()
}

/** Note that the record of a passage is there, whatever it says: asked about after that, it is a repeat. */
export async function settlePassage(
  scope: Scope,
  db: Database,
  areaId: string,
  { deviceId, personId, moment }: PassageKey,
  entering: boolean,
  now: number,
): Promise<void> {
  await db
    .insertInto('restrictionPassage')
    .values({
      deviceId,
      personId,
      moment: timestamp(moment),
      parkId: scope.parkId,
      areaId,
      entering,
      askedAt: null,
      notedAt: timestamp(now),
      state: 'settled',
    })
    .onConflict((conflict) => conflict.columns(['deviceId', 'personId', 'moment']).doUpdateSet({ state: 'settled' }))
    .execute()
}

/** Passages of a device before this moment of its clock, still without a record: none will come of them, unless it does. */
export async function losePassages(scope: Scope, db: Database, deviceId: string, before: number): Promise<void> {
  await db
    .updateTable('restrictionPassage')
    .set({ state: 'lost' })
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('state', '=', 'asked')
    .where('moment', '<', timestamp(before))
    .execute()
}

const TABLES_OF_PERSONS = ['restrictionPerson', 'restrictionPassage', 'restrictionMusterMet'] as const

/** Remove whatever is known of persons; return how much it was. Unscoped: a person passes at linked parks too. */
export async function deletePersonsUnscoped(db: Database, personIds: readonly string[]): Promise<number> {
  let count = 0
  for (const table of TABLES_OF_PERSONS) {
    const result = await db.deleteFrom(table).where('personId', '=', oneOf(personIds)).executeTakeFirst()
    count += Number(result.numDeletedRows)
  }
  return count
}

/** Return how many rows tell of these persons. Unscoped for the same reason. */
export async function countOfPersonsUnscoped(db: Database, personIds: readonly string[]): Promise<number> {
  const counts = await Promise.all(
    TABLES_OF_PERSONS.map((table) =>
      db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('personId', '=', oneOf(personIds))
        .executeTakeFirstOrThrow(),
    ),
  )
  return counts.reduce((sum, { count }) => sum + count, 0)
}

/** Drop what was noted of passages long ago. Unscoped: whatever park they are of. */
export async function deletePassagesBeforeUnscoped(db: Database, before: number): Promise<number> {
  const result = await db.deleteFrom('restrictionPassage').where('notedAt', '<', timestamp(before)).executeTakeFirst()
  return Number(result.numDeletedRows)
}
