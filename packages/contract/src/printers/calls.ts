/** Printers of a park, and what is printed on them: badges and slips of visitors (module M08). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked } from '../masking.ts'
import { abilities, changeOf, created, id, idQuery, instant, pageData, pageQuery, queryList } from '../schema.ts'
import { rule } from '../validation.ts'
import { changesByItself } from '../wire-names.ts'
import { printerAddress } from './address.ts'

const call = callsOf('printers')

const NAME_MAX = 32
const SERIAL_NUMBER_MAX = 64
const KEY_MAX = 64

/** `ipp`: the server sends jobs to an address; `browser`: the print dialog of whoever prints. */
export const printerKind = z.enum(['ipp', 'browser'])
export type PrinterKind = z.output<typeof printerKind>

/** `badge`: a label of 62 × 100 mm; `slip`: a roll of 80 mm. */
export const printMedia = z.enum(['badge', 'slip'])
export type PrintMedia = z.output<typeof printMedia>

/** `printing`: the printer has the job. A job for the print dialog is `printed` at once: what the browser does with it is unknown. */
export const printJobState = z.enum(['waiting', 'printing', 'printed', 'failed', 'cancelled'])
export type PrintJobState = z.output<typeof printJobState>

/** Why a printer does not print, in words of its protocol or of the connection to it. */
export const printReason = z.enum([
  'unreachable',
  'certificate',
  'addressRefused',
  'wrongAnswer',
  'refused',
  'busy',
  'noPdf',
  'mediaEmpty',
  'mediaJam',
  'coverOpen',
  'supplyEmpty',
  'paused',
  'offline',
  'attention',
  'aborted',
  'cancelledAtPrinter',
  'tooLong',
  'visitGone',
  'visitOver',
  'fault',
])
export type PrintReason = z.output<typeof printReason>

const printerFields = z.object({
  /** Unique within the park. */
  name: z.string().trim().min(1).max(NAME_MAX),
  serialNumber: z.string().trim().max(SERIAL_NUMBER_MAX).default(''),
  kind: printerKind.default('browser'),
  /** Of an `ipp` printer, for which it is required. */
  address: printerAddress.nullable().default(null),
  /** What it prints unless a job names something else. */
  media: printMedia.default('badge'),
})
/** The address that an `ipp` printer lacks. */
export const ADDRESS_REQUIRED = { ...rule('required'), path: ['address'] }

/** A printer as those who print choose it; its address is of no concern to them. */
export const printerChoice = z.object({ id, name: z.string(), serialNumber: z.string(), kind: printerKind, media: printMedia })
export type PrinterChoice = z.output<typeof printerChoice>

export const printer = printerChoice.extend({
  address: z.string().nullable(),
  can: abilities('change', 'delete', 'test'),
  version: z.number().int(),
  updatedAt: instant,
})
export type Printer = z.output<typeof printer>

export const printJob = z.object({
  id,
  printerId: id,
  printerName: z.string(),
  kind: printerKind,
  /** Null for a test page. */
  visitId: id.nullable(),
  /** Empty for a test page, and for a visit that was deleted. */
  visitName: masked('name', z.string()),
  media: printMedia,
  state: printJobState,
  /** Why the last attempt failed, or why the printer does not go on. */
  reason: printReason.nullable(),
  attempts: z.number().int(),
  /** When the next attempt is made; null where none is. */
  nextAttemptAt: instant.nullable(),
  createdAt: instant,
  endedAt: instant.nullable(),
  requestedBy: z.string(),
  can: abilities('retry', 'cancel', 'open'),
})
export type PrintJob = z.output<typeof printJob>

/** State of a printer as it says itself. */
export const printerStatus = z.object({
  state: changesByItself(z.enum(['ready', 'printing', 'stopped', 'unreachable'])),
  reasons: changesByItself(z.array(printReason)),
  /** Make and model; empty where the printer does not say. */
  model: changesByItself(z.string()),
})
export type PrinterStatus = z.output<typeof printerStatus>

