/** How the platform's own parts are, measured when asked: database, event numbering, background jobs, long work, disk. */
import { statfs } from 'node:fs/promises'
import { JOB_COUNTS, JOB_REASONS, type JobCounts, type ServiceJob } from '@gatehouse/contract/development/calls'
import { sql, type AnyDatabase } from './database/database.ts'

export interface DatabaseVitals {
  /** Milliseconds a question without work takes. */
  latency: number
  /** Bytes. */
  size: number
  connections: number
  connectionsMax: number
}

export interface EventVitals {
  head: number
  /** Committed and not numbered. */
  waiting: number
  /** Milliseconds the oldest of them waits; null where none does. */
  oldestMs: number | null
  /** Left behind by a handler that kept failing, in the last day. */
  failed: number
}

export interface WorkVitals {
  waiting: number
  running: number
  /** In the last day. */
  failed: number
}

export interface Vitals {
  database(): Promise<DatabaseVitals>
  events(): Promise<EventVitals>
  /** By name; empty before the jobs were started for the first time. */
  jobs(): Promise<ServiceJob[]>
  work(): Promise<WorkVitals>
  /** Bytes of the disk the data folder lies on, and files known. */
  storage(): Promise<{ free: number; total: number; files: number }>
}

const one = async <Row>(query: { execute(db: AnyDatabase): Promise<{ rows: Row[] }> }, db: AnyDatabase): Promise<Row> =>
  (await query.execute(db)).rows[0]!

interface JobRow {
  name: string
  state: string | null
  /** What the job answered, or the error it threw. Runs of another version of the program are among them. */
  output: { outcome?: string; counts?: JobCounts; reason?: string; message?: string } | null
  endedAt: number | null
}

/** A run that threw has failed; one that answered says so itself. */
function jobOf({ name, state, output, endedAt }: JobRow): ServiceJob {
  const said = output?.outcome
  const outcome = state === null ? null : state === 'failed' ? 'failed' : said === 'failed' || said === 'skipped' ? said : 'success'
  const counts = JOB_COUNTS.flatMap((count) => (output?.counts?.[count] === undefined ? [] : [[count, output.counts[count]] as const]))
  return {
    name,
    lastRunAt: endedAt,
    outcome,
    counts: Object.fromEntries(counts),
    reason: JOB_REASONS.find((reason) => reason === output?.reason) ?? null,
    error: (output?.message ?? '').slice(0, 200),
  }
}

export function createVitals(db: AnyDatabase, dataDir: string): Vitals {
  return {
    async database() {
      const begun = performance.now()
      await sql`SELECT 1`.execute(db)
      const latency = performance.now() - begun
      const counted = await one<{ size: number; connections: number; connectionsMax: number }>(
        sql`SELECT pg_database_size(current_database()) AS size, (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
          current_setting('max_connections')::bigint AS "connectionsMax"`,
        db,
      )
      return { latency: Math.round(latency * 10) / 10, ...counted }
    },
    events: () =>
      one<EventVitals>(
        sql`SELECT (SELECT seq FROM outbox_head) AS head, count(*) AS waiting, (extract(epoch FROM now() - min(created_at)) * 1000)::bigint AS "oldestMs",
          (SELECT count(*) FROM event_failure WHERE created_at > now() - interval '1 day') AS failed
          FROM outbox WHERE seq IS NULL`,
        db,
      ),
    async jobs() {
      const { there } = await one<{ there: boolean }>(
        sql`SELECT to_regclass('jobs.schedule') IS NOT NULL AND to_regclass('jobs.job') IS NOT NULL AS there`,
        db,
      )
      if (!there) return []
      const { rows } =
        await sql<JobRow>`SELECT schedule.name, last.state, last.output, (extract(epoch FROM last.completed_on) * 1000)::bigint AS "endedAt"
        FROM jobs.schedule AS schedule LEFT JOIN LATERAL (
          SELECT state::text AS state, output, completed_on FROM jobs.job WHERE job.name = schedule.name AND completed_on IS NOT NULL ORDER BY completed_on DESC LIMIT 1) AS last ON true
        ORDER BY schedule.name`.execute(db)
      return rows.map(jobOf)
    },
    work: () =>
      one<WorkVitals>(
        sql`SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'running') AS running,
          count(*) FILTER (WHERE state = 'failed' AND ended_at > now() - interval '1 day') AS failed FROM work`,
        db,
      ),
    async storage() {
      const [{ bsize, bavail, blocks }, { files }] = await Promise.all([
        statfs(dataDir),
        one<{ files: number }>(sql`SELECT count(*) AS files FROM file`, db),
      ])
      return { free: bsize * bavail, total: bsize * blocks, files }
    },
  }
}
