/** Keeps the outbox small: events that all consumers have handled are deleted after a day, failures after a month. */
import type { Platform } from '../context.ts'
import { sql, timestamp } from '../database/database.ts'
import type { Job } from '../jobs/jobs.ts'

const HOUR_MS = 3_600_000
const EVENTS_KEPT_MS = 24 * HOUR_MS
const FAILURES_KEPT_MS = 30 * 24 * HOUR_MS
/** How long the cursor of a consumer that this program does not have (one of another version, or of none) keeps events from deletion. */
const UNKNOWN_CURSOR_HOLDS_MS = 30 * 24 * HOUR_MS
/** Rows of one delete. */
const CHUNK = 5_000

/** Return the hourly job; it runs on one node. */
export function outboxUpkeep(platform: Pick<Platform, 'db' | 'clock' | 'events'>): Job {
  const db = () => platform.db

  /**
   * Delete the oldest events up to a number, stopping at the first that was written after a moment, so that no gap arises. Return their
   * number.
   */
  async function dropEvents(upTo: number, before: number): Promise<number> {
    for (let total = 0; ;) {
      const { numAffectedRows = 0n } = await sql`
        WITH oldest AS (SELECT id, seq, created_at FROM outbox WHERE seq <= ${upTo} ORDER BY seq LIMIT ${CHUNK}),
             young AS (SELECT min(seq) AS seq FROM oldest WHERE created_at >= ${timestamp(before)})
        DELETE FROM outbox USING oldest, young WHERE outbox.id = oldest.id AND (young.seq IS NULL OR oldest.seq < young.seq)`.execute(db())
      total += Number(numAffectedRows)
      if (numAffectedRows < CHUNK) return total
    }
  }

  async function dropFailures(before: number): Promise<number> {
    for (let total = 0; ;) {
      const { numAffectedRows = 0n } = await sql`DELETE FROM event_failure WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM event_failure WHERE created_at < ${timestamp(before)} LIMIT ${CHUNK}))`.execute(db())
      total += Number(numAffectedRows)
      if (numAffectedRows < CHUNK) return total
    }
  }

  return {
    name: 'events.dropOld',
    schedule: '41 * * * *',
    async run() {
      const now = platform.clock.now()
      const cursors = new Map(
        (await db().selectFrom('eventConsumer').select(['name', 'seq']).execute()).map(({ name, seq }) => [name, seq]),
      )
      const { seq: head } = await db().selectFrom('outboxHead').select('seq').executeTakeFirstOrThrow()
      // A consumer without a cursor yet will receive everything that is stored.
      const handledByAll = Math.min(head, ...platform.events.onceConsumers().map((name) => cursors.get(name) ?? 0))
      const all = Math.min(handledByAll, ...cursors.values())
      const events =
        (await dropEvents(all, now - EVENTS_KEPT_MS)) +
        (all < handledByAll ? await dropEvents(handledByAll, now - UNKNOWN_CURSOR_HOLDS_MS) : 0)
      const failures = await dropFailures(now - FAILURES_KEPT_MS)
      return { outcome: 'success', counts: { events, eventFailures: failures } }
    },
  }
}
