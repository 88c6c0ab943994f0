/** Delivery of one event to one handler: retried while the database is away, and skipped when the handler keeps failing. */
import { setTimeout as delay } from 'node:timers/promises'
import { sql, timestamp, type Database } from '../database/database.ts'
import type { Logger } from '../log.ts'
import { isPassingFault } from '../passing-fault.ts'
import type { EventEnvelope, Subscription } from './model.ts'

/** Attempts before an event is skipped: a handler that keeps failing must not stop the events behind it. */
const ATTEMPTS = 5
/** Characters of a failure's reason. */
const REASON_MAX = 2_000

/** Handling stops, to be retried later from the same event. */
class GivenUp extends Error {}

export interface HandlingParts {
  db: Database
  log: Logger
  /** Name of the consumer. */
  consumer: string
  /** Milliseconds for which an event is retried whose handler meets database faults although the database answers. */
  patienceMs: number
  /** Whether the consumer may go on. */
  may(): boolean
}

/** Return a function that delivers an event to a handler. It throws where the same event is to be handled again. */
export function createHandling({ db, log, consumer, patienceMs, may }: HandlingParts) {
  let faultySince: { seq: number; at: number } | null = null

  async function isAway(): Promise<boolean> {
    try {
      await sql`SELECT 1`.execute(db)
      return false
    } catch {
      return true
    }
  }

  /** Return whether a fault is to be waited for rather than counted. */
  async function isToWaitFor(error: unknown, event: EventEnvelope): Promise<boolean> {
    if (!isPassingFault(error)) return false
    if (faultySince?.seq !== event.seq) faultySince = { seq: event.seq, at: performance.now() }
    if (await isAway()) return true
    return performance.now() - faultySince.at < patienceMs
  }

  async function leaveBehind(event: EventEnvelope, error: unknown): Promise<void> {
    // PostgreSQL does not accept NUL in text.
    const reason = String(error).replaceAll('\0', '').slice(0, REASON_MAX)
    await db
      .insertInto('eventFailure')
      .values({ consumer, eventId: event.id, seq: event.seq, reason, createdAt: timestamp(Date.now()) })
      .execute()
  }

  return async function give(event: EventEnvelope, { event: definition, handle }: Subscription): Promise<void> {
    const note = (error: unknown, attempt: number) =>
      log.error({ err: error, consumer, event: event.name, seq: event.seq, attempt }, 'an event was not handled')
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
}
