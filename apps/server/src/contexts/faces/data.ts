/** Rows of photographs and their templates; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { keptPrepared } from '../../platform/database/prepared.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesTables } from './schema.ts'

type Db = Database<FacesTables>

export interface FaceRow {
  id: string
  personId: string | null
  contactId: string | null
  fileId: string
  setAsideAt: number | null
}
const faceColumns = columnList([
  'id',
  'person_id as personId',
  'contact_id as contactId',
  'file_id as fileId',
  'set_aside_at as setAsideAt',
])

/** A photograph as it is made templates of. */
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

/** Keeps a checked photograph that nobody has yet. */
export async function insertFace(scope: Scope, db: Db, face: NewFace, now: number): Promise<void> {
  await db
    .insertInto('face')
    .values({
      id: face.id,
      park_id: scope.parkId,
      person_id: null,
      contact_id: null,
      position: 0,
      file_id: face.fileId,
      quality: JSON.stringify(face.quality),
      created_at: timestamp(now),
    })
    .execute()
}

/** Keeps templates; one whose photograph is gone meanwhile, or that is there already, is passed over. */
export async function insertTemplates(scope: Scope, db: Db, templates: readonly TemplateRow[], now: number): Promise<void> {
  if (templates.length === 0) return
  await sql`INSERT INTO face_template (face_id, park_id, model_id, template, made_at)
    SELECT made.face_id, ${scope.parkId}::uuid, made.model_id, made.template, ${timestamp(now)}
      FROM unnest(${sql.val(templates.map((one) => one.faceId))}::uuid[], ${sql.val(templates.map((one) => one.modelId))}::text[],
                  ${sql.val(templates.map((one) => one.template))}::bytea[]) AS made (face_id, model_id, template)
      JOIN face ON face.id = made.face_id AND face.park_id = ${scope.parkId}::uuid
    ON CONFLICT DO NOTHING`.execute(db)
}

/**
 * Keeps the named photographs from being deleted until the transaction ends; answers those that are there. In the order of
 * their ids, as they are deleted: nobody waits for somebody who waits for him.
 */
export async function holdFaces(scope: Scope, db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{
    id: string
  }>`SELECT id FROM face WHERE park_id = ${scope.parkId}::uuid AND id = ${oneOf(ids)} ORDER BY id FOR KEY SHARE`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The named photographs of this park, in no order. */
export function findFaces(scope: Scope, db: Db, ids: readonly string[]): Promise<FaceRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('face').select(faceColumns).where('park_id', '=', scope.parkId).where('id', '=', oneOf(ids)).execute() as Promise<
    FaceRow[]
  >
}

/** Photographs of persons, those set aside among them, each person's in its order. */
export function findFacesOfPersons(scope: Scope, db: Db, personIds: readonly string[]): Promise<FaceRow[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(faceColumns)
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', oneOf(personIds))
    .orderBy('person_id')
    .orderBy('position')
    .modifyEnd(keptPrepared)
    .execute() as Promise<FaceRow[]>
}

/** Templates of photographs, of one model or of all. */
export function findTemplates(scope: Scope, db: Db, faceIds: readonly string[], modelId?: string): Promise<TemplateRow[]> {
  if (faceIds.length === 0) return Promise.resolve([])
  const rows = db
    .selectFrom('face_template')
    .select(['face_id as faceId', 'model_id as modelId', 'template'])
    .where('park_id', '=', scope.parkId)
  return (modelId === undefined ? rows : rows.where('model_id', '=', modelId)).where('face_id', '=', oneOf(faceIds)).execute()
}

/** Templates of a model by which persons are compared: not of photographs set aside. Each person's in its order. */
export function findTemplatesOfPersons(
  scope: Scope,
  db: Db,
  personIds: readonly string[],
  modelId: string,
): Promise<{ faceId: string; personId: string; template: Buffer }[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .innerJoin('face_template', 'face_template.face_id', 'face.id')
    .select(['face.id as faceId', 'face.person_id as personId', 'face_template.template'])
    .where('face.park_id', '=', scope.parkId)
    .where('face.person_id', '=', oneOf(personIds))
    .where('face.set_aside_at', 'is', null)
    .where('face_template.model_id', '=', modelId)
    .orderBy('face.person_id')
    .orderBy('face.position')
    .execute() as Promise<{ faceId: string; personId: string; template: Buffer }[]>
}

/** Which faces persons are compared by, each person's in its order; not those set aside. */
export function findFaceIdsOfPersons(
  scope: Scope,
  db: Db,
  personIds: readonly string[],
): Promise<{ faceId: string; personId: string | null }[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(['id as faceId', 'person_id as personId'])
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', oneOf(personIds))
    .where('set_aside_at', 'is', null)
    .orderBy('person_id')
    .orderBy('position')
    .execute()
}

