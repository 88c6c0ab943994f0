/** Many visitors invited from a spreadsheet. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { IMPORT_FILE_MAX } from '../limits.ts'
import { masked } from '../masking.ts'
import { created, id, idQuery, instant } from '../schema.ts'

const call = callsOf('visitors')

/** Rows of one spreadsheet, at most. */
export const VISIT_IMPORT_ROWS_MAX = 500

/** Columns of the spreadsheet, in the order of the template. */
export const VISIT_IMPORT_FIELDS = ['name', 'phone', 'email', 'host', 'reason', 'visitTime', 'visitEndTime', 'remark'] as const
export type VisitImportField = (typeof VISIT_IMPORT_FIELDS)[number]

export const VISIT_IMPORT_STATES = ['running', 'done', 'cancelled', 'failed'] as const
/** `waiting`: not looked at yet; `existing`: invited before, by this spreadsheet or an earlier one. */
const VISIT_IMPORT_OUTCOMES = ['waiting', 'invited', 'existing', 'refused'] as const
export type VisitImportOutcome = (typeof VISIT_IMPORT_OUTCOMES)[number]

const refusedRow = z.object({
  /** Line of the spreadsheet, from 1. */
  line: z.number().int(),
  name: masked('name', z.string()),
  /** `column`: its heading; empty for what is about the row as a whole. */
  issues: z.array(z.object({ field: z.string(), column: z.string(), code: z.number().int().nullable(), words: z.string() })),
})

const visitImport = z.object({
  id,
  state: z.enum(VISIT_IMPORT_STATES),
  total: z.number().int(),
  waiting: z.number().int(),
  invited: z.number().int(),
  existing: z.number().int(),
  refused: z.number().int(),
  /** Refused rows, in their order. */
  rows: z.array(refusedRow),
  createdAt: instant,
})
export type VisitImport = z.output<typeof visitImport>

const base = { service: 'visitor', permission: 'visitor.temporary.edit', origin: 'own' } as const

export const visitorImportCalls = {
  template: call({
    ...base,
    method: 'GET',
    path: '/visitor/import/template',
    summary: 'The spreadsheet for inviting many visitors, with headings in the language of the request and an example that is passed over.',
    produces: 'file',
  }),
  create: call({
    ...base,
    method: 'POST',
    path: '/visitor/import',
    // Refusals of rows say whose phone is taken.
    condition: 'unmasked',
    summary:
      'Invites the visitors of a spreadsheet (xlsx, or csv as UTF-8 with BOM: 900107), 500 at most, in the background. A visitor who was ' +
      'invited for that time before, under this name and phone, is not invited again.',
    consumes: 'multipart',
    streams: true,
    bodyLimit: IMPORT_FILE_MAX,
    data: created,
    errors: [900107],
  }),
  read: call({
    ...base,
    method: 'GET',
    path: '/visitor/import',
    summary: 'How far an import is, and the rows that were refused, with why.',
    query: idQuery,
    data: visitImport,
  }),
  cancel: call({
    ...base,
    method: 'PUT',
    path: '/visitor/import/cancel',
    summary: 'Ends an import; visitors who were invited stay invited.',
    body: z.object({ id }),
    data: visitImport,
  }),
}
