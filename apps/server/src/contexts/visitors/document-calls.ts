/** Handlers of the calls of documents that visitors agree to or sign. */
import { visitorDocumentCalls } from '@gatehouse/contract/visitors/documents'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Documents } from './documents.ts'
import type { SignedDocuments } from './signed-documents.ts'

export const documentHandlers = (documents: Documents, signed: Pick<SignedDocuments, 'list' | 'file'>): MountedCall[] => [
  handler(visitorDocumentCalls.list, ({ scope }) => documents.list(scope)),
  handler(visitorDocumentCalls.change, ({ scope, body }) => documents.change(scope, body)),
  handler(visitorDocumentCalls.versions, ({ scope, query }) => documents.versions(scope, query.id)),
  handler(visitorDocumentCalls.signed, ({ scope, query }) => signed.list(scope, query.id)),
  handler(visitorDocumentCalls.file, ({ scope, query }) => signed.file(scope, query.id, query.documentId)),
]