/** Photographs as templates are made of them. */
export function findStoredPhotos(scope: Scope, db: Db, ids: readonly string[]): Promise<StoredPhoto[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(['id', 'person_id as personId', 'file_id as fileId', 'quality'])
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .execute()
}

/** Gives a photograph to a person at a position. False where somebody else has it, or it is gone. */
export async function attachFace(scope: Scope, db: Db, faceId: string, personId: string, position: number): Promise<boolean> {
  const result = await db
    .updateTable('face')
    .set({ person_id: personId, position })
    .where('id', '=', faceId)
    .where('park_id', '=', scope.parkId)
    .where((eb) => eb.or([eb('person_id', 'is', null), eb('person_id', '=', personId)]))
    .where('contact_id', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Gives a photograph to a contact. False where somebody has it, or it is gone. */
export async function attachToContact(scope: Scope, db: Db, faceId: string, contactId: string): Promise<boolean> {
  const result = await db
    .updateTable('face')
    .set({ contact_id: contactId })
    .where('id', '=', faceId)
    .where('park_id', '=', scope.parkId)
    .where('person_id', 'is', null)
    .where('contact_id', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Photographs of contacts, one each. */
export function findFacesOfContacts(scope: Scope, db: Db, contactIds: readonly string[]): Promise<FaceRow[]> {
  if (contactIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(faceColumns)
    .where('park_id', '=', scope.parkId)
    .where('contact_id', '=', oneOf(contactIds))
    .execute() as Promise<FaceRow[]>
}

/** Templates of a model by which contacts are known. */
export async function findTemplatesOfContacts(
  scope: Scope,
  db: Db,
  contactIds: readonly string[],
  modelId: string,
): Promise<{ faceId: string; template: Buffer }[]> {
  if (contactIds.length === 0) return []
  return db
    .selectFrom('face')
    .innerJoin('face_template', 'face_template.face_id', 'face.id')
    .select(['face.id as faceId', 'face_template.template'])
    .where('face.park_id', '=', scope.parkId)
    .where('face.contact_id', '=', oneOf(contactIds))
    .where('face_template.model_id', '=', modelId)
    .execute()
}

export async function deleteFaces(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`DELETE FROM face USING (SELECT id FROM face WHERE park_id = ${scope.parkId}::uuid AND id = ${oneOf(ids)} ORDER BY id FOR UPDATE) AS held
    WHERE face.id = held.id`.execute(db)
}

export async function countFaces(scope: Scope, db: Db, personIds: readonly string[]): Promise<number> {
  if (personIds.length === 0) return 0
  const { count } = await db
    .selectFrom('face')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('park_id', '=', scope.parkId)
    .where('person_id', 'in', personIds)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes every photograph of a park, answering their files. */
export async function deleteFacesOfPark(scope: Scope, db: Db): Promise<string[]> {
  const rows = await db.deleteFrom('face').where('park_id', '=', scope.parkId).returning('file_id as fileId').execute()
  return rows.map((row) => row.fileId)
}

/**
 * Pages through a model's templates of all parks in the order of their photographs, for the search in memory that a node
 * fills at start. Unscoped: the search itself is segmented by park.
 */
export function readTemplatesUnscoped(
  db: Db,
  modelId: string,
  after: string,
  size: number,
): Promise<{ faceId: string; parkId: string; personId: string; template: Buffer }[]> {
  return (
    db
      .selectFrom('face_template')
      .innerJoin('face', 'face.id', 'face_template.face_id')
      .select([
        'face_template.face_id as faceId',
        'face_template.park_id as parkId',
        'face.person_id as personId',
        'face_template.template',
      ])
      .where('face_template.model_id', '=', modelId)
      .where('face_template.face_id', '>', after)
      // Said of both: the join would read all photographs before these ones on every page.
      .where('face.id', '>', after)
      .where('face.person_id', 'is not', null)
      .where('face.set_aside_at', 'is', null)
      .orderBy('face_template.face_id')
      .limit(size)
      .execute() as Promise<{ faceId: string; parkId: string; personId: string; template: Buffer }[]>
  )
}

/** Photographs that were checked but never saved with a person or contact. Unscoped: a clean-up of the installation. */
export function findAbandonedFacesUnscoped(db: Db, before: number): Promise<{ id: string; parkId: string; fileId: string }[]> {
  return db
    .selectFrom('face')
    .select(['id', 'park_id as parkId', 'file_id as fileId'])
    .where('person_id', 'is', null)
    .where('contact_id', 'is', null)
    .where('created_at', '<', timestamp(before))
    .limit(1000)
    .execute()
}
