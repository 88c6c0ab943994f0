/** Months of the record table, created when the first record of one arrives: devices send late, and their clocks may be wrong. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Platform } from '../../platform/context.ts'
import { isLockTimeout, sql } from '../../platform/database/database.ts'

export interface Partitions {
  /** Resolves when a record of each of these moments can be inserted, unless its month is dropped meanwhile. */
  ensure(moments: readonly number[]): Promise<void>
  /** Whether `ensure` has nothing to do for these moments. */
  isReady(moments: readonly number[]): boolean
  /** Forget which months exist, since one may have been dropped. */
  forget(): void
}

/** Whether an insert found no month for its row (SQLSTATE check_violation: the table has no other check). */
export const isPartitionMissing = (error: unknown): boolean => (error as { code?: string }).code === '23514'

/** Advisory lock under which nodes that find the same month missing create it one after the other. */
export const PARTITIONS_LOCK = 7_140_062
const ATTEMPTS = 5

/** The first moment for which no partition is created: PostgreSQL and JavaScript write years beyond 9999 differently. */
export const PARTITIONS_END = Date.UTC(10_000, 0)

/** `[from, to)` of the month a moment falls in, UTC, and its name. */
function monthOf(moment: number): { name: string; from: number; to: number } {
  const date = new Date(moment)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  return {
    name: `access_record_${String(year).padStart(4, '0')}_${String(month + 1).padStart(2, '0')}`,
    from: Date.UTC(year, month),
    to: Date.UTC(year, month + 1),
  }
}

export function createPartitions(platform: Platform): Partitions {
  const made = new Map<string, Promise<void>>()
  const ready = new Set<string>()

  async function make({ name, from, to }: ReturnType<typeof monthOf>): Promise<void> {
    await platform.transaction(async (tx) => {
      await sql`SET LOCAL lock_timeout = '3s'`.execute(tx)
      await sql`SELECT pg_advisory_xact_lock(${PARTITIONS_LOCK})`.execute(tx)
      const { rows } = await sql`SELECT 1 FROM pg_inherits WHERE inhrelid = to_regclass(${name})`.execute(tx)
      if (rows.length > 0) return
      // Attaching a finished table lets reads and inserts of other months go on; CREATE … PARTITION OF would stop them all.
      await sql`CREATE TABLE ${sql.table(name)} (LIKE access_record INCLUDING ALL)`.execute(tx)
      await sql`ALTER TABLE access_record ATTACH PARTITION ${sql.table(name)}
        FOR VALUES FROM (to_timestamp(${sql.lit(from / 1000)})) TO (to_timestamp(${sql.lit(to / 1000)}))`.execute(tx)
    })
  }

  /** Retries, since a vacuum or an index build may lock the table for longer than the lock timeout. */
  async function makeWithRetry(month: ReturnType<typeof monthOf>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await make(month)
      } catch (error) {
        if (!isLockTimeout(error) || attempt === ATTEMPTS) throw error
        await delay(100 * attempt)
      }
    }
  }

  function ensure(month: ReturnType<typeof monthOf>): Promise<void> {
    let making = made.get(month.name)
    if (making === undefined) {
      making = makeWithRetry(month).then(() => void ready.add(month.name))
      making.catch(() => made.delete(month.name))
      made.set(month.name, making)
    }
    return making
  }

  return {
    async ensure(moments) {
      const months = new Map(moments.map((moment) => monthOf(moment)).map((month) => [month.name, month]))
      for (const month of months.values()) await ensure(month)
    },
    isReady: (moments) => moments.every((moment) => ready.has(monthOf(moment).name)),
    forget() {
      made.clear()
      ready.clear()
    },
  }
}
