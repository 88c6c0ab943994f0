/** Handlers of the calls of exports: one for each kind, the others for all of them. */
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { ExportKind } from '../../platform/export-kind.ts'
import type { ExportService } from './service-types.ts'

const startHandler = (exports: ExportService, kind: ExportKind): MountedCall => ({
  call: kind.call,
  handle: async ({ session, body, language, ip }) => ({ id: await exports.start(session!, kind, body as object, { language, ip }) }),
})

export const exportHandlers = (exports: ExportService, kinds: readonly ExportKind[]): MountedCall[] => [
  ...kinds.map((kind) => startHandler(exports, kind)),
  handler(exportCalls.list, ({ session, query }) => exports.list(session, query)),
  handler(exportCalls.progress, ({ session, query }) => exports.progress(session, query.id)),
  handler(exportCalls.cancel, async ({ scope, session, query: { id } }) => {
    await exports.cancel(scope, session, id)
    return { id }
  }),
  handler(exportCalls.stop, async ({ scope, session, query: { taskId } }) => {
    await exports.stop(scope, session, taskId)
    return { id: taskId }
  }),
  handler(exportCalls.retry, async ({ session, query: { id }, language, ip }) => {
    await exports.retry(session, id, { language, ip })
    return { id }
  }),
  handler(exportCalls.download, ({ session, query }) => exports.download(session, query.id)),
]
