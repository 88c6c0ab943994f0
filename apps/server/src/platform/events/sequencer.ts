/**
 * Numbers events after commit. Of all nodes one leads: the one whose connection holds an advisory lock. It numbers over
 * that very connection, so a node that lost its lock cannot number, and tells everybody the highest number by NOTIFY.
 */
import type { Client } from 'pg'
import { sql, type Database, type DatabaseHandle } from '../database/database.ts'
import { EVENT_BATCH, type EventTables } from './model.ts'
import type { Logger } from '../log.ts'
import { coalesce } from '../async/coalesce.ts'

export const LEADER_LOCK = 7_140_021
/** Payload: the highest number, or nothing where a node that does not lead has committed something. */
const CHANNEL = 'gatehouse_events'
/** Milliseconds: commits that come together are numbered together. */
const GATHER_MS = 25
/** Milliseconds: a committed event of a node that died before telling is found by looking. */
const LOOK_EVERY_MS = 500
/** Milliseconds without an answer after which the connection counts as dead. */
const ANSWER_MS = 15_000

/** Both columns are one index probe; the order keeps the planner on the index of what waits. */
const PROBE = `(SELECT seq FROM outbox_head) AS head,
  (SELECT id FROM outbox WHERE seq IS NULL ORDER BY created_at, id LIMIT 1) IS NOT NULL AS waiting`
const NUMBER = `
  WITH todo AS (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM outbox WHERE seq IS NULL ORDER BY created_at, id LIMIT ${EVENT_BATCH}),
       numbered AS (UPDATE outbox SET seq = (SELECT seq FROM outbox_head) + todo.n FROM todo WHERE outbox.id = todo.id RETURNING outbox.seq)
  UPDATE outbox_head SET seq = greatest(seq, (SELECT max(seq) FROM numbered)) RETURNING seq, (SELECT count(*) FROM numbered) AS count`
/** A server drops a leader that fell silent after some 20 seconds instead of two hours. */
const SESSION = `SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; LISTEN ${CHANNEL}`

export interface Sequencer {
  leading(): boolean
  /** Counts the times this node came to lead; a cursor read in an earlier term is out of date. */
  term(): number
  /** Highest number this node knows of. */
  head(): number
  /** Whether something committed was still without a number at the last look. */
  waiting(): boolean
  /** Something was committed here. */
  poke(): void
  /** Takes the lead if nobody has it, and as leader numbers everything committed. Never rejects. */
  look(): Promise<void>
  start(): void
  /** Gives the lead back. */
  stop(): Promise<void>
}

/** @param onAdvance called after each look and each number told of */
export function createSequencer(handle: DatabaseHandle, log: Logger, onAdvance: () => void): Sequencer {
  const db = handle.db as unknown as Database<EventTables>
  let session: Client | null = null
  let leading = false
  let term = 0
  let head = 0
  let waiting = false
  let away = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  function drop(client: Client): void {
    if (session !== client) return
    session = null
    leading = false
    void client.end().catch(() => {})
  }

  async function open(): Promise<Client> {
    const client = await handle.client()
    client.once('end', () => drop(client))
    client.once('error', () => drop(client))
    client.on('notification', ({ payload = '' }) => {
      if (payload === '') {
        if (leading) looking.soon()
        return
      }
      head = Math.max(head, Number(payload))
      onAdvance()
    })
    session = client
    await client.query(SESSION)
    return client
  }

  const ask = async (client: Client, text: string, values: unknown[] = []): Promise<Record<string, unknown>> => {
    const { rows } = await client.query({ text, values, query_timeout: ANSWER_MS } as { text: string; values: unknown[] })
    return (rows[0] ?? {}) as Record<string, unknown>
  }

  async function number(client: Client): Promise<boolean> {
    await ask(client, 'BEGIN')
    // Should two nodes believe that they lead, one waits here for the other; the statement after it sees its numbers.
    await ask(client, 'SELECT seq FROM outbox_head FOR UPDATE')
    const { seq, count } = await ask(client, NUMBER)
    await ask(client, 'SELECT pg_notify($1, $2)', [CHANNEL, String(seq)])
    await ask(client, 'COMMIT')
    head = Math.max(head, Number(seq))
    onAdvance()
    return Number(count) === EVENT_BATCH
  }

  async function visit(client: Client): Promise<void> {
    if (!leading) {
      const { held } = await ask(client, 'SELECT pg_try_advisory_lock($1) AS held', [LEADER_LOCK])
      leading = held === true && session === client
      if (leading) term++
    }
    // After the lock: what the last leader numbered at its very end is seen.
    const found = await ask(client, `SELECT ${PROBE}`)
    head = Math.max(head, Number(found['head']))
    waiting = found['waiting'] === true
    if (!leading || !waiting) return
    while (!stopped && (await number(client)));
    waiting = false
  }

  const looking = coalesce(async () => {
    let client = session
    try {
      client ??= await open()
      await visit(client)
      away = false
    } catch (error) {
      if (client !== null) drop(client)
      else if (session !== null) drop(session)
      if (!stopped && !away) log.warn({ err: error }, 'events wait for the database')
      away = true
    }
    onAdvance()
  }, GATHER_MS)

  // A node that does not lead says that something waits, instead of leaving it to the leader's next look.
  const telling = coalesce(async () => {
    await sql`SELECT pg_notify(${CHANNEL}, '')`.execute(db).catch(() => {})
  }, GATHER_MS)

  return {
    leading: () => leading,
    term: () => term,
    head: () => head,
    waiting: () => waiting,
    poke: () => (leading ? looking : telling).soon(),
    look: looking.now,
    start() {
      timer = setInterval(looking.soon, LOOK_EVERY_MS)
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await Promise.all([looking.stop(), telling.stop()])
      if (session !== null) await session.end().catch(() => {})
    },
  }
}
