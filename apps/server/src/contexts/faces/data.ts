/** Rows of photographs and their templates; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { keptPrepared } from '../../platform/database/prepared.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface FaceRow {
  id: string
  personId: string | null
  contactId: string | null
  fileId: string
  setAsideAt: number | null
}
const faceColumns = columnList(['id', 'personId', 'contactId', 'fileId', 'setAsideAt'])

/** A stored photograph as the input for templates. */
export interface StoredPhoto {
  id: string
  personId: string | null
  fileId: string
  quality: unknown
}

export interface TemplateRow {
  faceId: string
  modelId: string
  template: Buffer
}

export interface NewFace {
  id: string
  fileId: string
  quality: unknown
}

/** Insert a checked photograph without an owner. */
export async function insertFace(scope: Scope, db: Database, face: NewFace, now: number): Promise<void> {
  await db
    .insertInto('face')
    .values({
      id: face.id,
      parkId: scope.parkId,
      personId: null,
      contactId: null,
      position: 0,
      fileId: face.fileId,
      quality: JSON.stringify(face.quality),
      createdAt: timestamp(now),
    })
    .execute()
}

/** Insert templates; one whose photograph was deleted meanwhile, or that exists already, is skipped. */
export async function insertTemplates(scope: Scope, db: Database, templates: readonly TemplateRow[], now: number): Promise<void> {
  if (templates.length === 0) return
  await sql`INSERT INTO face_template (face_id, park_id, model_id, template, made_at)
    SELECT made.face_id, ${scope.parkId}::uuid, made.model_id, made.template, ${timestamp(now)}
      FROM unnest(${sql.val(templates.map((one) => one.faceId))}::uuid[], ${sql.val(templates.map((one) => one.modelId))}::text[],
                  ${sql.val(templates.map((one) => one.template))}::bytea[]) AS made (face_id, model_id, template)
      JOIN face ON face.id = made.face_id AND face.park_id = ${scope.parkId}::uuid
    ON CONFLICT DO NOTHING`.execute(db)
}

/**
 * Lock the named photographs against deletion until the transaction ends, and return the ids of those that exist. They are locked
 * in the order of their ids, as deletion does, so that transactions cannot deadlock.
 */
export async function holdFaces(scope: Scope, db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{
    id: string
  }>`SELECT id FROM face WHERE park_id = ${scope.parkId}::uuid AND id = ${oneOf(ids)} ORDER BY id FOR KEY SHARE`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Return the named photographs of this park, in no order. */
export function findFaces(scope: Scope, db: Database, ids: readonly string[]): Promise<FaceRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('face').select(faceColumns).where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).execute() as Promise<
    FaceRow[]
  >
}

/** Return photographs of persons, including those set aside, in each person's order. */
export function findFacesOfPersons(scope: Scope, db: Database, personIds: readonly string[]): Promise<FaceRow[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(faceColumns)
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .orderBy('personId')
    .orderBy('position')
    .modifyEnd(keptPrepared)
    .execute() as Promise<FaceRow[]>
}

/** Return templates of photographs, of one model or of all. */
export function findTemplates(scope: Scope, db: Database, faceIds: readonly string[], modelId?: string): Promise<TemplateRow[]> {
  if (faceIds.length === 0) return Promise.resolve([])
  const rows = db.selectFrom('faceTemplate').select(['faceId', 'modelId', 'template']).where('parkId', '=', scope.parkId)
  return (modelId === undefined ? rows : rows.where('modelId', '=', modelId)).where('faceId', '=', oneOf(faceIds)).execute()
}

/** Return the templates of a model by which persons are compared, in each person's order; not those of photographs set aside. */
export function findTemplatesOfPersons(
  scope: Scope,
  db: Database,
  personIds: readonly string[],
  modelId: string,
): Promise<{ faceId: string; personId: string; template: Buffer }[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .innerJoin('faceTemplate', 'faceTemplate.faceId', 'face.id')
    .select(['face.id as faceId', 'face.personId', 'faceTemplate.template'])
    .where('face.parkId', '=', scope.parkId)
    .where('face.personId', '=', oneOf(personIds))
    .where('face.setAsideAt', 'is', null)
    .where('faceTemplate.modelId', '=', modelId)
    .orderBy('face.personId')
    .orderBy('face.position')
    .execute() as Promise<{ faceId: string; personId: string; template: Buffer }[]>
}

/** Return the faces by which persons are compared, in each person's order; not those set aside. */
export function findFaceIdsOfPersons(
  scope: Scope,
  db: Database,
  personIds: readonly string[],
): Promise<{ faceId: string; personId: string | null }[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(['id as faceId', 'personId'])
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .where('setAsideAt', 'is', null)
    .orderBy('personId')
    .orderBy('position')
    .execute()
}

