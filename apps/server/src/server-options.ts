/** The options of a server. */
import type { FacePool } from '@gatehouse/face-engine'
import type { Config } from './config.ts'
import type { Parsing } from './platform/documents/parsing.ts'
import type { Ticks } from './platform/http/minimum-rate.ts'
import type { Job } from './platform/jobs/jobs.ts'
import type { MeasureSpace } from './platform/storage/upload-share.ts'
import type { Clock } from './platform/time/clock.ts'

export interface ServerOptions {
  config: Config
  /** Address of PostgreSQL, which the caller has started. */
  connectionString: string
  clock?: Clock
  /** A pool shared by several servers of one process, as in tests; otherwise the server has its own. */
  facePool?: FacePool
  /** Parser of uploads to use instead of the server's own; the caller stops it. */
  parsing?: Parsing
  /** Most database connections of the pool, besides those with a single purpose; ten by default. */
  connections?: number
  /** Return the schedule of a background job, as a cron expression in UTC; by default the job's own. */
  scheduleOf?(job: Job): string
  /** Stop the process and start it again, at an administrator's request. */
  onRestart?(): void
  /** Timer by which slow request bodies are measured; real seconds by default. */
  ticks?: Ticks | undefined
  /** Measures free disk space; the real space by default. */
  space?: MeasureSpace | undefined
  /** Report progress of the start. */
  onStep?(step: string): void
}
