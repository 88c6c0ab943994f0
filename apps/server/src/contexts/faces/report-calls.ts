/** Handlers of the report calls. */
import { faceReportCalls } from '@gatehouse/contract/faces/report'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { FaceReports } from './report.ts'

export function reportHandlers(reports: FaceReports): MountedCall[] {
  return [
    handler(faceReportCalls.start, async ({ scope }) => ({ id: await reports.start(scope) })),
    handler(faceReportCalls.list, ({ scope, query }) => reports.list(scope, query)),
    handler(faceReportCalls.read, ({ scope, params, session }) => reports.read(scope, session, params.id)),
    handler(faceReportCalls.cancel, async ({ scope, params }) => {
      await reports.cancel(scope, params.id)
      return { id: params.id }
    }),
    handler(faceReportCalls.delete, async ({ scope, params }) => {
      await reports.delete(scope, params.id)
      return { id: params.id }
    }),
  ]
}
