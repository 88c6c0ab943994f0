/**
 * Exports of rows to files, created in the background: requested, followed, and available for a week. Another kind of rows needs one more
 * call that returns the id of a task; all else is the same for every kind.
 */
import { z } from 'zod'
import { accessRecordFilter } from '../records/calls.ts'
import { callsOf } from '../call.ts'
import { abilities, created, id, idQuery, instant, pageData, pageQuery } from '../schema.ts'

const call = callsOf('exports')

/** `zip`: the Excel file and a folder of the rows' pictures. */
export const EXPORT_FORMATS = ['xlsx', 'csv', 'zip'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/**
 * Reason why there is no file. `stopped`: by the user who requested it; `erased`: it may have contained a person who was erased since;
 * `noRoom`: the server's disk is full; `fault`: an error of the server.
 */
export const EXPORT_REASONS = ['stopped', 'erased', 'noRoom', 'fault'] as const
export type ExportReason = (typeof EXPORT_REASONS)[number]

/** An export that a user requested. */
export const exportTask = z.object({
  id,
  /** Kind of rows: `accessRecord`. */
  kind: z.string(),
  fileName: z.string(),
  format: z.enum(EXPORT_FORMATS),
  /** Value of the enum `exportStatus`: waiting, exporting, exported, failed. */
  status: z.number().int(),
  /** Number of rows that are already in the file, with their pictures, and the total. */
  done: z.number().int(),
  total: z.number().int(),
  /** Size of the file in bytes; null until there is a file. */
  size: z.number().int().nullable(),
  /** Null unless it failed. */
  reason: z.enum(EXPORT_REASONS).nullable(),
  createdAt: instant,
  /** When the export was finished or failed; null before. */
  finishedAt: instant.nullable(),
  /** When the task and its file are removed. */
  expiresAt: instant,
  can: abilities('download', 'retry', 'cancel', 'stop'),
})
export type ExportTask = z.output<typeof exportTask>

/** Filter of the records, the same as of the list; without a window, the default window of the list. */
export const accessRecordExport = accessRecordFilter
  .omit({ page: true, size: true, pageNo: true, pageSize: true, after: true })
  .extend({ format: z.enum(EXPORT_FORMATS).default('xlsx') })

const own = { service: 'export', permission: 'self' } as const

export const exportCalls = {
  accessRecord: call({
    method: 'POST',
    service: 'biz',
    path: '/export/accessRecord',
    permission: 'access.record',
    besides: ['own:access.record.export'],
    summary: 'Asks for access records as a file: 1 to 50,000 of them. Answers the id of the task.',
    body: accessRecordExport,
    data: created,
    errors: [900007],
    readsPersonal: true,
  }),
  list: call({
    ...own,
    method: 'GET',
    path: '/export/list',
    summary: 'Own exports in this park, the newest first; kept 7 days.',
    query: pageQuery,
    data: pageData(exportTask),
  }),
  progress: call({
    ...own,
    method: 'GET',
    path: '/export/progress',
    summary: 'How far an own export is.',
    query: idQuery,
    data: exportTask,
  }),
  cancel: call({
    ...own,
    method: 'DELETE',
    path: '/export/cancel',
    summary: 'Takes back an own export that waits; its task is gone.',
    query: idQuery,
    data: created,
    errors: [100508],
    statuses: [409],
  }),
  stop: call({
    ...own,
    method: 'GET',
    path: '/export/stop',
    effect: 'write',
    summary: 'Ends an own export that waits or is being made: it has failed, and can be asked for again.',
    query: z.object({ taskId: id }),
    data: created,
    statuses: [409],
  }),
  retry: call({
    ...own,
    method: 'GET',
    path: '/export/retry',
    effect: 'write',
    summary: 'Asks once more for an own export that failed.',
    query: idQuery,
    data: created,
    errors: [100509],
    statuses: [409],
  }),
  download: call({
    ...own,
    method: 'GET',
    path: '/export/download',
    summary: 'The file of an own export; to be had in parts.',
    query: idQuery,
    produces: 'file',
    statuses: [206],
    readsPersonal: true,
    origin: 'own',
  }),
}
