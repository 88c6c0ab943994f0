/** Handlers of the calls of many visitors invited from a spreadsheet. */
import { visitorImportCalls } from '@gatehouse/contract/visitors/imports'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Imports } from './imports.ts'

export const importHandlers = (imports: Omit<Imports, 'jobs'>): MountedCall[] => [
  handler(visitorImportCalls.template, async ({ scope, language }) => imports.template(scope, language)),
  handler(visitorImportCalls.create, async ({ session, language, file }) => ({ id: await imports.create(session, language, file) })),
  handler(visitorImportCalls.read, ({ scope, query, language }) => imports.read(scope, query.id, language)),
  handler(visitorImportCalls.cancel, ({ scope, body, language }) => imports.cancel(scope, body.id, language)),
]
