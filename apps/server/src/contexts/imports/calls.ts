/** Handlers of the calls of imports. */
import { importCalls } from '@gatehouse/contract/imports/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { ImportsService } from './service.ts'

export const importHandlers = (imports: ImportsService): MountedCall[] => [
  handler(importCalls.list, ({ session, language, query }) => imports.list(session, language, query)),
  handler(importCalls.template, async ({ session, language, query }) => imports.template(session, language, query.format)),
  handler(importCalls.photoBoard, ({ session, query }) => imports.photoBoard(session, query.kind)),
  handler(importCalls.read, ({ session, language, params }) => imports.read(session, language, params.id)),
  handler(importCalls.create, async ({ session, body }) => ({ id: await imports.create(session, body) })),
  handler(importCalls.addRows, ({ session, language, params, file }) => imports.addRows(session, language, params.id, file)),
  handler(importCalls.addPhotos, ({ session, language, params, file }) => imports.addPhotos(session, language, params.id, file)),
  handler(importCalls.rows, ({ session, language, params, query }) => imports.rows(session, language, params.id, query)),
  handler(importCalls.changeRow, ({ session, language, params, body }) =>
    imports.changeRow(session, language, params.id, body.rowId, body.values),
  ),
  handler(importCalls.addGroup, ({ session, language, params, body }) => imports.addGroup(session, language, params.id, body.rowId)),
  handler(importCalls.strayPhotos, ({ session, language, params, query }) => imports.strayPhotos(session, language, params.id, query)),
  handler(importCalls.assignPhoto, async ({ session, params, body }) => ({
    id: await imports.assignPhoto(session, params.id, body.photoId, body.workNumber),
  })),
  handler(importCalls.start, ({ session, language, params }) => imports.start(session, language, params.id)),
  handler(importCalls.cancel, ({ session, language, params }) => imports.cancel(session, language, params.id)),
  handler(importCalls.delete, async ({ session, params }) => ({ id: await imports.delete(session, params.id) })),
  handler(importCalls.refused, ({ session, language, params }) => imports.refused(session, language, params.id)),
]
