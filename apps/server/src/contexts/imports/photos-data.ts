/** Photographs of imports; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { StoredIssue } from './schema.ts'

export interface PhotoRecord {
  id: string
  filename: string
  stem: string
  base: string | null
  position: number
  assigned: string | null
  workNumber: string | null
  rowId: string | null
  digest: Buffer
  fileId: string | null
  faceId: string | null
  state: 'waiting' | 'used' | 'refused'
  reason: string | null
  issue: StoredIssue | null
}

const photoColumns = columnList([
  'id',
  'filename',
  'stem',
  'base',
  'position',
  'assigned',
  'workNumber',
  'rowId',
  'digest',
  'fileId',
  'faceId',
  'state',
  'reason',
  'issue',
])

/** Photographs of these names. */
export async function findNamed(scope: Scope, db: Database, importId: string, stems: readonly string[]): Promise<PhotoRecord[]> {
  const rows = db.selectFrom('personImportPhoto').select(photoColumns).where('parkId', '=', scope.parkId).where('importId', '=', importId)
  return rows.where(sql<boolean>`stem = ANY(${sql.val(stems)}::text[])`).execute() as Promise<PhotoRecord[]>
}

export async function insertPhoto(
  scope: Scope,
  db: Database,
  importId: string,
  photo: Pick<PhotoRecord, 'id' | 'filename' | 'stem' | 'base' | 'position' | 'digest' | 'fileId' | 'state' | 'reason' | 'issue'>,
): Promise<void> {
  await db
    .insertInto('personImportPhoto')
    .values({
      id: photo.id,
      parkId: scope.parkId,
      importId,
      filename: photo.filename,
      stem: photo.stem,
      base: photo.base,
      position: photo.position,
      digest: photo.digest,
      fileId: photo.fileId,
      state: photo.state,
      reason: photo.reason,
      issue: photo.issue === null ? null : JSON.stringify(photo.issue),
    })
    .execute()
}

export async function deletePhotos(scope: Scope, db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('personImportPhoto').where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Photographs nobody has got yet: those that may belong to these work numbers, or all. */
export function findOpenPhotos(scope: Scope, db: Database, importId: string, numbers: readonly string[] | null): Promise<PhotoRecord[]> {
  let rows = db
    .selectFrom('personImportPhoto')
    .select(photoColumns)
    .where('parkId', '=', scope.parkId)
    .where('importId', '=', importId)
    .where('state', '<>', 'used')
  if (numbers !== null) {
    const of = sql`${sql.val(numbers)}::text[]`
    rows = rows.where(sql<boolean>`(stem = ANY(${of}) OR base = ANY(${of}) OR assigned = ANY(${of}) OR work_number = ANY(${of}))`)
  }
  return rows.orderBy('id').execute() as Promise<PhotoRecord[]>
}

export interface PhotoPlace {
  id: string
  workNumber: string | null
  rowId: string | null
  reason: string | null
}

export async function placePhotos(scope: Scope, db: Database, places: readonly PhotoPlace[]): Promise<void> {
  if (places.length === 0) return
  await sql`UPDATE person_import_photo SET work_number = said.work_number, row_id = said.row_id, reason = said.reason
    FROM unnest(${sql.val(places.map(({ id }) => id))}::uuid[], ${sql.val(places.map(({ workNumber }) => workNumber))}::text[],
    ${sql.val(places.map(({ rowId }) => rowId))}::uuid[],
                ${sql.val(places.map(({ reason }) => reason))}::text[]) AS said (id, work_number, row_id, reason)
    WHERE person_import_photo.id = said.id AND park_id = ${scope.parkId}::uuid AND state <> 'used'`.execute(db)
}

/** Photographs of rows, in their order. */
export function findPhotosOf(scope: Scope, db: Database, rowIds: readonly string[]): Promise<PhotoRecord[]> {
  if (rowIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('personImportPhoto')
    .select(photoColumns)
    .where('parkId', '=', scope.parkId)
    .where('rowId', '=', oneOf(rowIds))
    .orderBy('position')
    .orderBy('filename')
    .execute() as Promise<PhotoRecord[]>
}

export async function findPhoto(scope: Scope, db: Database, importId: string, id: string): Promise<PhotoRecord | null> {
  const row = db
    .selectFrom('personImportPhoto')
    .select(photoColumns)
    .where('parkId', '=', scope.parkId)
    .where('importId', '=', importId)
    .where('id', '=', id)
  return ((await row.executeTakeFirst()) ?? null) as PhotoRecord | null
}

export async function assignPhoto(scope: Scope, db: Database, id: string, workNumber: string): Promise<void> {
  await db
    .updateTable('personImportPhoto')
    .set({ assigned: workNumber })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

export function listStray(scope: Scope, db: Database, importId: string, page: Paging): Promise<{ content: PhotoRecord[]; total: number }> {
  const rows = db
    .selectFrom('personImportPhoto')
    .select(photoColumns)
    .where('parkId', '=', scope.parkId)
    .where('importId', '=', importId)
    .where('reason', 'is not', null)
  return readPage(rows.orderBy('filename').orderBy('id'), page) as Promise<{ content: PhotoRecord[]; total: number }>
}

/** Remembers the face that was made of a photograph; null: it is to be made anew. */
export async function noteFace(scope: Scope, db: Database, id: string, faceId: string | null): Promise<void> {
  await db.updateTable('personImportPhoto').set({ faceId }).where('parkId', '=', scope.parkId).where('id', '=', id).execute()
}

export async function refusePhoto(scope: Scope, db: Database, id: string, issue: StoredIssue): Promise<void> {
  await db
    .updateTable('personImportPhoto')
    .set({ state: 'refused', issue: JSON.stringify(issue) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** These are the person's now: their files are no longer needed here, and they are known again when they come another time. */
export async function usePhotos(scope: Scope, db: Database, personId: string, photos: readonly PhotoRecord[]): Promise<void> {
  for (const { id, digest, faceId } of photos) {
    await db
      .updateTable('personImportPhoto')
      .set({ state: 'used', fileId: null })
      .where('parkId', '=', scope.parkId)
      .where('id', '=', id)
      .execute()
    await db
      .insertInto('personImportTaken')
      .values({ parkId: scope.parkId, personId, digest, faceId: faceId! })
      .onConflict((conflict) => conflict.columns(['personId', 'digest']).doUpdateSet({ faceId: faceId! }))
      .execute()
  }
}

/** Photographs persons were given by imports, whether or not they still have them. */
export async function findTaken(
  scope: Scope,
  db: Database,
  personIds: readonly string[],
): Promise<{ personId: string; digest: Buffer; faceId: string }[]> {
  if (personIds.length === 0) return []
  return db
    .selectFrom('personImportTaken')
    .select(['personId', 'digest', 'faceId'])
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .execute()
}

export async function forgetTaken(scope: Scope, db: Database, personIds: readonly string[]): Promise<void> {
  if (personIds.length > 0)
    await db.deleteFrom('personImportTaken').where('parkId', '=', scope.parkId).where('personId', '=', oneOf(personIds)).execute()
}
