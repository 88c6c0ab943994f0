/** Measurements of the platform's own parts, taken on request: database, event numbering, background jobs, long work, disk. */
import { statfs } from 'node:fs/promises'
import { JOB_COUNTS, JOB_REASONS, type JobCounts, type ServiceJob } from '@gatehouse/contract/development/calls'
import { sql, type Database } from './database/database.ts'

export interface DatabaseVitals {
  /** Milliseconds that an empty query takes. */
  latency: number
  /** Bytes. */
  size: number
  connections: number
  connectionsMax: number
}

export interface EventVitals {
  head: number
  /** Committed and not yet numbered. */
  waiting: number
  /** Milliseconds that the oldest of them has waited; null where there is none. */
  oldestMs: number | null
  /** Events skipped in the last day because a handler kept failing. */
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
  /** Return the jobs by name; empty before they were started for the first time. */
  jobs(): Promise<ServiceJob[]>
  work(): Promise<WorkVitals>
  /** Return the bytes of the disk of the data folder, and the number of registered files. */
  storage(): Promise<{ free: number; total: number; files: number }>
}

const one = async <Row>(query: { execute(db: Database): Promise<{ rows: Row[] }> }, db: Database): Promise<Row> =>
  (await query.execute(db)).rows[0]!

interface JobRow {
  name: string
  /** Result of the last run, or the error it threw; possibly written by another version of the program. */
  output: { outcome?: string; counts?: JobCounts; reason?: string; message?: string } | null
  endedAt: number | null
}

function jobOf({ name, output, endedAt }: JobRow): ServiceJob {
  const reported = output?.outcome
  const outcome = endedAt === null ? null : reported === 'failed' || reported === 'skipped' ? reported : 'success'
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

export function createVitals(db: Database, dataDir: string): Vitals {
  return {
    async database() {
      const startedAt = performance.now()
      await sql`SELECT 1`.execute(db)
      const latency = performance.now() - startedAt
      const counted = await one<{ size: number; connections: number; connectionsMax: number }>(
        sql`SELECT pg_database_size(current_database()) AS size,
          (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
          current_setting('max_connections')::bigint AS "connectionsMax"`,
        db,
      )
      return { latency: Math.round(latency * 10) / 10, ...counted }
    },
    events: () =>
      one<EventVitals>(
        sql`SELECT (SELECT seq FROM outbox_head) AS head, count(*) AS waiting,
          (extract(epoch FROM now() - min(created_at)) * 1000)::bigint AS "oldestMs",
          (SELECT count(*) FROM event_failure WHERE created_at > now() - interval '1 day') AS failed
          FROM outbox WHERE seq IS NULL`,
        db,
      ),
    async jobs() {
      const { rows } = await sql<JobRow>`SELECT name, output, ended_at AS "endedAt" FROM scheduled_job ORDER BY name`.execute(db)
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
