/** Numbered events, read once per node: consumers that stand at the same place share the rows. */
import type { Database } from '../database/database.ts'
import { EVENT_BATCH, type EventEnvelope, type EventTables } from './model.ts'

/** Newest events kept in memory, for consumers that are a little behind the first. */
const KEPT = 2 * EVENT_BATCH

export interface OutboxReader {
  /** The next events after a number, at most one batch; empty where there are none. */
  after(seq: number): Promise<readonly EventEnvelope[]>
}

export function createOutboxReader(db: Database<EventTables>): OutboxReader {
  /** Every event from its first to its last number. */
  let newest: readonly EventEnvelope[] = []
  const reading = new Map<number, Promise<readonly EventEnvelope[]>>()

  async function read(seq: number): Promise<readonly EventEnvelope[]> {
    const rows = (await db
      .selectFrom('outbox')
      .select(['id', 'name', 'park_id as parkId', 'payload', 'seq'])
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
      let rows = reading.get(seq)
      if (rows === undefined) {
        rows = read(seq).finally(() => reading.delete(seq))
        reading.set(seq, rows)
      }
      return rows
    },
  }
}
