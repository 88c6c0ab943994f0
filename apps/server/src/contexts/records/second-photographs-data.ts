/** Rows about people with one photograph; every function takes the scope first. */
import { FACES } from '../faces/index.ts'
import { PERSONS } from '../people/index.ts'
import { accessResult, failReason, verifyType } from '@gatehouse/contract/enums/access'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import type { Paging } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'

/** Seconds after a refused face within which the next person let in at that door is taken to be the same person. */
const AGAIN_WITHIN = 30

/** Condition for a passage by face of a person who came themselves, not a contact. */
const byOwnFace = sql<boolean>`(result = ${sql.lit(accessResult.allowed)} AND verify_type = ${sql.lit(verifyType.face)}
  AND person_id IS NOT NULL AND contact_id IS NULL)`

/**
 * SQL for faces refused as a stranger's (`stranger`), each with the person who was let in next at that door (`next`), by their
 * own face.
 */
function retriedPassages(scope: Scope, since: number) {
  const strangers = sql`SELECT device_id, occurred_at FROM access_record
    WHERE park_id = ${scope.parkId}::uuid AND person_id IS NULL AND fail_reason = ${sql.lit(failReason.notRegistered)}
      AND result = ${sql.lit(accessResult.rejected)} AND verify_type = ${sql.lit(verifyType.face)}
      AND occurred_at >= ${timestamp(since)} AND ${deviceIsSeen(scope, 'accessRecord.deviceId')}`
  return sql`(${strangers}) AS stranger CROSS JOIN LATERAL (
      SELECT person_id, ${byOwnFace} AS is_own FROM access_record AS passage
      WHERE passage.park_id = ${scope.parkId}::uuid AND passage.device_id = stranger.device_id
        AND passage.occurred_at > stranger.occurred_at
        AND passage.occurred_at <= stranger.occurred_at + make_interval(secs => ${sql.lit(AGAIN_WITHIN)})
        AND result = ${sql.lit(accessResult.allowed)}
      ORDER BY passage.occurred_at, passage.id LIMIT 1) AS next
    WHERE next.is_own`
}

/** Return how often persons were let in by their own face since a moment, and how often they had to look again for it. */
export async function countAgain(scope: Scope, db: Database, since: number): Promise<{ passages: number; again: number }> {
  const { rows } = await sql<{ passages: number; again: number }>`SELECT
      (SELECT count(*) FROM access_record WHERE park_id = ${scope.parkId}::uuid AND occurred_at >= ${timestamp(since)} AND ${byOwnFace}
        AND ${deviceIsSeen(scope, 'accessRecord.deviceId')}) AS passages,
      (SELECT count(*) FROM ${retriedPassages(scope, since)}) AS again`.execute(db)
  return rows[0]!
}

export interface OneOfOne {
  /** Of the person. */
  id: string
  personName: string
  workNumber: string | null
  groupId: string
  refused: number
  lastRefusedAt: number | null
}

export interface OneFilter {
  name?: string | undefined
  /** Groups they are in; null: any. */
  groupIds: readonly string[] | null
}

/**
 * Return persons who may pass and are compared by one photograph, with how often they were asked twice since a moment, most often
 * first. The query starts from the strangers' faces, which have their own index, and finds for each who was let in next at its
 * door. Persons and photographs are read in the same query, because a page and its total cover only what is shown.
 */
export async function listOnes(
  scope: Scope,
  db: Database,
  since: number,
  { name, groupIds }: OneFilter,
  { page, size }: Paging,
): Promise<{ content: OneOfOne[]; total: number }> {
  const photographs = sql`SELECT person_id, 1 AS photographs, 0 AS refused, NULL::timestamptz AS last FROM ${FACES}
    WHERE park_id = ${scope.parkId}::uuid AND person_id IS NOT NULL AND set_aside_at IS NULL`
  const retries = sql`SELECT next.person_id, 0 AS photographs, 1 AS refused, stranger.occurred_at AS last
    FROM ${retriedPassages(scope, since)}`
  const ones = (selection: ReturnType<typeof sql>) => sql`(
      SELECT person_id, sum(refused) AS refused, max(last) AS last FROM (${selection}) AS told GROUP BY person_id
      HAVING sum(photographs) = 1
    ) AS single JOIN ${PERSONS} ON person.id = single.person_id
    WHERE person.park_id = ${scope.parkId}::uuid AND person.kind NOT IN ('special', 'visitor') AND person.enabled
      ${name === undefined || name === '' ? sql`` : sql`AND person.name ILIKE ${personalPattern(scope, name)}`}
      ${groupIds === null ? sql`` : sql`AND person.group_id = ${oneOf(groupIds)}`}`
  const [{ rows: content }, { rows: counted }] = await Promise.all([
    // Photographs and refusals are summed in one aggregation: the planner cannot estimate how few of either remain and would join them row
    // by row.
    sql<OneOfOne>`SELECT person.id, person.name AS "personName", person.work_number AS "workNumber", person.group_id AS "groupId",
        single.refused, single.last AS "lastRefusedAt"
      FROM ${ones(sql`${photographs} UNION ALL ${retries}`)} ORDER BY single.refused DESC, single.last DESC NULLS LAST, person.id
      LIMIT ${sql.lit(size)} OFFSET ${sql.lit((page - 1) * size)}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${ones(photographs)}`.execute(db),
  ])
  return { content, total: counted[0]!.total }
}