/** Text of the client that is the same for each repetition of a request: a repeated one returns the job of the first. */
const key = z.string().trim().min(1).max(KEY_MAX).nullish()
const requested = created.extend({ state: printJobState, kind: printerKind })

const settings = { service: 'biz', permission: 'system.base', path: '/printer' } as const
const printing = { service: 'biz', permission: 'visitor.report' } as const

const read = call({ ...settings, method: 'GET', origin: 'own', summary: 'One printer.', query: idQuery, data: printer })

export const printerCalls = {
  create: call({
    ...settings,
    method: 'POST',
    summary: 'Adds a printer.',
    body: printerFields.refine(({ kind, address }) => kind !== 'ipp' || address !== null, ADDRESS_REQUIRED),
    data: created,
    errors: [900004],
  }),
  read,
  change: call({
    ...settings,
    method: 'PUT',
    origin: 'own',
    summary: 'Changes a printer; what is left out stays as it was. Waiting jobs go to its new address.',
    record: read,
    body: changeOf(printerFields).extend({ id, version: z.number().int().optional() }),
    data: created,
    errors: [900004],
  }),
  delete: call({
    ...settings,
    method: 'DELETE',
    origin: 'own',
    summary: 'Deletes a printer with its jobs.',
    query: idQuery,
    body: z.object({}).optional(),
    data: created,
  }),
  settings: call({
    ...settings,
    method: 'GET',
    path: '/printer/settings/list',
    origin: 'own',
    summary: 'Printers of the current park with their addresses, by name.',
    query: pageQuery.extend({ name: z.string().max(NAME_MAX).optional() }),
    data: pageData(printer),
  }),
  status: call({
    ...settings,
    method: 'GET',
    path: '/printer/status',
    origin: 'own',
    summary: 'Asks a network printer for its state.',
    query: idQuery,
    data: printerStatus,
  }),
  test: call({
    ...settings,
    method: 'POST',
    path: '/printer/test',
    origin: 'own',
    summary: 'Prints a test page on a network printer.',
    body: z.object({ printerId: id, key }),
    data: requested,
  }),
  list: call({
    ...printing,
    method: 'GET',
    path: '/printer/list',
    summary: 'Printers of the current park to choose from, by name.',
    query: pageQuery,
    data: pageData(printerChoice),
  }),
  print: call({
    ...printing,
    method: 'POST',
    path: '/printer/print',
    summary: 'Prints the badge or slip of a visit. On a `browser` printer the answer names the job whose file the browser prints.',
    body: z.object({ printerId: id, visitId: id, media: printMedia.nullish(), key }),
    data: requested,
    errors: [200401, 200420],
  }),
  jobs: call({
    ...printing,
    method: 'GET',
    path: '/printer/job/list',
    origin: 'own',
    summary: 'Print jobs of the last 30 days, the newest first.',
    query: pageQuery.extend({ printerId: id.optional(), state: queryList(printJobState) }),
    data: pageData(printJob),
  }),
  file: call({
    ...printing,
    method: 'GET',
    path: '/printer/job/file',
    origin: 'own',
    summary: 'The PDF of a job of a `browser` printer.',
    query: idQuery,
    produces: 'file',
    readsPersonal: true,
    errors: [200401, 200420],
  }),
  retry: call({
    ...printing,
    method: 'PUT',
    path: '/printer/job/retry',
    origin: 'own',
    summary: 'Tries a failed or cancelled job again.',
    body: z.object({ id }),
    data: created,
    statuses: [409],
  }),
  cancel: call({
    ...printing,
    method: 'PUT',
    path: '/printer/job/cancel',
    origin: 'own',
    summary: 'Cancels a job that is not printed; one that the printer has is cancelled there too, if the printer allows it.',
    body: z.object({ id }),
    data: created,
    statuses: [409],
  }),
}
