/**
 * Reads of personal data on their way to the log: collected for half a second and written together, so that noting one
 * costs a list nothing. While the database does not take them they wait, so many and no more: whoever reads then is not
 * refused, and how many reads went unnoted is told in the server's log.
 */
import { isDatabaseFault } from '../database/database-fault.ts'
import type { Database } from '../database/database.ts'
import type { AuditTables } from './migration.ts'

type ReadRow = AuditTables['read_log']

/** Reads are collected so long; a crash loses no more than these. */
const EVERY_MS = 500
/** Rows of one statement: it takes 65,535 values at most. */
const AT_ONCE = 1000
/** Rows that wait, a few megabytes: some minutes of a very busy installation. */
export const READS_WAITING_MAX = 20_000
/** After a failure it is tried again so much later. */
const RETRY_MS = 5000

export interface ReadBuffer {
  add(row: ReadRow): void
  /** Resolves when what was added so far is written, or cannot be for now. */
  settled(): Promise<void>
  /** Writes what waits; what cannot be written then is lost, and said. */
  stop(): Promise<void>
}

export function createReadBuffer(db: Database<AuditTables>, onFault: (error: unknown) => void): ReadBuffer {
  let waiting: ReadRow[] = []
  let dropped = 0
  let timer: ReturnType<typeof setTimeout> | null = null
  let flushing: Promise<void> = Promise.resolve()

  const later = (pause: number): void => void (timer ??= setTimeout(() => void flush(), pause))

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, AT_ONCE)
      try {
        await db.insertInto('read_log').values(rows).execute()
      } catch (error) {
        if (isDatabaseFault(error)) throw error
        // These would never be taken; those behind them must not wait for ever.
        onFault(error)
        dropped += rows.length
      }
      waiting = waiting.slice(rows.length)
    }
    if (dropped > 0) {
      onFault(new Error(`${dropped} reads were not noted`))
      dropped = 0
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    flushing = flushing.then(write).catch((error: unknown) => {
      onFault(error)
      later(RETRY_MS)
    })
    return flushing
  }

  return {
    add(row) {
      if (waiting.length >= READS_WAITING_MAX) dropped++
      else waiting.push(row)
      later(EVERY_MS)
    },
    settled: flush,
    async stop() {
      await flush()
      if (timer !== null) clearTimeout(timer)
      if (waiting.length + dropped > 0) onFault(new Error(`${waiting.length + dropped} reads were not noted`))
    },
  }
}
