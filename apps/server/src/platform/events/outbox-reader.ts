/** Numbered events, read once per node: consumers at the same position share the rows. */
import { memoizePending } from '../async/memoize.ts'
import type { Database } from '../database/database.ts'
import { EVENT_BATCH, type EventEnvelope } from './model.ts'

/** Newest events kept in memory, for consumers that are slightly behind the first. */
const KEPT = 2 * EVENT_BATCH

export interface OutboxReader {
  /** Return the next events after a number, at most one batch; empty where there are none. */
  after(seq: number): Promise<readonly EventEnvelope[]>
}

export function createOutboxReader(db: Database): OutboxReader {
  /** The newest events, without gaps between its first and last number. */
  let newest: readonly EventEnvelope[] = []

  const read = memoizePending((seq: number) => seq, readAfter)

  async function readAfter(seq: number): Promise<readonly EventEnvelope[]> {
    const rows = (await db
      .selectFrom('outbox')
      .select(['id', 'name', 'parkId', 'payload', 'seq'])
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(EVENT_BATCH)
      .execute()) as EventEnvelope[]
    const last = newest.at(-1)?.seq ?? -1
    if (rows.length === 0) return rows
    if (seq === last) newest = [...newest, ...rows].slice(-KEPT)
    else if (seq > last) newest = rows
    return rows
  }

  return {
    after(seq) {
      const first = newest[0]
      const last = newest.at(-1)
      if (first !== undefined && last !== undefined && seq >= first.seq - 1 && seq < last.seq) {
        const from = newest.findIndex((event) => event.seq > seq)
        return Promise.resolve(newest.slice(from, from + EVENT_BATCH))
      }
      return read(seq)
    },
  }
}
