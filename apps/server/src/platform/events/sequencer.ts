/**
 * Numbers events after commit. One node leads: the one whose connection holds an advisory lock. It numbers over that very connection, so
 * a node that lost its lock cannot number. It announces the highest number by NOTIFY.
 */
import type { Client } from 'pg'
import { sql, type DatabaseHandle } from '../database/database.ts'
import { EVENT_BATCH } from './model.ts'
import type { Logger } from '../log.ts'
import { coalesce } from '../async/coalesce.ts'

export const LEADER_LOCK = 7_140_021
/** Payload: the highest number, or an empty text from a node that has committed something and does not lead. */
const CHANNEL = 'gatehouse_events'
/** Milliseconds within which commits are numbered together. */
const GATHER_MS = 25
/** Milliseconds between checks, which find committed events of a node that died before its notification. */
const LOOK_EVERY_MS = 500
/** Milliseconds without an answer after which the connection counts as dead. */
const ANSWER_MS = 15_000

/** Both columns are one index probe; ORDER BY makes the planner use the index of waiting events. */
const PROBE = `(SELECT seq FROM outbox_head) AS head,
  (SELECT id FROM outbox WHERE seq IS NULL ORDER BY created_at, id LIMIT 1) IS NOT NULL AS waiting`
const NUMBER = `
  WITH todo AS (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM outbox
    WHERE seq IS NULL ORDER BY created_at, id LIMIT ${EVENT_BATCH}),
       numbered AS (UPDATE outbox SET seq = (SELECT seq FROM outbox_head) + todo.n FROM todo WHERE outbox.id = todo.id RETURNING outbox.seq)
  UPDATE outbox_head SET seq = greatest(seq, (SELECT max(seq) FROM numbered)) RETURNING seq, (SELECT count(*) FROM numbered) AS count`
/** With these keepalives the database drops a silent leader after some 20 seconds instead of two hours. */
const SESSION = `SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; LISTEN ${CHANNEL}`

export interface Sequencer {
  leading(): boolean
  /** Return how often this node has taken the lead; a cursor read in an earlier term is out of date. */
  term(): number
  /** Return the highest number that this node has seen. */
  head(): number
  /** Return whether a committed event was still without a number at the last check. */
  waiting(): boolean
  /** Report that this node has committed something. */
  poke(): void
  /** Take the lead if it is free, and as leader number everything committed. Never rejects. */
  look(): Promise<void>
  start(): void
  /** Stop, and release the lead. */
  stop(): Promise<void>
}

/** Create the sequencer of a node. @param onAdvance called after each check and each announced number */
export function createSequencer(handle: DatabaseHandle, log: Logger, onAdvance: () => void): Sequencer {
  const db = handle.db
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
    // If two nodes believe that they lead, one waits here for the other; the next statement then sees the other's numbers.
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
      const { locked } = await ask(client, 'SELECT pg_try_advisory_lock($1) AS locked', [LEADER_LOCK])
      leading = locked === true && session === client
      if (leading) term++
    }
    // Read after taking the lock, so that the last numbers of the former leader are seen.
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

  // A node that does not lead announces that events wait, so that the leader need not find them at its next check.
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
