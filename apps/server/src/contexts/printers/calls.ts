/** Handlers of the calls of printers. */
import { printerCalls } from '@gatehouse/contract/printers/calls'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import type { PrintJobs } from './jobs.ts'
import type { Printers } from './printers.ts'

export const printersHandlers = ({ audit }: Pick<Platform, 'audit'>, printers: Printers, jobs: PrintJobs): MountedCall[] => [
  handler(printerCalls.settings, ({ scope, query }) => printers.list(scope, query)),
  handler(printerCalls.list, ({ scope, query }) => printers.choices(scope, query)),
  handler(printerCalls.read, ({ scope, query }) => printers.read(scope, query.id)),
  handler(printerCalls.create, async ({ scope, body }) => ({ id: await printers.create(scope, body) })),
  handler(printerCalls.change, async ({ scope, body }) => {
    await printers.change(scope, body)
    return { id: body.id }
  }),
  handler(printerCalls.delete, async ({ scope, query }) => {
    await printers.delete(scope, query.id)
    return { id: query.id }
  }),
  handler(printerCalls.status, ({ scope, query, signal }) => printers.status(scope, query.id, signal)),
  handler(printerCalls.test, ({ scope, body, session, language }) => jobs.test(scope, body, { session, language })),
  handler(printerCalls.print, ({ scope, body, session, language }) => jobs.print(scope, body, { session, language })),
  handler(printerCalls.jobs, ({ scope, query }) => jobs.list(scope, query)),
  handler(printerCalls.file, ({ scope, query, session, language, ip }) =>
    jobs.file(scope, query.id, { session, language }, (visitId) => audit.read(printerCalls.file, session, ip, [visitId])),
  ),
  handler(printerCalls.retry, async ({ scope, body }) => {
    await jobs.retry(scope, body.id)
    return { id: body.id }
  }),
  handler(printerCalls.cancel, async ({ scope, body }) => {
    await jobs.cancel(scope, body.id)
    return { id: body.id }
  }),
]
