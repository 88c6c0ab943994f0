/**
 * Sends jobs to network printers and follows them until they are printed. Jobs are rows, so that they outlive a restart; every node takes
 * due ones. A printer that cannot be reached is tried again after ever longer pauses.
 */
import type { PrintReason } from '@gatehouse/contract/printers/calls'
import { coalesce } from '../../platform/async/coalesce.ts'
import type { Platform } from '../../platform/context.ts'
import { isPassingFault } from '../../platform/passing-fault.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PrintersDependencies } from './dependencies.ts'
import { PrinterFault } from './ipp/fault.ts'
import type { IppPrinter } from './ipp/printer.ts'
import * as data from './jobs-data.ts'
import type { JobRow } from './jobs-data.ts'
import type { Papers } from './papers.ts'
import { OPEN_STATES } from './policy.ts'

export interface Worker {
  start(): void
  /** Interrupt requests to printers; their jobs are gone on with by whichever node starts next. */
  stop(): Promise<void>
  /** Look for due jobs, as after a new one. */
  soon(): void
  /** Cancel a job at the printer, in vain where the printer is away or has printed it. */
  cancelAtPrinter(job: Pick<JobRow, 'id' | 'kind' | 'address' | 'jobNumber'>): void
}

const LOOK_EVERY_MS = 1_000
const AT_ONCE = 10
/** Milliseconds of a claim; longer than the requests of one job take. */
const CLAIM_MS = 3 * 60_000
/** Milliseconds between questions for a job that the printer has. */
const FOLLOW_MS = 2_000
/** Milliseconds between attempts: five seconds at first, then three times as long each time, five minutes at most. */
const PAUSE_MS = 5_000
const PAUSE_MAX_MS = 5 * 60_000
/** Attempts in half an hour, after which nobody waits for a badge any more. */
const ATTEMPTS_MAX = 10
/** Milliseconds for which a printer may keep a job open, out of paper for example. */
const OPEN_MAX_MS = 30 * 60_000

const pauseAfter = (attempts: number): number => Math.min(PAUSE_MS * 3 ** (attempts - 1), PAUSE_MAX_MS)

/** Return the document of a job. @throws PrinterFault where the visit is gone or over */
async function documentOf(
  { badges, papers }: Pick<PrintersDependencies, 'badges'> & { papers: Papers },
  scope: Scope,
  job: JobRow,
  address: string,
): Promise<Buffer> {
  if (job.visitId === null) return papers.testPage(scope, { name: job.printerName, address }, job)
  const visit = await badges.of(scope, job.visitId)
  if (visit === null) throw new PrinterFault('visitGone', 'the visit was deleted', true)
  if (!visit.isValid) throw new PrinterFault('visitOver', 'the visit is over', true)
  return papers.ofVisit(scope, visit, job)
}

type SentJob = Pick<JobRow, 'id' | 'kind' | 'address' | 'jobNumber'>

/** Cancel a job at its printer, as far as the printer has it. */
function cancelJob(printer: IppPrinter, { id, kind, address, jobNumber }: SentJob, signal: AbortSignal, log: Platform['log']): void {
  if (kind !== 'ipp' || address === null || jobNumber === null) return
  printer
    .cancel(address, jobNumber, signal)
    .catch((error: unknown) => log.info({ err: error, printJob: id }, 'not cancelled at the printer'))
}

