/** The position of a consumer of events, and how much of it is stored. */
import { sql, type Database } from '../database/database.ts'
import type { Consumer } from './model.ts'
import type { Sequencer } from './sequencer.ts'

export interface Cursor {
  /** Number of the last event that was handled. */
  readonly seq: number
  /** Events since the stored position. */
  readonly ahead: number
  /** Whether an event was handled since the stored position. Events without handlers do not count: passing over them twice is harmless. */
  readonly isUnstored: boolean
  /** Milliseconds since the position was stored, or since `startBatch`. */
  readonly ageMs: number
  /** Whether this node read the position in the present term; always true for an `everyNode` consumer. */
  isOfTerm(): boolean
  begin(seq: number): void
  startBatch(): void
  /** Move to an event. @param isHeard whether the consumer has a handler for it */
  advance(seq: number, isHeard: boolean): void
  /** Read the stored cursor. A new consumer starts before the oldest stored event. */
  load(): Promise<void>
  /** Store the position, unless another node has moved the stored cursor: then it is read again. */
  store(): Promise<void>
}

export function createCursor({ name, mode }: Pick<Consumer, 'name' | 'mode'>, db: Database, sequencer: Sequencer): Cursor {
  const isOnce = mode === 'once'
  let seq = 0
  /** The stored position, and the term in which it was read. */
  let stored = 0
  let storedTerm = -1
  let storedAt = 0
  let isUnstored = false

  return {
    get seq() {
      return seq
    },
    get ahead() {
      return seq - stored
    },
    get isUnstored() {
      return isUnstored
    },
    get ageMs() {
      return performance.now() - storedAt
    },
    isOfTerm: () => !isOnce || sequencer.term() === storedTerm,
    begin(start) {
      seq = start
    },
    startBatch() {
      storedAt = performance.now()
    },
    advance(to, isHeard) {
      seq = to
      isUnstored ||= isHeard
    },
    async load() {
      const term = sequencer.term()
      await sql`INSERT INTO event_consumer (name, seq)
        SELECT ${name}, coalesce((SELECT min(seq) - 1 FROM outbox WHERE seq IS NOT NULL), (SELECT seq FROM outbox_head))
        ON CONFLICT (name) DO NOTHING`.execute(db)
      const row = await db.selectFrom('eventConsumer').select('seq').where('name', '=', name).executeTakeFirstOrThrow()
      seq = stored = row.seq
      storedTerm = term
      isUnstored = false
    },
    async store() {
      if (!isOnce || stored === seq) return
      const { numUpdatedRows } = await db
        .updateTable('eventConsumer')
        .set({ seq })
        .where('name', '=', name)
        .where('seq', '=', stored)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) {
        storedTerm = -1
        return
      }
      stored = seq
      storedAt = performance.now()
      isUnstored = false
    },
  }
}
