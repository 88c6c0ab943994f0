/** Rows of the templates and refusals of each model; every function takes the scope first. */
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import { BEFORE_ALL_IDS } from '../../platform/database/ids.ts'
import type { Scope } from '../../platform/session/session.ts'
import { contactIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import type { StoredPhoto } from './data.ts'

/** Condition that the photograph has an owner: a person, or a contact of one. */
const isKept = sql<boolean>`(face.person_id IS NOT NULL OR face.contact_id IS NOT NULL)`

/**
 * Condition for photographs of persons and contacts after an id of which a model has neither a template nor a refusal. Each table
 * is read only from that id on.
 */
const missing = (modelId: string, after = BEFORE_ALL_IDS) => sql`${isKept} AND face.id > ${after}::uuid
  AND NOT EXISTS (SELECT FROM face_template WHERE face_id = face.id AND face_id > ${after}::uuid AND model_id = ${modelId})
  AND NOT EXISTS (SELECT FROM face_refusal WHERE face_id = face.id AND face_id > ${after}::uuid AND model_id = ${modelId})`

export async function countMissing(scope: Scope, db: Database, modelId: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`SELECT count(*) AS count FROM face WHERE park_id = ${scope.parkId}::uuid AND ${missing(modelId)}`.execute(db)
  return rows[0]!.count
}

/** Return the next photographs without a template, in the order of their ids. */
export async function findMissing(scope: Scope, db: Database, modelId: string, after: string, size: number): Promise<StoredPhoto[]> {
  const { rows } = await sql<StoredPhoto>`SELECT id, person_id AS "personId", file_id AS "fileId", quality
    FROM face WHERE park_id = ${scope.parkId}::uuid AND ${missing(modelId, after)} ORDER BY id LIMIT ${size}`.execute(db)
  return rows
}

/** Return the parks in which templates of a model are missing. Unscoped: called once at start. */
export async function findParksMissingUnscoped(db: Database, modelId: string): Promise<string[]> {
  const { rows } = await sql<{ parkId: string }>`SELECT DISTINCT park_id AS "parkId" FROM face WHERE ${missing(modelId)}`.execute(db)
  return rows.map(({ parkId }) => parkId)
}

export interface RefusedFace {
  faceId: string
  code: number
}

/** Condition that the caller may see whom the photograph shows. */
const isSeen = (scope: Scope) => sql<boolean>`${personIsSeen(scope, 'face.personId')} AND ${contactIsSeen(scope, 'face.contactId')}`

/** Return how many photographs a model refused. */
export async function countRefused(scope: Scope, db: Database, modelId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM face_refusal JOIN face ON face.id = face_refusal.face_id
    WHERE face_refusal.park_id = ${scope.parkId}::uuid AND model_id = ${modelId} AND ${isKept} AND ${isSeen(scope)}`.execute(db)
  return rows[0]!.count
}

export async function insertRefusals(
  scope: Scope,
  db: Database,
  modelId: string,
  refusals: readonly RefusedFace[],
  now: number,
): Promise<void> {
  if (refusals.length === 0) return
  await sql`INSERT INTO face_refusal (face_id, model_id, park_id, code, at)
    SELECT refused.face_id, ${modelId}, ${scope.parkId}::uuid, refused.code, ${timestamp(now)}
      FROM unnest(${sql.val(refusals.map(({ faceId }) => faceId))}::uuid[],
      ${sql.val(refusals.map(({ code }) => code))}::integer[]) AS refused (face_id, code)
      JOIN face ON face.id = refused.face_id AND face.park_id = ${scope.parkId}::uuid
    ON CONFLICT (face_id, model_id) DO UPDATE SET code = excluded.code, at = excluded.at`.execute(db)
}

/** Delete a model's refusals, so that the photographs are tried again. */
export async function deleteRefusals(scope: Scope, db: Database, modelId: string): Promise<void> {
  await db.deleteFrom('faceRefusal').where('parkId', '=', scope.parkId).where('modelId', '=', modelId).execute()
}

export function listRefusals(scope: Scope, db: Database, modelId: string, page: Paging) {
  const rows = db
    .selectFrom('faceRefusal')
    .innerJoin('face', 'face.id', 'faceRefusal.faceId')
    .select(['face.id as faceId', 'face.personId', 'face.contactId', 'face.fileId', 'faceRefusal.code'])
    .where('faceRefusal.parkId', '=', scope.parkId)
    .where('faceRefusal.modelId', '=', modelId)
    .where(isKept)
    .where(isSeen(scope))
  return readPage(rows.orderBy('faceRefusal.at', 'desc').orderBy('face.id'), page)
}

/** Return how many photographs persons and contacts have, how many of them each model has a template of, and how many `modelId` refused. */
export async function countByModel(
  scope: Scope,
  db: Database,
  modelId: string,
): Promise<{ photos: number; refused: number; models: { modelId: string; photos: number }[] }> {
  const [photos, refused, models] = await Promise.all([
    sql<{ count: number }>`SELECT count(*) AS count FROM face
      WHERE park_id = ${scope.parkId}::uuid AND ${isKept} AND ${isSeen(scope)}`.execute(db),
    countRefused(scope, db, modelId),
    sql<{
      modelId: string
      photos: number
    }>`SELECT model_id AS "modelId", count(*) AS photos FROM face_template JOIN face ON face.id = face_template.face_id
      WHERE face_template.park_id = ${scope.parkId}::uuid AND ${isKept} AND ${isSeen(scope)} GROUP BY model_id ORDER BY model_id`.execute(
      db,
    ),
  ])
  return { photos: photos.rows[0]!.count, refused, models: models.rows }
}

/** Return how many persons have at least `limit` photographs that are compared. */
export async function countWellKnown(scope: Scope, db: Database, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (SELECT person_id FROM face
      WHERE park_id = ${scope.parkId}::uuid AND person_id IS NOT NULL AND set_aside_at IS NULL AND ${isSeen(scope)}
      GROUP BY person_id HAVING count(*) >= ${limit}) AS persons`.execute(db)
  return rows[0]!.count
}

/** Counts of the photographs that faces are compared with. */
export interface CountedFaces {
  /** Numbers of photographs, each with how many persons have that many. */
  persons: { photographs: number; count: number }[]
  /** Photographs of contacts. */
  contacts: number
}

/**
 * Count the compared photographs that a model has a template of, of persons and contacts the caller may see.
 * @param personIds only photographs of these persons, and none of contacts; default: all
 */
export async function countFaces(scope: Scope, db: Database, modelId: string, personIds?: readonly string[]): Promise<CountedFaces> {
  const ofPersons = personIds === undefined ? sql`` : sql`AND person_id = ANY(${personIds}::uuid[])`
  const { rows } = await sql<{ photographs: number; count: number; contacts: number }>`
    SELECT photographs, count(*) AS count, count(*) FILTER (WHERE person_id IS NULL) AS contacts FROM (
      SELECT person_id, coalesce(person_id, face.id), count(*) AS photographs
        FROM face_template JOIN face ON face.id = face_template.face_id
       WHERE face_template.park_id = ${scope.parkId}::uuid AND model_id = ${modelId} AND set_aside_at IS NULL
         AND (person_id IS NOT NULL OR contact_id IS NOT NULL) AND ${isSeen(scope)} ${ofPersons}
       GROUP BY 1, 2) AS shown GROUP BY photographs`.execute(db)
  return {
    persons: rows.map(({ photographs, count, contacts }) => ({ photographs, count: count - contacts })),
    contacts: rows.reduce((sum, { contacts }) => sum + contacts, 0),
  }
}

/**
 * Delete templates of other models in parks where a model has a template or a refusal of every photograph since `before`.
 * Unscoped: a clean-up of the installation.
 * @returns the number of templates deleted
 */
export async function dropOldTemplatesUnscoped(db: Database, modelId: string, before: number): Promise<number> {
  const { numAffectedRows } = await sql`DELETE FROM face_template AS old WHERE model_id <> ${modelId} AND park_id NOT IN (
      SELECT face.park_id FROM face
        LEFT JOIN face_template AS made ON made.face_id = face.id AND made.model_id = ${modelId}
        LEFT JOIN face_refusal AS refused ON refused.face_id = face.id AND refused.model_id = ${modelId}
       WHERE (face.person_id IS NOT NULL OR face.contact_id IS NOT NULL)
       AND coalesce(greatest(made.made_at, refused.at), 'infinity') >= ${timestamp(before)}
         AND (coalesce(made.made_at, refused.at) IS NULL
           OR EXISTS (SELECT FROM face_template AS older WHERE older.face_id = face.id AND older.model_id <> ${modelId})))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
