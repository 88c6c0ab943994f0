/**
 * Buffer of reads of personal data for the log: collected for half a second and written together, so that recording one costs a list
 * nothing. While the database is away they wait, up to a limit. Beyond it reading is not refused, and the server's log states how many
 * reads were not recorded.
 */
import type { InsertObject } from 'kysely'
import { coalesce } from '../async/coalesce.ts'
import type { Tables } from '../database/tables.ts'
import { isPassingFault } from '../passing-fault.ts'
import type { Database } from '../database/database.ts'

type ReadRow = InsertObject<Tables, 'readLog'>

/** Milliseconds for which reads are collected; a crash loses no more than these. */
const EVERY_MS = 500
/** Rows of one statement, which takes 65,535 values at most. */
const AT_ONCE = 1000
/** Most rows that wait, a few megabytes: some minutes of a very busy installation. */
export const READS_WAITING_MAX = 20_000
/** Milliseconds before the next try after a failure. */
const RETRY_MS = 5000

export interface ReadBuffer {
  add(row: ReadRow): void
  /** Resolve when the rows added so far are written, or cannot be for now. */
  settled(): Promise<void>
  /** Write the waiting rows; those that cannot be written are lost, and their number is reported. */
  stop(): Promise<void>
}

export function createReadBuffer(db: Database, onFault: (error: unknown) => void): ReadBuffer {
  let waiting: ReadRow[] = []
  let dropped = 0
  let timer: ReturnType<typeof setTimeout> | null = null

  const later = (pause: number): void => void (timer ??= setTimeout(() => void flush(), pause))

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, AT_ONCE)
      try {
        await db.insertInto('readLog').values(rows).execute()
      } catch (error) {
        if (isPassingFault(error)) throw error
        // These rows would fail every time; those behind them must not wait for ever.
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

  const { now: flush } = coalesce(async () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    try {
      await write()
    } catch (error) {
      onFault(error)
      later(RETRY_MS)
    }
  })

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
