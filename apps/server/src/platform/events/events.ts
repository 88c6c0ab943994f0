/**
 * Events: written in the business transaction, numbered after commit by one leader, then given to consumers in that
 * order. Nobody pages by a number taken before commit: a transaction that commits late gets a later number.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, DatabaseHandle, OpenTransaction, Tx } from '../database/database.ts'
import { createFeed, type Feed } from './feed.ts'
import type { Consumer, EventDefinition, EventTables } from './model.ts'
import { newId } from '../database/ids.ts'
import type { Logger } from '../log.ts'
import { createOutboxReader } from './outbox-reader.ts'
import { createSequencer } from './sequencer.ts'

export { defineEvent, on } from './model.ts'
export type { Consumer, EventDefinition, EventEnvelope } from './model.ts'

export interface Events {
  /** Writes the event with the business change; it is heard after commit. */
  announce<P>(tx: OpenTransaction, event: EventDefinition<P>, parkId: string, payload: P): Promise<void>
  /** Several of one kind, in one statement and in their order. */
  announceAll<P>(tx: OpenTransaction, event: EventDefinition<P>, parkId: string, payloads: readonly P[]): Promise<void>
  /** Registers a consumer; before `start`. */
  consume(consumer: Consumer): void
  /** Names of the registered `once` consumers. */
  onceConsumers(): readonly string[]
  /** Tells the sequencer that something was committed. */
  poke(): void
  /** Whether this node numbers events and runs the `once` consumers. */
  leading(): boolean
  /** Another number each time this node takes the lead; null while it does not lead. */
  term(): number | null
  /** From here on `everyNode` consumers miss nothing: called before caches are filled. Without it they begin at `start`. */
  begin(): Promise<void>
  start(): Promise<void>
  /** Resolves when every event committed so far has been handled on this node, or its handler waits for the database. */
  settled(): Promise<void>
  /** Ends after the event in hand, stores the cursors and gives the lead back. */
  stop(): Promise<void>
}

export interface EventsOptions {
  /** See `FeedParts`; default five minutes. */
  patienceMs?: number
}

/** How long `settled` leaves a leader on another node to number what waits. */
const SETTLE_MS = 5_000

/** Next in order after an id of the same millisecond. */
const successor = (id: string): string => id.slice(0, 24) + (Number.parseInt(id.slice(24), 16) + 1).toString(16).padStart(12, '0')

/** Ids and moments that grow from one event of this node to its next: what waits is numbered in their order. */
function growing(): () => { id: string; created_at: Date } {
  let id = ''
  let at = 0
  return () => {
    const fresh = newId()
    id = fresh > id ? fresh : successor(id)
    at = Math.max(at, Date.now())
    return { id, created_at: new Date(at) }
  }
}

export function createEvents(handle: DatabaseHandle, log: Logger, { patienceMs = 300_000 }: EventsOptions = {}): Events {
  const db = handle.db as unknown as Database<EventTables>
  const consumers: (Consumer & { feed: Feed })[] = []
  const next = growing()
  let started = false
  let beganAt: number | null = null
  const wake = () => {
    if (started) for (const { feed } of consumers) feed.soon()
  }
  const sequencer = createSequencer(handle, log, wake)
  const reader = createOutboxReader(db)

  async function begin(): Promise<void> {
    const { seq } = await db.selectFrom('outbox_head').select('seq').executeTakeFirstOrThrow()
    beganAt = seq
  }

  async function announceAll<P>(tx: OpenTransaction, event: EventDefinition<P>, parkId: string, payloads: readonly P[]): Promise<void> {
    if (payloads.length === 0) return
    const rows = payloads.map((payload) => ({
      ...next(),
      name: event.name,
      park_id: parkId,
      payload: JSON.stringify(event.schema.parse(payload)),
      seq: null,
    }))
    await (tx as unknown as Tx<EventTables>).insertInto('outbox').values(rows).execute()
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
      if (beganAt === null) await begin()
      for (const { feed } of consumers) feed.begin(beganAt ?? 0)
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
