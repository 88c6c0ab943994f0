/** Handlers of the calls of imports. */
import { importCalls } from '@gatehouse/contract/imports/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { ImportsService } from './service-types.ts'

export const importHandlers = (imports: ImportsService): MountedCall[] => [
  handler(importCalls.list, ({ scope, language, query }) => imports.list(scope, language, query)),
  handler(importCalls.template, async ({ session, language, query }) => imports.template(session, language, query.format)),
  handler(importCalls.photoBoard, ({ scope, query }) => imports.photoBoard(scope, query.kind)),
  handler(importCalls.read, ({ scope, language, params }) => imports.read(scope, language, params.id)),
  handler(importCalls.create, async ({ scope, session, body }) => ({ id: await imports.create(scope, session, body) })),
  handler(importCalls.addRows, ({ scope, language, params, file }) => imports.addRows(scope, language, params.id, file)),
  handler(importCalls.addPhotos, ({ scope, language, params, file }) => imports.addPhotos(scope, language, params.id, file)),
  handler(importCalls.rows, ({ scope, language, params, query }) => imports.rows(scope, language, params.id, query)),
  handler(importCalls.changeRow, ({ scope, language, params, body }) =>
    imports.changeRow(scope, language, params.id, body.rowId, body.values),
  ),
  handler(importCalls.addGroup, ({ scope, language, params, body }) => imports.addGroup(scope, language, params.id, body.rowId)),
  handler(importCalls.strayPhotos, ({ scope, language, params, query }) => imports.strayPhotos(scope, language, params.id, query)),
  handler(importCalls.assignPhoto, async ({ scope, params, body }) => ({
    id: await imports.assignPhoto(scope, params.id, body.photoId, body.workNumber),
  })),
  handler(importCalls.start, ({ scope, session, language, params }) => imports.start(scope, session, language, params.id)),
  handler(importCalls.cancel, ({ scope, language, params }) => imports.cancel(scope, language, params.id)),
  handler(importCalls.delete, async ({ scope, params }) => ({ id: await imports.delete(scope, params.id) })),
  handler(importCalls.refused, ({ session, language, params }) => imports.refused(session, language, params.id)),
]
