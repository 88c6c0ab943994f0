/**
 * Scheduled background jobs. The leading node runs them. The next slot of each is stored in the database, so that a slot is run once
 * whatever nodes exist, and a slot missed while no node ran is made up for. A job re-reads its state and may run twice.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Cron } from 'croner'
import type { JobCounts, JobReason } from '@gatehouse/contract/development/calls'
import type { Database } from '../database/database.ts'
import { coalesce } from '../async/coalesce.ts'
import type { Events } from '../events/events.ts'
import type { Logger } from '../log.ts'
import * as data from './jobs-data.ts'

export type JobOutcome = { outcome: 'success' | 'skipped'; counts?: JobCounts } | { outcome: 'failed'; reason: JobReason }

export interface Job {
  /** `context.verbNoun`. */
  name: string
  /** Cron expression in UTC. */
  schedule: string
  run(): Promise<JobOutcome>
}

export interface Jobs {
  /** Start; resolve after the first check for due jobs. */
  start(): Promise<void>
  /** Start no further jobs, and wait a few seconds for running ones to end. */
  stop(): Promise<void>
}

/**
 * Milliseconds between checks. Each check starts at most one job, so that jobs missed during the night do not all start at once when the
 * machine is switched on.
 */
const LOOK_EVERY_MS = 1_000
/** A run that threw, or was interrupted with its node, is tried again after a minute, three times in all. */
const RETRY_MS = 60_000
const TRIES_MAX = 3
/** Milliseconds; longer than any job that does not work on big tables. Those are interrupted and tried again. */
const STOP_MS = 5_000

export interface JobsOptions {
  db: Database
  jobs: readonly Job[]
  log: Logger
  events: Pick<Events, 'term'>
  /** The schedule to use instead of the job's own. */
  scheduleOf?: ((job: Job) => string) | undefined
}

export function createJobs({ db, jobs, log, events, scheduleOf = ({ schedule }) => schedule }: JobsOptions): Jobs {
  const planned = new Map(jobs.map((job) => [job.name, { job, cron: new Cron(scheduleOf(job), { timezone: 'UTC', mode: '5-part' }) }]))
  const running = new Map<string, Promise<void>>()
  /** Term in which the jobs were planned; null while another node leads. */
  let plannedIn: number | null = null
  let lookedAt = 0
  let timer: NodeJS.Timeout | undefined
  /** The database may be closed from here on. */
  let stopped = false
  let away = false

  function nextAfter(cron: Cron, now: number): number {
    const next = cron.nextRun(new Date(now))
    if (next === null) throw new Error(`the schedule ${cron.getPattern()} has no next moment`)
    return next.getTime()
  }

  async function plan(now: number): Promise<void> {
    const all = [...planned].map(([name, { cron }]) => ({ name, schedule: cron.getPattern()!, next: nextAfter(cron, now) }))
    await data.planJobsUnscoped(db, all)
    await data.retryCutOffUnscoped(db, [...running.keys()], TRIES_MAX, now + RETRY_MS)
  }

  async function run({ name, run: work }: Job, startedAt: number): Promise<void> {
    let output: JobOutcome | { outcome: 'failed'; message: string }
    let hasThrown = false
    try {
      output = await work()
      log[output.outcome === 'failed' ? 'warn' : 'debug']({ job: name, ...output }, 'job ended')
    } catch (error) {
      // Interrupted by the stop: the next node to lead tries it again.
      if (stopped) return log.debug({ err: error, job: name }, 'job cut off')
      log.error({ err: error, job: name }, 'job failed')
      output = { outcome: 'failed', message: error instanceof Error ? error.message : String(error) }
      hasThrown = true
    }
    const now = Date.now()
    await data.endRunUnscoped(db, name, startedAt, output, now, hasThrown ? { at: now + RETRY_MS, triesMax: TRIES_MAX } : undefined)
  }

  async function visit(): Promise<void> {
    const term = events.term()
    // Wall time, not the clock of the platform: schedules follow real time, also where a test sets another time.
    const now = Date.now()
    const isSetBack = now < lookedAt
    lookedAt = now
    if (term === null) {
      plannedIn = null
      return
    }
    if (plannedIn !== term || isSetBack) {
      await plan(now)
      plannedIn = term
    }
    for (const due of await data.listDueUnscoped(db, now)) {
      const one = planned.get(due.name)
      if (one === undefined || running.has(due.name)) continue
      if (!(await data.takeSlotUnscoped(db, due, nextAfter(one.cron, now), now))) continue
      const over = run(one.job, now)
        .catch((error: unknown) => log[stopped ? 'debug' : 'error']({ err: error, job: due.name }, 'how a job ended could not be noted'))
        .finally(() => running.delete(due.name))
      running.set(due.name, over)
      return
    }
  }

  const looking = coalesce(async () => {
    try {
      await visit()
      away = false
    } catch (error) {
      if (!away) log.warn({ err: error }, 'jobs wait for the database')
      away = true
    }
  })

  return {
    async start() {
      timer = setInterval(looking.soon, LOOK_EVERY_MS)
      await looking.now()
    },
    async stop() {
      clearInterval(timer)
      await looking.stop()
      const patience = new AbortController()
      const ended = Promise.all(running.values()).finally(() => patience.abort())
      await Promise.race([ended, delay(STOP_MS, undefined, { signal: patience.signal }).catch(() => {})])
      stopped = true
    },
  }
}
