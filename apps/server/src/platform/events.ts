/**
 * Events: written in the business transaction, numbered after commit by one leader, then given to consumers in that
 * order. Nobody pages by a number taken before commit: a transaction that commits late gets a later number.
 */
import type { Client } from 'pg'
import type { z } from 'zod'
import type { Logger } from './log.ts'
import { sql, type Database, type DatabaseHandle, type OpenTransaction, type Tx } from './database.ts'
import { newId } from './ids.ts'

export interface EventDefinition<P = unknown> {
  /** `noun.pastVerb`. */
  name: string
  schema: z.ZodType<P>
}
/** Defines an event of one context; payloads are ids and area only, under 2 kB. */
export const defineEvent = <P>(name: string, schema: z.ZodType<P>): EventDefinition<P> => Object.freeze({ name, schema })

export interface EventEnvelope<P = unknown> {
  seq: number
  id: string
  name: string
  parkId: string
  payload: P
}

type Handler = (event: EventEnvelope<never>) => Promise<void> | void
interface Subscription {
  event: EventDefinition<unknown>
  handle: Handler
}
/** Binds a handler to an event, for the list a consumer is made of. */
export const on = <P>(event: EventDefinition<P>, handle: (event: EventEnvelope<P>) => Promise<void> | void): Subscription => ({
  event: event as EventDefinition<unknown>,
  handle: handle as Handler,
})

export interface Consumer {
  name: string
  /** `once`: on one node, from a stored cursor. `everyNode`: on each node, from the moment it starts (caches, live screens). */
  mode: 'once' | 'everyNode'
  handlers: readonly Subscription[]
}

export interface Events {
  /** Writes the event with the business change; it is heard after commit. */
  announce<P>(tx: OpenTransaction, event: EventDefinition<P>, parkId: string, payload: P): Promise<void>
  consume(consumer: Consumer): void
  /** Tells the sequencer that something was committed. */
  poke(): void
  start(): Promise<void>
  /** Resolves when every event committed so far has been handled on this node. */
  settled(): Promise<void>
  stop(): Promise<void>
}

interface EventTables {
  outbox: { id: string; name: string; park_id: string; payload: unknown; seq: number | null; created_at: Date }
  outbox_head: { one: boolean; seq: number }
  event_consumer: { name: string; seq: number }
  event_failure: { consumer: string; event_id: string; seq: number; reason: string; created_at: Date }
}

const LEADER_LOCK = 7_140_021
const CHANNEL = 'gatehouse_events'
const BATCH = 500
/** A handler that keeps failing must not stop the events behind it. */
const ATTEMPTS = 5
/** A committed event of a node that died before telling is found by looking. */
const LOOK_EVERY_MS = 500

