/** Background jobs on pg-boss. A job re-reads its state, may run twice, and says what came of it. */
import { PgBoss } from 'pg-boss'
import type { JobCounts, JobReason } from '@gatehouse/contract/development/calls'
import type { Logger } from '../log.ts'

export type JobOutcome = { outcome: 'success' | 'skipped'; counts?: JobCounts } | { outcome: 'failed'; reason: JobReason }

export interface Job {
  /** `context.verbNoun`. */
  name: string
  /** Cron expression in UTC. */
  schedule: string
  run(): Promise<JobOutcome>
}

export interface Jobs {
  stop(): Promise<void>
}

/** Starts all jobs; one that fails is tried again by its schedule, which is its own unless `scheduleOf` tells another. */
export async function startJobs(
  connectionString: string,
  jobs: readonly Job[],
  log: Logger,
  scheduleOf = ({ schedule }: Job): string => schedule,
): Promise<Jobs> {
  const boss = new PgBoss({ connectionString, schema: 'jobs', max: 2 })
  let stopping = false
  // A worker that was asking for work while it is stopped complains of the closed database.
  boss.on('error', (error) => log[stopping ? 'debug' : 'error']({ err: error }, 'jobs'))
  await boss.start()
  for (const job of jobs) {
    await boss.createQueue(job.name)
    await boss.work(job.name, async () => {
      const result = await job.run()
      log[result.outcome === 'failed' ? 'warn' : 'debug']({ job: job.name, ...result }, 'job ended')
      return result
    })
    await boss.schedule(job.name, scheduleOf(job))
  }
  return {
    stop() {
      stopping = true
      return boss.stop({ graceful: false })
    },
  }
}
