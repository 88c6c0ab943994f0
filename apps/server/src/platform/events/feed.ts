/** Delivers events to one consumer in order, and stores its cursor. Consumers do not wait for each other. */
import type { Database } from '../database/database.ts'
import { coalesce } from '../async/coalesce.ts'
import type { Logger } from '../log.ts'
import { createCursor } from './cursor.ts'
import { createHandling } from './handling.ts'
import { EVENT_BATCH, type Consumer, type EventEnvelope } from './model.ts'
import type { OutboxReader } from './outbox-reader.ts'
import type { Sequencer } from './sequencer.ts'

/** Milliseconds of handling after which the cursor is stored before the batch ends. */
const STORE_EVERY_MS = 1_000

export interface FeedParts {
  db: Database
  log: Logger
  sequencer: Sequencer
  reader: OutboxReader
  /**
   * Milliseconds for which an event is retried whose handler meets database faults although the database answers, as with a lock that is
   * never released. Afterwards the handler counts as at fault. While the database does not answer there is no limit.
   */
  patienceMs: number
}

export interface Feed {
  /** Set the position at which an `everyNode` consumer starts. */
  begin(seq: number): void
  soon(): void
  /** Resolve when every event that may be delivered now has been. */
  now(): Promise<void>
  /** Stop, and store the cursor after the last handled event. */
  stop(): Promise<void>
}

export function createFeed(consumer: Consumer, { db, log, sequencer, reader, patienceMs }: FeedParts): Feed {
  const isOnce = consumer.mode === 'once'
  const cursor = createCursor(consumer, db, sequencer)
  let isStopped = false
  let isQuiet = false

  const may = () => !isStopped && (!isOnce || (sequencer.leading() && cursor.isOfTerm()))
  const handle = createHandling({ db, log, consumer: consumer.name, patienceMs, may })

  async function handleBatch(events: readonly EventEnvelope[]): Promise<void> {
    cursor.startBatch()
    for (const event of events) {
      if (!may()) return
      if (event.seq !== cursor.seq + 1)
        log.error({ consumer: consumer.name, after: cursor.seq, seq: event.seq }, 'events are gone that were not heard')
      const heard = consumer.handlers.filter(({ event: { name } }) => name === event.name)
      for (const subscription of heard) await handle(event, subscription)
      cursor.advance(event.seq, heard.length > 0)
      if (cursor.isUnstored && cursor.ageMs > STORE_EVERY_MS) await cursor.store()
    }
  }

  async function feed(): Promise<void> {
    if (isOnce && (!sequencer.leading() || isStopped)) return
    if (isOnce && !cursor.isOfTerm()) await cursor.load()
    while (may() && cursor.seq < sequencer.head()) {
      const events = await reader.after(cursor.seq)
      if (events.length === 0) return
      try {
        await handleBatch(events)
      } finally {
        if (cursor.isUnstored || cursor.ahead >= EVENT_BATCH) await cursor.store()
      }
    }
  }

  const feeding = coalesce(async () => {
    try {
      await feed()
      isQuiet = false
    } catch (error) {
      // Logged once per outage.
      if (!isQuiet && !isStopped)
        log.warn({ err: error, consumer: consumer.name, after: cursor.seq }, 'a consumer of events waits for the database')
      isQuiet = true
    }
  })

  return {
    begin: cursor.begin,
    soon: feeding.soon,
    now: feeding.now,
    async stop() {
      isStopped = true
      await feeding.stop()
      await cursor.store().catch(() => {})
    },
  }
}
