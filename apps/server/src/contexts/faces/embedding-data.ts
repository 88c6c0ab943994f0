/** Which photographs have a template of which model; every function takes the scope first. */
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import { BEFORE_ALL_IDS } from '../../platform/database/ids.ts'
import type { Scope } from '../../platform/session/session.ts'
import { contactIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import type { StoredPhoto } from './data.ts'
import type { FacesTables } from './schema.ts'

type Db = Database<FacesTables>

/** Somebody has the photograph: a person, or a contact of one. */
const isKept = sql<boolean>`(face.person_id IS NOT NULL OR face.contact_id IS NOT NULL)`

/** Photographs of persons and contacts behind an id that a model has neither a template of nor refused. Each table is read from there on only. */
const missing = (modelId: string, after = BEFORE_ALL_IDS) => sql`${isKept} AND face.id > ${after}::uuid
  AND NOT EXISTS (SELECT FROM face_template WHERE face_id = face.id AND face_id > ${after}::uuid AND model_id = ${modelId})
  AND NOT EXISTS (SELECT FROM face_refusal WHERE face_id = face.id AND face_id > ${after}::uuid AND model_id = ${modelId})`

export async function countMissing(scope: Scope, db: Db, modelId: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`SELECT count(*) AS count FROM face WHERE park_id = ${scope.parkId}::uuid AND ${missing(modelId)}`.execute(db)
  return rows[0]!.count
}

/** The next photographs without a template, in the order of their ids. */
export async function findMissing(scope: Scope, db: Db, modelId: string, after: string, size: number): Promise<StoredPhoto[]> {
  const { rows } = await sql<StoredPhoto>`SELECT id, person_id AS "personId", file_id AS "fileId", quality
    FROM face WHERE park_id = ${scope.parkId}::uuid AND ${missing(modelId, after)} ORDER BY id LIMIT ${size}`.execute(db)
  return rows
}

/** Parks in which templates of a model are missing. Unscoped: asked once at start. */
export async function findParksMissingUnscoped(db: Db, modelId: string): Promise<string[]> {
  const { rows } = await sql<{ parkId: string }>`SELECT DISTINCT park_id AS "parkId" FROM face WHERE ${missing(modelId)}`.execute(db)
  return rows.map(({ parkId }) => parkId)
}

export interface RefusedFace {
  faceId: string
  code: number
}

/** The photograph shows nobody who does not exist for whoever asks. */
const isSeen = (scope: Scope) => sql<boolean>`${personIsSeen(scope, 'face.person_id')} AND ${contactIsSeen(scope, 'face.contact_id')}`

/** Photographs that a model refused. */
export async function countRefused(scope: Scope, db: Db, modelId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM face_refusal JOIN face ON face.id = face_refusal.face_id
    WHERE face_refusal.park_id = ${scope.parkId}::uuid AND model_id = ${modelId} AND ${isKept} AND ${isSeen(scope)}`.execute(db)
  return rows[0]!.count
}

export async function insertRefusals(scope: Scope, db: Db, modelId: string, refusals: readonly RefusedFace[], now: number): Promise<void> {
  if (refusals.length === 0) return
  await sql`INSERT INTO face_refusal (face_id, model_id, park_id, code, at)
    SELECT refused.face_id, ${modelId}, ${scope.parkId}::uuid, refused.code, ${timestamp(now)}
      FROM unnest(${sql.val(refusals.map(({ faceId }) => faceId))}::uuid[], ${sql.val(refusals.map(({ code }) => code))}::integer[]) AS refused (face_id, code)
      JOIN face ON face.id = refused.face_id AND face.park_id = ${scope.parkId}::uuid
    ON CONFLICT (face_id, model_id) DO UPDATE SET code = excluded.code, at = excluded.at`.execute(db)
}

/** Forgets what a model refused, so that it is tried again. */
export async function deleteRefusals(scope: Scope, db: Db, modelId: string): Promise<void> {
  await db.deleteFrom('face_refusal').where('park_id', '=', scope.parkId).where('model_id', '=', modelId).execute()
}

export function listRefusals(scope: Scope, db: Db, modelId: string, page: Paging) {
  const rows = db
    .selectFrom('face_refusal')
    .innerJoin('face', 'face.id', 'face_refusal.face_id')
    .select([
      'face.id as faceId',
      'face.person_id as personId',
      'face.contact_id as contactId',
      'face.file_id as fileId',
      'face_refusal.code',
    ])
    .where('face_refusal.park_id', '=', scope.parkId)
    .where('face_refusal.model_id', '=', modelId)
    .where(isKept)
    .where(isSeen(scope))
  return readPage(rows.orderBy('face_refusal.at', 'desc').orderBy('face.id'), page)
}

/** Photographs of persons and contacts, and how many of them each model has a template of, and the model that is asked about refused. */
export async function countByModel(
  scope: Scope,
  db: Db,
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

/** Persons who have so many photographs that are compared, or more. */
export async function countWellKnown(scope: Scope, db: Db, wanted: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (SELECT person_id FROM face
      WHERE park_id = ${scope.parkId}::uuid AND person_id IS NOT NULL AND set_aside_at IS NULL AND ${isSeen(scope)}
      GROUP BY person_id HAVING count(*) >= ${wanted}) AS persons`.execute(db)
  return rows[0]!.count
}

/** What of a park faces are compared with. */
export interface CountedFaces {
  /** How many photographs somebody has, with how many persons have so many. */
  persons: { photographs: number; count: number }[]
  /** Photographs of contacts. */
  contacts: number
}

/** Photographs that a model has a template of, and that are compared with, of whoever exists for the asker. @param personIds only theirs, and no contacts'; all unless told */
export async function countFaces(scope: Scope, db: Db, modelId: string, personIds?: readonly string[]): Promise<CountedFaces> {
  const whose = personIds === undefined ? sql`` : sql`AND person_id = ANY(${personIds}::uuid[])`
  const { rows } = await sql<{ photographs: number; count: number; contacts: number }>`
    SELECT photographs, count(*) AS count, count(*) FILTER (WHERE person_id IS NULL) AS contacts FROM (
      SELECT person_id, coalesce(person_id, face.id), count(*) AS photographs
        FROM face_template JOIN face ON face.id = face_template.face_id
       WHERE face_template.park_id = ${scope.parkId}::uuid AND model_id = ${modelId} AND set_aside_at IS NULL
         AND (person_id IS NOT NULL OR contact_id IS NOT NULL) AND ${isSeen(scope)} ${whose}
       GROUP BY 1, 2) AS shown GROUP BY photographs`.execute(db)
  return {
    persons: rows.map(({ photographs, count, contacts }) => ({ photographs, count: count - contacts })),
    contacts: rows.reduce((sum, { contacts }) => sum + contacts, 0),
  }
}

/**
 * Drops templates of other models in parks where a model has had its say on every photograph since `before`. Unscoped: a
 * clean-up of the installation. Answers how many.
 */
export async function dropOldTemplatesUnscoped(db: Db, modelId: string, before: number): Promise<number> {
  const { numAffectedRows } = await sql`DELETE FROM face_template AS old WHERE model_id <> ${modelId} AND park_id NOT IN (
      SELECT face.park_id FROM face
        LEFT JOIN face_template AS made ON made.face_id = face.id AND made.model_id = ${modelId}
        LEFT JOIN face_refusal AS refused ON refused.face_id = face.id AND refused.model_id = ${modelId}
       WHERE (face.person_id IS NOT NULL OR face.contact_id IS NOT NULL) AND coalesce(greatest(made.made_at, refused.at), 'infinity') >= ${timestamp(before)}
         AND (coalesce(made.made_at, refused.at) IS NULL
           OR EXISTS (SELECT FROM face_template AS older WHERE older.face_id = face.id AND older.model_id <> ${modelId})))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