/** Return photographs as the input for templates. */
export function findStoredPhotos(scope: Scope, db: Database, ids: readonly string[]): Promise<StoredPhoto[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(['id', 'personId', 'fileId', 'quality'])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .execute()
}

/** Assign a photograph to a person at a position; return false where it has another owner or is deleted. */
export async function attachFace(scope: Scope, db: Database, faceId: string, personId: string, position: number): Promise<boolean> {
  const result = await db
    .updateTable('face')
    .set({ personId, position })
    .where('id', '=', faceId)
    .where('parkId', '=', scope.parkId)
    .where((eb) => eb.or([eb('personId', 'is', null), eb('personId', '=', personId)]))
    .where('contactId', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Assign a photograph to a contact; return false where it has an owner or is deleted. */
export async function attachToContact(scope: Scope, db: Database, faceId: string, contactId: string): Promise<boolean> {
  const result = await db
    .updateTable('face')
    .set({ contactId })
    .where('id', '=', faceId)
    .where('parkId', '=', scope.parkId)
    .where('personId', 'is', null)
    .where('contactId', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Return the photographs of contacts, one each. */
export function findFacesOfContacts(scope: Scope, db: Database, contactIds: readonly string[]): Promise<FaceRow[]> {
  if (contactIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(faceColumns)
    .where('parkId', '=', scope.parkId)
    .where('contactId', '=', oneOf(contactIds))
    .execute() as Promise<FaceRow[]>
}

/** Return the templates of a model by which contacts are compared. */
export async function findTemplatesOfContacts(
  scope: Scope,
  db: Database,
  contactIds: readonly string[],
  modelId: string,
): Promise<{ faceId: string; template: Buffer }[]> {
  if (contactIds.length === 0) return []
  return db
    .selectFrom('face')
    .innerJoin('faceTemplate', 'faceTemplate.faceId', 'face.id')
    .select(['face.id as faceId', 'faceTemplate.template'])
    .where('face.parkId', '=', scope.parkId)
    .where('face.contactId', '=', oneOf(contactIds))
    .where('faceTemplate.modelId', '=', modelId)
    .execute()
}

export async function deleteFaces(scope: Scope, db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`DELETE FROM face USING (SELECT id FROM face WHERE park_id = ${scope.parkId}::uuid AND id = ${oneOf(ids)}
    ORDER BY id FOR UPDATE) AS held
    WHERE face.id = held.id`.execute(db)
}

export async function countFaces(scope: Scope, db: Database, personIds: readonly string[]): Promise<number> {
  if (personIds.length === 0) return 0
  const { count } = await db
    .selectFrom('face')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('parkId', '=', scope.parkId)
    .where('personId', 'in', personIds)
    .executeTakeFirstOrThrow()
  return count
}

/** Delete all photographs of a park and return their files. */
export async function deleteFacesOfPark(scope: Scope, db: Database): Promise<string[]> {
  const rows = await db.deleteFrom('face').where('parkId', '=', scope.parkId).returning('fileId').execute()
  return rows.map((row) => row.fileId)
}

/**
 * Return the next page of a model's templates of all parks, in the order of their photographs, for the search in memory that a
 * node fills at start. Unscoped: the search itself is segmented by park.
 */
export function readTemplatesUnscoped(
  db: Database,
  modelId: string,
  after: string,
  size: number,
): Promise<{ faceId: string; parkId: string; personId: string; template: Buffer }[]> {
  return (
    db
      .selectFrom('faceTemplate')
      .innerJoin('face', 'face.id', 'faceTemplate.faceId')
      .select(['faceTemplate.faceId', 'faceTemplate.parkId', 'face.personId', 'faceTemplate.template'])
      .where('faceTemplate.modelId', '=', modelId)
      .where('faceTemplate.faceId', '>', after)
      // On both tables: otherwise the join would read all earlier photographs again for every page.
      .where('face.id', '>', after)
      .where('face.personId', 'is not', null)
      .where('face.setAsideAt', 'is', null)
      .orderBy('faceTemplate.faceId')
      .limit(size)
      .execute() as Promise<{ faceId: string; parkId: string; personId: string; template: Buffer }[]>
  )
}

/** Return photographs that were checked but never saved with a person or contact. Unscoped: a clean-up of the installation. */
export function findAbandonedFacesUnscoped(db: Database, before: number): Promise<{ id: string; parkId: string; fileId: string }[]> {
  return db
    .selectFrom('face')
    .select(['id', 'parkId', 'fileId'])
    .where('personId', 'is', null)
    .where('contactId', 'is', null)
    .where('createdAt', '<', timestamp(before))
    .limit(1000)
    .execute()
}