/** Return how often these persons were let in by their faces since a moment, by id; persons who never were are absent. */
export async function countPassages(scope: Scope, db: Database, since: number, personIds: readonly string[]): Promise<Map<string, number>> {
  if (personIds.length === 0) return new Map()
  const { rows } = await sql<{ personId: string; count: number }>`
    SELECT person_id AS "personId", count(*) AS count FROM access_record
    WHERE park_id = ${scope.parkId}::uuid AND person_id = ${oneOf(personIds)} AND occurred_at >= ${timestamp(since)} AND ${byOwnFace}
      AND ${deviceIsSeen(scope, 'accessRecord.deviceId')} GROUP BY person_id`.execute(db)
  return new Map(rows.map(({ personId, count }) => [personId, count]))
}

export interface PicturedPassage {
  id: string
  time: number
  deviceName: string
  fileId: string
  checks: string
}

const picturedPassages = (scope: Scope, db: Database, personId: string) =>
  db
    .selectFrom('accessRecord')
    .select(['id', 'occurredAt as time', 'deviceName', 'checks'])
    .select((eb) => eb.ref('captureFileId').$notNull().as('fileId'))
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', personId)
    .where('captureFileId', 'is not', null)
    .where(byOwnFace)
    .where(personIsSeen(scope, 'accessRecord.personId'))
    .where(deviceIsSeen(scope, 'accessRecord.deviceId'))

/**
 * Return passages of a person by face since a moment, newest first, that have a picture, that nobody has answered about, and on
 * which nobody of the watch list was found.
 */
export async function findOffered(scope: Scope, db: Database, personId: string, since: number, limit: number): Promise<PicturedPassage[]> {
  const rows = await picturedPassages(scope, db, personId)
    .where('occurredAt', '>=', timestamp(since))
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM second_photograph WHERE record_id = access_record.id)
        AND NOT EXISTS (SELECT FROM watch_list_hit WHERE record_id = access_record.id)`,
    )
    .orderBy('occurredAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows as PicturedPassage[]
}

/** Return a passage of a person whose picture could be a photograph; undefined for any other record. */
export async function findPictured(scope: Scope, db: Database, personId: string, recordId: string): Promise<PicturedPassage | undefined> {
  const row = await picturedPassages(scope, db, personId).where('id', '=', recordId).executeTakeFirst()
  return row as PicturedPassage | undefined
}

/** Return the photograph that was made of a record; undefined where there is no answer, null where it is not to be one. */
export async function findAnswer(scope: Scope, db: Database, recordId: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('secondPhotograph')
    .select('faceId')
    .where('parkId', '=', scope.parkId)
    .where('recordId', '=', recordId)
    .executeTakeFirst()
  return row?.faceId
}

/**
 * Store the answer about a record of a person; return false where there is no such record. The record is locked until the
 * transaction ends, so that a transaction that deletes it finds the answer. A refusal does not replace an earlier photograph.
 */
export async function saveAnswer(
  { parkId }: Scope,
  db: Database,
  { recordId, personId, faceId }: { recordId: string; personId: string; faceId: string | null },
  now: number,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO second_photograph (record_id, park_id, occurred_at, person_id, face_id, answered_at)
    SELECT id, park_id, occurred_at, person_id, ${faceId}::uuid, ${timestamp(now)} FROM access_record
    WHERE park_id = ${parkId}::uuid AND id = ${recordId}::uuid AND person_id = ${personId}::uuid FOR KEY SHARE
    ON CONFLICT (record_id) DO UPDATE
    SET face_id = coalesce(EXCLUDED.face_id, second_photograph.face_id), answered_at = EXCLUDED.answered_at
    RETURNING record_id`.execute(db)
  return rows.length > 0
}

export async function deleteAnswers(scope: Scope, db: Database, recordIds: readonly string[]): Promise<void> {
  await db.deleteFrom('secondPhotograph').where('parkId', '=', scope.parkId).where('recordId', '=', oneOf(recordIds)).execute()
}

/** Delete the answers about passages of these persons. */
export async function deleteAnswersOfPersons(scope: Scope, db: Database, personIds: readonly string[]): Promise<void> {
  await db.deleteFrom('secondPhotograph').where('parkId', '=', scope.parkId).where('personId', '=', oneOf(personIds)).execute()
}

export async function deleteAnswersOfPark(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('secondPhotograph').where('parkId', '=', scope.parkId).execute()
}
