/** Print jobs as users see them: requested, listed, tried again, cancelled, opened. */
import type { DataOf, Language, OutputOf } from '@gatehouse/contract'
import type { PrintJob, printerCalls } from '@gatehouse/contract/printers/calls'
import type { FileAnswer, Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Paging } from '../../platform/database/page.ts'
import { Conflict, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { VisitBadge } from '../visitors/index.ts'
import type { PrintersDependencies } from './dependencies.ts'
import * as data from './jobs-data.ts'
import type { Papers } from './papers.ts'
import { jobAbilities, OPEN_STATES, RETRIED_STATES } from './policy.ts'
import { findPrinter, type PrinterRow } from './printers-data.ts'
import type { Worker } from './worker.ts'

type Calls = typeof printerCalls
type Requested = DataOf<Calls['print']>

/** Who prints, and in which language. */
export interface PrintCaller {
  session: Pick<Session, 'userId' | 'operator' | 'masking'>
  language: Language
}

export interface PrintJobs {
  /** @throws NotFound for the printer; Refusal 200401, 200420 */
  print(scope: Scope, request: OutputOf<Calls['print']['body']>, caller: PrintCaller): Promise<Requested>
  /** @throws NotFound, also for a printer of the browser */
  test(scope: Scope, request: OutputOf<Calls['test']['body']>, caller: PrintCaller): Promise<Requested>
  list(scope: Scope, query: data.JobFilter & Paging): Promise<DataOf<Calls['jobs']>>
  /** Return the document of a job of the browser. @param read records who was shown. @throws NotFound; Refusal 200401, 200420 */
  file(scope: Scope, id: string, caller: PrintCaller, read: (visitId: string) => void): Promise<FileAnswer>
  /** @throws NotFound; Conflict where the job is not over, or of the browser */
  retry(scope: Scope, id: string): Promise<void>
  /** @throws NotFound; Conflict where the job is over */
  cancel(scope: Scope, id: string): Promise<void>
}

export function createPrintJobs(
  platform: Platform,
  { badges }: Pick<PrintersDependencies, 'badges'>,
  papers: Papers,
  worker: Pick<Worker, 'soon' | 'cancelAtPrinter'>,
): PrintJobs {
  const { db, clock, audit } = platform

  async function printerOf(scope: Scope, id: string): Promise<PrinterRow> {
    const printer = await findPrinter(scope, db, id)
    if (printer === undefined) throw new NotFound()
    return printer
  }
  async function jobOf(scope: Scope, id: string): Promise<data.JobRow> {
    const job = await data.findJob(scope, db, id)
    if (job === undefined) throw new NotFound()
    return job
  }
  /** @throws Refusal 200401, 200420 */
  async function visitOf(scope: Scope, visitId: string, field: string): Promise<VisitBadge> {
    const visit = (await badges.of(scope, visitId)) ?? refuse(200401, field)
    return visit.isValid ? visit : refuse(200420, field)
  }

  async function request(
    scope: Scope,
    printer: PrinterRow,
    job: Pick<data.NewJob, 'visitId' | 'media' | 'clientKey'>,
    { session, language }: PrintCaller,
  ): Promise<Requested> {
    const id = newId()
    const state = printer.kind === 'ipp' ? 'waiting' : 'printed'
    const row = { ...job, id, printerId: printer.id, language, masked: session.masking, state, userId: session.userId } as const
    const isNew = await platform.transaction(async (tx) => {
      if (!(await data.insertJob(scope, tx, { ...row, requestedBy: session.operator }, clock.now()))) return false
      audit.note({ entity: 'printJob', id, label: printer.name, after: { printer: printer.name, media: job.media, visitId: job.visitId } })
      return true
    })
    worker.soon()
    if (isNew || job.clientKey === null) return { id, state, kind: printer.kind }
    const existing = await data.findJobOfKey(scope, db, session.userId, job.clientKey)
    // Its printer was deleted between the two statements.
    if (existing === undefined) throw new NotFound()
    return { id: existing.id, state: existing.state, kind: existing.kind }
  }

  async function shown(scope: Scope, rows: readonly data.JobRow[]): Promise<PrintJob[]> {
    const visitIds = [...new Set(rows.flatMap(({ visitId }) => visitId ?? []))]
    const nameOf = new Map((await badges.names(scope, visitIds)).map(({ id, name }) => [id, name]))
    return rows.map((row) => ({
      id: row.id,
      printerId: row.printerId,
      printerName: row.printerName,
      kind: row.kind,
      visitId: row.visitId,
      visitName: nameOf.get(row.visitId ?? '') ?? '',
      media: row.media,
      state: row.state,
      reason: row.reason,
      attempts: row.attempts,
      nextAttemptAt: row.state === 'waiting' ? row.nextAt : null,
      createdAt: row.createdAt,
      endedAt: row.endedAt,
      requestedBy: row.requestedBy,
      can: jobAbilities(row),
    }))
  }

  return {
    async print(scope, { printerId, visitId, media, key }, caller) {
      const printer = await printerOf(scope, printerId)
      await visitOf(scope, visitId, 'visitId')
      return request(scope, printer, { visitId, media: media ?? printer.media, clientKey: key ?? null }, caller)
    },
    async test(scope, { printerId, key }, caller) {
      const printer = await printerOf(scope, printerId)
      if (printer.kind !== 'ipp') throw new NotFound()
      return request(scope, printer, { visitId: null, media: printer.media, clientKey: key ?? null }, caller)
    },
    async list(scope, query) {
      const { content, total } = await data.listJobs(scope, db, query)
      return { total, content: await shown(scope, content), page: query.page, size: query.size }
    },
    async file(scope, id, { session, language }, read) {
      const job = await jobOf(scope, id)
      if (!jobAbilities(job).open) throw new NotFound()
      const visit = await visitOf(scope, job.visitId!, 'id')
      const bytes = await papers.ofVisit(scope, visit, { ...job, masked: job.masked || session.masking })
      read(visit.visitId)
      return { bytes, contentType: 'application/pdf', filename: `${fileTexts(language).badges.file}.pdf`, noted: true }
    },
    async retry(scope, id) {
      const job = await jobOf(scope, id)
      const change = {
        state: 'waiting',
        reason: null,
        attempts: 0,
        nextAt: clock.now(),
        sentAt: null,
        jobNumber: null,
        endedAt: null,
      } as const
      await platform.transaction(async (tx) => {
        if (!jobAbilities(job).retry || !(await data.changeJob(scope, tx, id, RETRIED_STATES, change))) throw new Conflict(['state'])
        audit.note({ entity: 'printJob', id, label: job.printerName, before: { state: job.state }, after: { state: 'waiting' } })
      })
      worker.soon()
    },
    async cancel(scope, id) {
      const job = await jobOf(scope, id)
      const change = { state: 'cancelled', reason: null, nextAt: null, endedAt: clock.now() } as const
      await platform.transaction(async (tx) => {
        if (!(await data.changeJob(scope, tx, id, OPEN_STATES, change))) throw new Conflict(['state'])
        audit.note({ entity: 'printJob', id, label: job.printerName, before: { state: job.state }, after: { state: 'cancelled' } })
      })
      worker.cancelAtPrinter(job)
    },
  }
}