export function createWorker(
  { db, clock, log }: Pick<Platform, 'db' | 'clock' | 'log'>,
  { badges }: Pick<PrintersDependencies, 'badges'>,
  papers: Papers,
  printer: IppPrinter,
): Worker {
  const stopping = new AbortController()
  const { signal } = stopping
  const cancelAtPrinter = (job: SentJob): void => cancelJob(printer, job, signal, log)
  let timer: NodeJS.Timeout | undefined
  let away = false

  const end = (
    job: JobRow,
    state: 'printed' | 'failed' | 'cancelled',
    reason: PrintReason | null,
    attempts = job.attempts,
  ): Promise<boolean> =>
    data.changeJob({ parkId: job.parkId }, db, job.id, OPEN_STATES, { state, reason, attempts, nextAt: null, endedAt: clock.now() })

  async function print(job: JobRow, address: string): Promise<void> {
    const scope: Scope = { parkId: job.parkId }
    const { takesPdf } = await printer.status(address, signal)
    if (!takesPdf) throw new PrinterFault('noPdf', 'the printer does not take PDF', true)
    const pdf = await documentOf({ badges, papers }, scope, job, address)
    const jobNumber = await printer.print(address, { name: `Gatehouse ${job.id}`, pdf }, signal)
    const now = clock.now()
    const change = { state: 'printing', reason: null, attempts: job.attempts + 1, jobNumber, sentAt: now, nextAt: now + FOLLOW_MS } as const
    if (await data.changeJob(scope, db, job.id, ['waiting'], change)) return
    // It was cancelled while it was being sent.
    cancelAtPrinter({ ...job, jobNumber })
  }

  async function follow(job: JobRow, address: string): Promise<void> {
    const progress = await printer.progress(address, job.jobNumber ?? 0, signal)
    if (progress.state === 'completed') await end(job, 'printed', null)
    else if (progress.state === 'aborted') await end(job, 'failed', 'aborted')
    else if (progress.state === 'cancelled') await end(job, 'cancelled', 'cancelledAtPrinter')
    else await wait(job, progress.reasons[0] ?? null)
  }

  /** Go on following a job that the printer has, or give it up. */
  async function wait(job: JobRow, reason: PrintReason | null): Promise<void> {
    const now = clock.now()
    if (now - (job.sentAt ?? now) > OPEN_MAX_MS) {
      if (await end(job, 'failed', reason ?? 'tooLong')) cancelAtPrinter(job)
      return
    }
    await data.changeJob({ parkId: job.parkId }, db, job.id, ['printing'], { state: 'printing', reason, nextAt: now + FOLLOW_MS })
  }

  async function failed(job: JobRow, { reason, isFinal, message }: PrinterFault): Promise<void> {
    log.warn({ printJob: job.id, printer: job.printerId, reason, detail: message }, 'a printer did not print')
    // What the printer has is not sent again: it prints once the printer is back.
    if (job.state === 'printing') return wait(job, reason)
    const attempts = job.attempts + 1
    if (isFinal || attempts >= ATTEMPTS_MAX) return void (await end(job, 'failed', reason, attempts))
    const change = { state: 'waiting', reason, attempts, nextAt: clock.now() + pauseAfter(attempts) } as const
    await data.changeJob({ parkId: job.parkId }, db, job.id, ['waiting'], change)
  }

  async function attempt(job: JobRow): Promise<void> {
    try {
      if (job.kind !== 'ipp' || job.address === null) throw new PrinterFault('unreachable', 'the printer has no address any more', true)
      await (job.state === 'waiting' ? print(job, job.address) : follow(job, job.address))
    } catch (error) {
      if (error instanceof PrinterFault) await failed(job, error)
      else if (signal.aborted || isPassingFault(error)) await data.unclaimUnscoped(db, job.id)
      else {
        log.error({ err: error, printJob: job.id }, 'a print job ended with a fault')
        await end(job, 'failed', 'fault', job.attempts + 1)
      }
    }
  }

  async function takeDue(): Promise<void> {
    for (;;) {
      const jobs = signal.aborted ? [] : await data.claimUnscoped(db, clock.now(), CLAIM_MS, AT_ONCE)
      await Promise.all(jobs.map(attempt))
      if (jobs.length < AT_ONCE) return
    }
  }

  const looking = coalesce(async () => {
    try {
      await takeDue()
      away = false
    } catch (error) {
      if (!away) log.warn({ err: error }, 'printing waits for the database')
      away = true
    }
  })

  return {
    start() {
      timer = setInterval(looking.soon, LOOK_EVERY_MS)
      looking.soon()
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await looking.stop()
    },
    soon: looking.soon,
    cancelAtPrinter,
  }
}
