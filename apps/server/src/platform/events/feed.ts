/** Gives one consumer its events in order, and keeps its cursor. Consumers do not wait for each other. */
import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseFault } from '../database/database-fault.ts'
import { sql, type Database } from '../database/database.ts'
import { EVENT_BATCH, type Consumer, type EventEnvelope, type EventTables, type Subscription } from './model.ts'
import type { Logger } from '../log.ts'
import type { OutboxReader } from './outbox-reader.ts'
import { coalesce } from '../async/coalesce.ts'
import type { Sequencer } from './sequencer.ts'

/** A handler that keeps failing must not stop the events behind it. */
const ATTEMPTS = 5
/** Milliseconds of handling after which a cursor is stored before its batch is over. */
const STORE_EVERY_MS = 1_000
/** Characters of a failure's reason. */
const REASON_MAX = 2_000

export interface FeedParts {
  db: Database<EventTables>
  log: Logger
  sequencer: Sequencer
  reader: OutboxReader
  /**
   * Milliseconds for which an event is waited with whose handler meets database faults although the database answers,
   * as with a lock that is never released. Afterwards the handler counts as at fault. While it does not answer there is no limit.
   */
  patienceMs: number
}

export interface Feed {
  /** Where an `everyNode` consumer begins. */
  begin(seq: number): void
  soon(): void
  /** Resolves when the consumer was given all it may be given now. */
  now(): Promise<void>
  /** Stores the cursor of what was handled. */
  stop(): Promise<void>
}

/** The round is given up, to be tried again from the same event. */
class GivenUp extends Error {}

export function createFeed(consumer: Consumer, { db, log, sequencer, reader, patienceMs }: FeedParts): Feed {
  const once = consumer.mode === 'once'
  let cursor = 0
  /** What the database has as this consumer's cursor, and the term in which it was read. */
  let stored = 0
  let storedTerm = -1
  let storedAt = 0
  /** Something was handled that is not stored: what nobody listens to may be passed over twice. */
  let unstored = false
  let faultySince: { seq: number; at: number } | null = null
  let stopped = false

  const may = () => !stopped && (!once || (sequencer.leading() && sequencer.term() === storedTerm))

  async function isAway(): Promise<boolean> {
    try {
      await sql`SELECT 1`.execute(db)
      return false
    } catch {
      return true
    }
  }

  /** Whether a fault is to be waited out rather than counted. */
  async function isToWaitFor(error: unknown, event: EventEnvelope): Promise<boolean> {
    if (!isDatabaseFault(error)) return false
    if (faultySince?.seq !== event.seq) faultySince = { seq: event.seq, at: performance.now() }
    if (await isAway()) return true
    return performance.now() - faultySince.at < patienceMs
  }

  async function leaveBehind(event: EventEnvelope, error: unknown): Promise<void> {
    // PostgreSQL takes no zero characters in texts.
    const reason = String(error).replaceAll('\0', '').slice(0, REASON_MAX)
    await db
      .insertInto('event_failure')
      .values({ consumer: consumer.name, event_id: event.id, seq: event.seq, reason, created_at: new Date() })
      .execute()
  }

  async function give(event: EventEnvelope, { event: definition, handle }: Subscription): Promise<void> {
    const note = (error: unknown, attempt: number) =>
      log.error({ err: error, consumer: consumer.name, event: event.name, seq: event.seq, attempt }, 'an event was not handled')
    const payload = definition.schema.safeParse(event.payload)
    if (!payload.success) {
      note(payload.error, ATTEMPTS)
      return leaveBehind(event, payload.error)
    }
    for (let attempt = 1; ; attempt++) {
      try {
        return await handle({ ...event, payload: payload.data as never })
      } catch (error) {
        if (await isToWaitFor(error, event)) throw new GivenUp('the database was at fault', { cause: error })
        note(error, attempt)
        if (attempt === ATTEMPTS) return leaveBehind(event, error)
        await delay(50 * 2 ** attempt)
        if (!may()) throw new GivenUp('handling ended before this event was done')
      }
    }
  }

  /** The stored cursor. A consumer met for the first time is entered below the oldest event kept. */
  async function load(): Promise<void> {
    const term = sequencer.term()
    await sql`INSERT INTO event_consumer (name, seq)
      SELECT ${consumer.name}, coalesce((SELECT min(seq) - 1 FROM outbox WHERE seq IS NOT NULL), (SELECT seq FROM outbox_head))
      ON CONFLICT (name) DO NOTHING`.execute(db)
    const row = await db.selectFrom('event_consumer').select('seq').where('name', '=', consumer.name).executeTakeFirstOrThrow()
    cursor = stored = row.seq
    storedTerm = term
    unstored = false
  }

  /** Moves the stored cursor on, unless another node has moved it: then this one is read anew. */
  async function store(): Promise<void> {
    if (!once || stored === cursor) return
    const { numUpdatedRows } = await db
      .updateTable('event_consumer')
      .set({ seq: cursor })
      .where('name', '=', consumer.name)
      .where('seq', '=', stored)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) {
      storedTerm = -1
      return
    }
    stored = cursor
    storedAt = performance.now()
    unstored = false
  }

  async function handleBatch(events: readonly EventEnvelope[]): Promise<void> {
    storedAt = performance.now()
    for (const event of events) {
      if (!may()) return
      if (event.seq !== cursor + 1)
        log.error({ consumer: consumer.name, after: cursor, seq: event.seq }, 'events are gone that were not heard')
      const heard = consumer.handlers.filter(({ event: { name } }) => name === event.name)
      for (const subscription of heard) await give(event, subscription)
      cursor = event.seq
      unstored ||= heard.length > 0
      if (unstored && performance.now() - storedAt > STORE_EVERY_MS) await store()
    }
  }

  async function feed(): Promise<void> {
    if (once && (!sequencer.leading() || stopped)) return
    if (once && storedTerm !== sequencer.term()) await load()
    while (may() && cursor < sequencer.head()) {
      const events = await reader.after(cursor)
      if (events.length === 0) return
      try {
        await handleBatch(events)
      } finally {
        if (unstored || cursor - stored >= EVENT_BATCH) await store()
      }
    }
  }

  let quiet = false
  const feeding = coalesce(async () => {
    try {
      await feed()
      quiet = false
    } catch (error) {
      // Said once for as long as it lasts.
      if (!quiet && !stopped)
        log.warn({ err: error, consumer: consumer.name, after: cursor }, 'a consumer of events waits for the database')
      quiet = true
    }
  })

  return {
    begin(seq) {
      cursor = seq
    },
    soon: feeding.soon,
    now: feeding.now,
    async stop() {
      stopped = true
      await feeding.stop()
      await store().catch(() => {})
    },
  }
}
