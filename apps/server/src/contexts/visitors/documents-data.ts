/** Rows of documents that visitors agree to or sign. Every function takes the scope first, except those of jobs over all parks. */
import type { Language } from '@gatehouse/contract'
import type { DocumentTexts } from '@gatehouse/contract/visitors/documents'
import type { DocumentAcceptance } from '@gatehouse/contract/visitors/signing'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { ConsentShown } from './consent.ts'

export interface NewVersion {
  id: string
  documentId: string
  number: number
  texts: DocumentTexts
}

export async function insertVersions(scope: Scope, db: Database, versions: readonly NewVersion[], now: number): Promise<void> {
  if (versions.length === 0) return
  await db
    .insertInto('visitorDocumentVersion')
    .values(
      versions.map(({ texts, ...version }) => ({
        ...version,
        parkId: scope.parkId,
        texts: JSON.stringify(texts),
        createdAt: timestamp(now),
      })),
    )
    .execute()
}

const versionColumns = ['id', 'documentId', 'number', 'texts', 'createdAt'] as const

/** Return these versions, in no order. */
export async function findVersions(scope: Scope, db: Database, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('visitorDocumentVersion')
    .select(versionColumns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .execute()
}
export type VersionRow = Awaited<ReturnType<typeof findVersions>>[number]

/** Return all versions of a document that are kept, the newest first. */
export const findVersionsOf = (scope: Scope, db: Database, documentId: string): Promise<VersionRow[]> =>
  db
    .selectFrom('visitorDocumentVersion')
    .select(versionColumns)
    .where('parkId', '=', scope.parkId)
    .where('documentId', '=', documentId)
    .orderBy('number', 'desc')
    .orderBy('createdAt', 'desc')
    .execute()

/** Delete versions of the park from before a moment that are not current and that no visit refers to. */
export async function deleteUnusedVersions(scope: Scope, db: Database, current: readonly string[], before: number): Promise<number> {
  const result = await db
    .deleteFrom('visitorDocumentVersion')
    .where('parkId', '=', scope.parkId)
    .where('createdAt', '<', timestamp(before))
    .where(sql<boolean>`NOT id = ANY(${sql.val(current)}::uuid[])`)
    .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM visit_document WHERE visit_document.version_id = visitor_document_version.id)`)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** A document that a visitor accepted, name and signature encrypted. */
export interface NewVisitDocument {
  id: string
  position: number
  versionId: string
  number: number
  language: Language
  title: string
  textHash: string
  acceptance: DocumentAcceptance
  details: Buffer
}

export async function insertVisitDocuments(
  scope: Scope,
  db: Database,
  visitId: string,
  documents: readonly NewVisitDocument[],
  now: number,
): Promise<void> {
  if (documents.length === 0) return
  await db
    .insertInto('visitDocument')
    .values(documents.map((document) => ({ ...document, parkId: scope.parkId, visitId, signedAt: timestamp(now) })))
    .execute()
}

const documentColumns = [
  'id',
  'parkId',
  'visitId',
  'versionId',
  'number',
  'language',
  'title',
  'textHash',
  'acceptance',
  'details',
  'fileId',
  'signedAt',
] as const

/** Return the documents of a visit, in their order. */
export const findVisitDocuments = (scope: Scope, db: Database, visitId: string) =>
  db
    .selectFrom('visitDocument')
    .select(documentColumns)
    .where('parkId', '=', scope.parkId)
    .where('visitId', '=', visitId)
    .orderBy('position')
    .execute()
export type VisitDocumentRow = Awaited<ReturnType<typeof findVisitDocuments>>[number]

/** Return the files of a visit's documents, which get no others until the transaction ends. */
export async function lockFilesOfVisit(scope: Scope, db: Database, visitId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('visitDocument')
    .select('fileId')
    .where('parkId', '=', scope.parkId)
    .where('visitId', '=', visitId)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.flatMap(({ fileId }) => fileId ?? [])
}

/** Unscoped: return documents of all parks whose files are not made yet, those after an id. */
export const findWithoutFileUnscoped = (db: Database, after: string, limit: number): Promise<VisitDocumentRow[]> =>
  db
    .selectFrom('visitDocument')
    .select(documentColumns)
    .where('fileId', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Note the file of a document. Return false where it has one, or is gone. */
export async function keepFile(scope: Scope, db: Database, id: string, fileId: string): Promise<boolean> {
  const result = await db
    .updateTable('visitDocument')
    .set({ fileId })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('fileId', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Delete the documents and versions of the park; return the files. */
export async function deleteDocumentsOfPark(scope: Scope, db: Database): Promise<string[]> {
  const rows = await db.deleteFrom('visitDocument').where('parkId', '=', scope.parkId).returning('fileId').execute()
  await db.deleteFrom('visitorDocumentVersion').where('parkId', '=', scope.parkId).execute()
  return rows.flatMap(({ fileId }) => fileId ?? [])
}

/** Keep the text by which the visitor of a visit agreed. */
export async function keepConsent(scope: Scope, db: Database, visitId: string, shown: ConsentShown): Promise<void> {
  await db
    .updateTable('visit')
    .set({ consentShown: JSON.stringify(shown) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', visitId)
    .execute()
}

/** Return the text by which the visitor of a visit agreed; null where there is none. */
export async function findConsent(scope: Scope, db: Database, visitId: string): Promise<ConsentShown | null> {
  const row = await db
    .selectFrom('visit')
    .select('consentShown')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', visitId)
    .executeTakeFirst()
  return row?.consentShown ?? null
}
