/**
 * Events: written in the business transaction, numbered after commit by one leader, then delivered to consumers in that order. The number
 * is assigned after the commit so that a transaction that commits late gets a later number, and no consumer misses its events.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import { timestamp, type DatabaseHandle, type Transaction } from '../database/database.ts'
import { createFeed, type Feed } from './feed.ts'
import type { Consumer, EventDefinition } from './model.ts'
import { newId } from '../database/ids.ts'
import type { Logger } from '../log.ts'
import { createOutboxReader } from './outbox-reader.ts'
import { createSequencer } from './sequencer.ts'

export { defineEvent, on } from './model.ts'
export type { Consumer, EventDefinition, EventEnvelope } from './model.ts'

export interface Events {
  /** Write an event in the transaction of the change; it is delivered after the commit. */
  announce<P>(tx: Transaction, event: EventDefinition<P>, parkId: string, payload: P): Promise<void>
  /** Write several events of one kind, in one statement and in their order. */
  announceAll<P>(tx: Transaction, event: EventDefinition<P>, parkId: string, payloads: readonly P[]): Promise<void>
  /** Register a consumer; before `start`. */
  consume(consumer: Consumer): void
  /** Names of the registered `once` consumers. */
  onceConsumers(): readonly string[]
  /** Notify the sequencer that something was committed. */
  poke(): void
  /** Whether this node numbers events and runs the `once` consumers. */
  leading(): boolean
  /** Return a number that changes each time this node takes the lead; null while it does not lead. */
  term(): number | null
  /**
   * Set the position from which on `everyNode` consumers miss nothing; called before caches are filled. Otherwise they start at `start`.
   */
  begin(): Promise<void>
  start(): Promise<void>
  /** Resolve when every event committed so far has been handled on this node, or its handler waits for the database. */
  settled(): Promise<void>
  /** Stop after the current event, store the cursors and release the lead. */
  stop(): Promise<void>
}

export interface EventsOptions {
  /** See `FeedParts`; default five minutes. */
  patienceMs?: number
}

/** Milliseconds that `settled` waits for a leader on another node to number events. */
const SETTLE_MS = 5_000

/** Return the next id in order, within the same millisecond. */
const successor = (id: string): string => id.slice(0, 24) + (Number.parseInt(id.slice(24), 16) + 1).toString(16).padStart(12, '0')

/** Return a source of ids and moments that grow with each event of this node, because events are numbered in their order. */
function growing(): () => { id: string; createdAt: RawBuilder<number> } {
  let id = ''
  let at = 0
  return () => {
    const fresh = newId()
    id = fresh > id ? fresh : successor(id)
    at = Math.max(at, Date.now())
    return { id, createdAt: timestamp(at) }
  }
}

export function createEvents(handle: DatabaseHandle, log: Logger, { patienceMs = 300_000 }: EventsOptions = {}): Events {
  const db = handle.db
  const consumers: (Consumer & { feed: Feed })[] = []
  const next = growing()
  let started = false
  let startedAt: number | null = null
  const wake = () => {
    if (started) for (const { feed } of consumers) feed.soon()
  }
  const sequencer = createSequencer(handle, log, wake)
  const reader = createOutboxReader(db)

  async function begin(): Promise<void> {
    const { seq } = await db.selectFrom('outboxHead').select('seq').executeTakeFirstOrThrow()
    startedAt = seq
  }

  async function announceAll<P>(tx: Transaction, event: EventDefinition<P>, parkId: string, payloads: readonly P[]): Promise<void> {
    if (payloads.length === 0) return
    const rows = payloads.map((payload) => ({
      ...next(),
      name: event.name,
      parkId,
      payload: JSON.stringify(event.schema.parse(payload)),
      seq: null,
    }))
    await tx.insertInto('outbox').values(rows).execute()
  }

  return {
    announce: (tx, event, parkId, payload) => announceAll(tx, event, parkId, [payload]),
    announceAll,
    consume(consumer) {
      consumers.push({ ...consumer, feed: createFeed(consumer, { db, log, sequencer, reader, patienceMs }) })
    },
    onceConsumers: () => consumers.filter(({ mode }) => mode === 'once').map(({ name }) => name),
    poke: sequencer.poke,
    leading: sequencer.leading,
    term: () => (sequencer.leading() ? sequencer.term() : null),
    begin,
    async start() {
      if (startedAt === null) await begin()
      for (const { feed } of consumers) feed.begin(startedAt ?? 0)
      started = true
      sequencer.start()
      await sequencer.look()
      await Promise.all(consumers.map(({ feed }) => feed.now()))
    },
    async settled() {
      const end = Date.now() + SETTLE_MS
      for (;;) {
        await sequencer.look()
        const before = sequencer.head()
        await Promise.all(consumers.map(({ feed }) => feed.now()))
        await sequencer.look()
        if (!sequencer.waiting() && sequencer.head() === before) return
        if (Date.now() > end) return
        if (sequencer.leading()) continue
        sequencer.poke()
        await delay(20)
      }
    },
    async stop() {
      await Promise.all(consumers.map(({ feed }) => feed.stop()))
      await sequencer.stop()
    },
  }
}