export function createEvents(handle: DatabaseHandle, log: Logger): Events {
  const db = handle.db as unknown as Database<EventTables>
  const consumers: (Consumer & { seq: number })[] = []
  let leaderClient: Client | null = null
  let listener: Client | null = null
  let leading = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false

  async function lead(): Promise<void> {
    if (leading || stopped) return
    leaderClient ??= await handle.client()
    leaderClient.once('end', () => {
      leading = false
      leaderClient = null
    })
    const { rows } = await leaderClient.query('SELECT pg_try_advisory_lock($1) AS held', [LEADER_LOCK])
    leading = rows[0].held === true
  }

  /** Gives the next numbers to what has been committed since; true if anything was numbered. */
  async function number(): Promise<boolean> {
    // An empty outbox costs one index probe, not a locked row.
    const waiting = await db.selectFrom('outbox').select('id').where('seq', 'is', null).limit(1).executeTakeFirst()
    if (waiting === undefined) return false
    const head = await db.transaction().execute(async (tx) => {
      await sql`SELECT seq FROM outbox_head FOR UPDATE`.execute(tx)
      const { rows } = await sql<{ seq: number }>`
        WITH todo AS (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM outbox WHERE seq IS NULL ORDER BY created_at, id LIMIT ${BATCH}),
             numbered AS (UPDATE outbox SET seq = (SELECT seq FROM outbox_head) + todo.n FROM todo WHERE outbox.id = todo.id RETURNING outbox.seq)
        UPDATE outbox_head SET seq = greatest(seq, (SELECT max(seq) FROM numbered)) RETURNING seq`.execute(tx)
      return rows[0]?.seq
    })
    await sql`SELECT pg_notify(${CHANNEL}, ${String(head)})`.execute(db)
    return true
  }

  async function give(consumer: Consumer, event: EventEnvelope): Promise<void> {
    for (const { event: definition, handle: hear } of consumer.handlers) {
      if (definition.name !== event.name) continue
      for (let attempt = 1; ; attempt++) {
        try {
          await hear({ ...event, payload: definition.schema.parse(event.payload) as never })
          break
        } catch (error) {
          log.error({ err: error, consumer: consumer.name, event: event.name, seq: event.seq, attempt }, 'an event was not handled')
          if (attempt < ATTEMPTS) {
            await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt))
            continue
          }
          await db
            .insertInto('event_failure')
            .values({ consumer: consumer.name, event_id: event.id, seq: event.seq, reason: String(error), created_at: new Date() })
            .execute()
          break
        }
      }
    }
  }

  async function feed(consumer: Consumer & { seq: number }): Promise<void> {
    for (;;) {
      const rows = await db
        .selectFrom('outbox')
        .select(['id', 'name', 'park_id as parkId', 'payload', 'seq'])
        .where('seq', '>', consumer.seq)
        .orderBy('seq')
        .limit(BATCH)
        .execute()
      if (rows.length === 0) return
      for (const row of rows) {
        await give(consumer, row as EventEnvelope)
        consumer.seq = row.seq!
      }
      if (consumer.mode === 'once') {
        await db
          .insertInto('event_consumer')
          .values({ name: consumer.name, seq: consumer.seq })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ seq: consumer.seq }))
          .execute()
      }
      if (rows.length < BATCH) return
    }
  }

  async function storedCursor(name: string): Promise<number> {
    const row = await db.selectFrom('event_consumer').select('seq').where('name', '=', name).executeTakeFirst()
    return row?.seq ?? 0
  }

  async function round(): Promise<void> {
    await lead()
    if (leading) while (await number());
    await Promise.all(
      consumers.map(async (consumer) => {
        if (consumer.mode === 'once' && !leading) {
          consumer.seq = -1
          return
        }
        // A node that has just become leader goes on where the last one stopped.
        if (consumer.seq < 0) consumer.seq = await storedCursor(consumer.name)
        await feed(consumer)
      }),
    )
  }

  function run(): Promise<void> {
    if (running !== null) {
      again = true
      return running
    }
    running = (async () => {
      try {
        do {
          again = false
          await round()
        } while (again && !stopped)
      } catch (error) {
        if (!stopped) log.error({ err: error }, 'events wait for the database')
      } finally {
        running = null
      }
    })()
    return running
  }

  return {
    async announce(tx, event, parkId, payload) {
      await (tx as unknown as Tx<EventTables>)
        .insertInto('outbox')
        .values({ id: newId(), name: event.name, park_id: parkId, payload: JSON.stringify(event.schema.parse(payload)), seq: null, created_at: new Date() })
        .execute()
    },
    consume(consumer) {
      consumers.push({ ...consumer, seq: -1 })
    },
    poke() {
      if (!stopped) void run()
    },
    async start() {
      const { seq } = await db.selectFrom('outbox_head').select('seq').executeTakeFirstOrThrow()
      for (const consumer of consumers) consumer.seq = consumer.mode === 'everyNode' ? seq : -1
      listener = await handle.client()
      listener.on('notification', () => void run())
      await listener.query(`LISTEN ${CHANNEL}`)
      timer = setInterval(() => void run(), LOOK_EVERY_MS)
      await run()
    },
    async settled() {
      await run()
      await run()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
      await listener?.end()
      await leaderClient?.end()
    },
  }
}
