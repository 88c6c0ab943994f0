/** The operation log and the log of reads (module M04). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { LOG_KEPT_MONTHS } from '../limits.ts'
import { searches } from '../masking.ts'
import { changeOf, id, idParams, instant, pageData, pageQuery, queryNumber } from '../schema.ts'
import { LOG_MODULES } from './modules.ts'

const call = callsOf('audit')

export const logSource = z.enum(['local', 'thirdParty'])

/** Window of time and cursor of all logs: by default the last 7 days, at most 366 days. */
const logWindow = pageQuery.extend({
  startTime: queryNumber.pipe(instant).optional(),
  endTime: queryNumber.pipe(instant).optional(),
  after: z.string().max(200).optional(),
  /** Part of the account's name. */
  account: z.string().max(64).optional(),
  source: logSource.optional(),
  /** Entries of all parks, for administrators and operators at the root; else those of the current park. */
  all: z.union([z.boolean(), z.stringbool()]).optional(),
})

export const operationQuery = logWindow.extend({
  /** Part of the operator's name. */
  operator: searches('name', z.string().max(64)).optional(),
  module: z.enum(LOG_MODULES).optional(),
  /** Part of the name of a record that the call created, changed or deleted. */
  subject: searches('name', z.string().max(64)).optional(),
})

/** Identifier of a subject: its id, or a name for something that exists only once, such as a setting. */
const subjectId = z.string().min(1)

export const readQuery = logWindow.extend({
  /** Id of a person, user or record: entries of all users who saw it. */
  subject: subjectId.max(64).optional(),
})

/** Fields of every entry about its user. The server masks names for users who may not see them in full. */
const actor = {
  id,
  time: instant,
  account: z.string(),
  operator: z.string(),
  /** `local` the console, `thirdParty` an API user. */
  source: logSource,
  method: z.string(),
  /** Address of the call, with the names of its parameters: the key of its text. */
  url: z.string(),
  ip: z.string(),
  areaName: z.string(),
}

/** A record that a call created, changed or deleted. */
export const operationSubject = z.object({
  /** Kind of record, such as `person` or `role`. */
  entity: z.string(),
  id: subjectId,
  /** Name of the record; empty where the name was erased. */
  label: z.string(),
})

export type OperationSubject = z.output<typeof operationSubject>

export const operationEntry = z.object({
  ...actor,
  module: z.enum(LOG_MODULES),
  /** What was done, and to what, in the language of the request: "Changed a device: Gate". */
  content: z.string(),
  /** The first subjects; `subjectCount` is the number of all. */
  subjects: z.array(operationSubject),
  subjectCount: z.number().int(),
})
export type OperationEntry = z.output<typeof operationEntry>

export const fieldDifference = z.object({
  /** Name of the field in the call; parts of a document are separated by dots. */
  field: z.string(),
  /** Value before the change; null: the field had no value. */
  before: z.unknown(),
  after: z.unknown(),
})
export type FieldDifference = z.output<typeof fieldDifference>

export const operationDetail = operationEntry.omit({ subjects: true }).extend({
  changes: z.array(
    operationSubject.extend({
      kind: z.enum(['created', 'changed', 'deleted', 'touched']),
      fields: z.array(fieldDifference),
      /** The stored values are not those that were written: the database was changed by hand. */
      unreadable: z.boolean().optional(),
    }),
  ),
})
export type OperationDetail = z.output<typeof operationDetail>

export const readEntry = z.object({
  ...actor,
  /** The first subjects that were seen; `name` is null if it is not stored here any more. */
  subjects: z.array(z.object({ id: subjectId, name: z.string().nullable() })),
  subjectCount: z.number().int(),
  /** Number of persons that were sent to a device, which is then the subject; null: the subjects are the persons who were seen. */
  persons: z.number().int().nullable(),
  /** What the user said that it was for, where the call asks for it; null also where somebody it was about was erased. */
  reason: z.string().nullable(),
})
export type ReadEntry = z.output<typeof readEntry>

export const logRetention = z.object({ months: z.number().int().min(1).max(120).default(LOG_KEPT_MONTHS) })

export const auditCalls = {
  operations: call({
    method: 'GET',
    service: 'biz',
    path: '/log/data',
    permission: 'system.log',
    summary: 'Who changed what, newest first.',
    query: operationQuery,
    data: pageData(operationEntry),
    errors: [100510, 900007],
  }),
  operation: call({
    method: 'GET',
    service: 'biz',
    path: '/log/data/{id}',
    permission: 'system.log',
    summary: 'One entry with the fields before and after.',
    params: idParams,
    data: operationDetail,
    origin: 'own',
  }),
  reads: call({
    method: 'GET',
    service: 'biz',
    path: '/log/read/data',
    permission: 'system.log',
    summary: 'Who was shown personal data of whom, newest first.',
    query: readQuery,
    data: pageData(readEntry),
    errors: [100510, 900007],
    origin: 'own',
  }),
  retention: call({
    method: 'GET',
    service: 'biz',
    path: '/log/retention',
    permission: 'system.log',
    summary: 'How many months entries are kept.',
    data: logRetention.extend({ version: z.number().int() }),
    origin: 'own',
  }),
  changeRetention: call({
    method: 'PUT',
    service: 'biz',
    path: '/log/retention',
    permission: 'installation',
    besides: ['system.log'],
    freshPassword: true,
    summary: 'Sets how many months entries are kept; older ones are deleted within a day.',
    body: changeOf(logRetention).extend({ version: z.number().int().optional() }),
    origin: 'own',
  }),
}
