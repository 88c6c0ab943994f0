/** Rows of photographs; every function takes the scope first. */
import { sql, timestamp, type Database } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import type { FacesTables } from './schema.ts'

type Db = Database<FacesTables>

export interface FaceRow {
  id: string
  personId: string | null
  fileId: string
  modelId: string
  template: Buffer
}
const faceColumns = ['id', 'person_id as personId', 'file_id as fileId', 'model_id as modelId', 'template'] as const

export interface NewFace {
  id: string
  fileId: string
  modelId: string
  template: Buffer
  quality: unknown
}

/** Keeps a checked photograph that no person has yet. */
export async function insertFace(scope: Scope, db: Db, face: NewFace, now: number): Promise<void> {
  await db
    .insertInto('face')
    .values({
      id: face.id,
      park_id: scope.parkId,
      person_id: null,
      position: 0,
      file_id: face.fileId,
      model_id: face.modelId,
      template: face.template,
      quality: JSON.stringify(face.quality),
      created_at: timestamp(now),
    })
    .execute()
}

/** The named photographs of this park, in no order. */
export function findFaces(scope: Scope, db: Db, ids: readonly string[]): Promise<FaceRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('face').select(faceColumns).where('park_id', '=', scope.parkId).where('id', 'in', ids).execute()
}

/** Photographs of persons, each person's in its order. */
export function findFacesOfPersons(scope: Scope, db: Db, personIds: readonly string[]): Promise<FaceRow[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(faceColumns)
    .where('park_id', '=', scope.parkId)
    .where('person_id', 'in', personIds)
    .orderBy('person_id')
    .orderBy('position')
    .execute()
}

/** Which pictures persons have, each person's in its order; without the templates, which lists do not need. */
export function findPicturesOfPersons(scope: Scope, db: Db, personIds: readonly string[]): Promise<{ id: string; personId: string | null; fileId: string }[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(['id', 'person_id as personId', 'file_id as fileId'])
    .where('park_id', '=', scope.parkId)
    .where('person_id', 'in', personIds)
    .orderBy('person_id')
    .orderBy('position')
    .execute()
}

/** Which faces persons have and by which model they are known, each person's in its order. */
export function findFaceIdsOfPersons(scope: Scope, db: Db, personIds: readonly string[]): Promise<{ faceId: string; modelId: string; personId: string | null }[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face')
    .select(['id as faceId', 'model_id as modelId', 'person_id as personId'])
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', sql<string>`ANY(${sql.val(personIds)}::uuid[])`)
    .orderBy('person_id')
    .orderBy('position')
    .execute()
}

/** Gives a photograph to a person at a position. */
export async function attachFace(scope: Scope, db: Db, faceId: string, personId: string, position: number): Promise<void> {
  await db.updateTable('face').set({ person_id: personId, position }).where('id', '=', faceId).where('park_id', '=', scope.parkId).execute()
}

export async function deleteFaces(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('face').where('id', 'in', ids).where('park_id', '=', scope.parkId).execute()
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

/** Pages through the templates of all parks, for the search in memory that a node fills at start. Unscoped: the search itself is segmented by park. */
export function readTemplatesUnscoped(db: Db, after: string, size: number): Promise<(FaceRow & { parkId: string })[]> {
  return db
    .selectFrom('face')
    .select([...faceColumns, 'park_id as parkId'])
    .where('person_id', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(size)
    .execute()
}

/** Photographs that were checked but never saved with a person. Unscoped: a clean-up of the installation. */
export function findAbandonedFacesUnscoped(db: Db, before: number): Promise<{ id: string; parkId: string; fileId: string }[]> {
  return db
    .selectFrom('face')
    .select(['id', 'park_id as parkId', 'file_id as fileId'])
    .where('person_id', 'is', null)
    .where('created_at', '<', timestamp(before))
    .limit(1000)
    .execute()
}
