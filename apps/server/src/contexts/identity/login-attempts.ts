/**
 * Counts tries: failed logins of an address, codes requested in a day, and tries that other contexts limit. Counts are stored in a table,
 * because several nodes count together.
 */
import type { Platform } from '../../platform/context.ts'
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import { TooManyTries } from '../../platform/http/refusal.ts'

export interface Attempts {
  /** Add one. @param until end of the window, if none is open yet @returns the number of tries in the window */
  add(db: Database, subject: string, until: number): Promise<number>
  /**
   * Add one try, and refuse it where the window then has more than `most`.
   *
   * @param windowMs length of a window, if none is open yet
   * @throws TooManyTries with the end of the window
   */
  demandRoom(subject: string, windowMs: number, most: number): Promise<void>
  /** Take back a try that does not count after all. */
  giveBack(subject: string): Promise<void>
  dropEnded(): Promise<number>
}

export function createAttempts({ db: own, clock, crypto }: Pick<Platform, 'db' | 'clock' | 'crypto'>): Attempts {
  const indexOf = (subject: string): Buffer => crypto.blindIndex(`attempt ${subject}`)

  async function counted(db: Database, subject: string, until: number): Promise<{ count: number; until: number }> {
    const now = timestamp(clock.now())
    const row = { subject: indexOf(subject), count: 1, until: timestamp(until) }
    const stored = await db
      .insertInto('attempt')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet({
          count: sql<number>`CASE WHEN attempt.until <= ${now} THEN 1 ELSE attempt.count + 1 END`,
          until: sql<number>`CASE WHEN attempt.until <= ${now} THEN ${row.until} ELSE attempt.until END`,
        }),
      )
      .returning(['count', 'until'])
      .executeTakeFirstOrThrow()
    return { count: stored.count, until: Number(stored.until) }
  }

  return {
    add: async (db, subject, until) => (await counted(db, subject, until)).count,
    async demandRoom(subject, windowMs, most) {
      const now = clock.now()
      const { count, until } = await counted(own, subject, now + windowMs)
      if (count > most) throw new TooManyTries(until - now)
    },
    async giveBack(subject) {
      await own
        .updateTable('attempt')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('subject', '=', indexOf(subject))
        .where('until', '>', timestamp(clock.now()))
        .where('count', '>', 0)
        .execute()
    },
    async dropEnded() {
      const result = await own.deleteFrom('attempt').where('until', '<', timestamp(clock.now())).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}
