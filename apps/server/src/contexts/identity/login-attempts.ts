/**
 * Counts tries: failed logins of an address, codes asked for in a day, and what other contexts bound. Kept in a table, because
 * several nodes count together.
 */
import type { Platform } from '../../platform/context.ts'
import { sql, timestamp, type Database } from '../../platform/database.ts'
import type { IdentityTables } from './schema.ts'

export interface Attempts {
  /** Adds one. @param until end of the window, if none runs yet @returns how many there are in it */
  add(db: Database<IdentityTables>, subject: string, until: number): Promise<number>
  /** Take one back that turned out not to count. */
  giveBack(subject: string): Promise<void>
  dropEnded(): Promise<number>
}

export function createAttempts({ db: untyped, clock, crypto }: Pick<Platform, 'db' | 'clock' | 'crypto'>): Attempts {
  const own = untyped as unknown as Database<IdentityTables>
  const indexOf = (subject: string): Buffer => crypto.blindIndex(`attempt ${subject}`)
  return {
    async add(db, subject, until) {
      const now = timestamp(clock.now())
      const row = { subject: indexOf(subject), count: 1, until: timestamp(until) }
      const { count } = await db
        .insertInto('attempt')
        .values(row)
        .onConflict((conflict) =>
          conflict.column('subject').doUpdateSet({
            count: sql<number>`CASE WHEN attempt.until <= ${now} THEN 1 ELSE attempt.count + 1 END`,
            until: sql<number>`CASE WHEN attempt.until <= ${now} THEN ${row.until} ELSE attempt.until END`,
          }),
        )
        .returning('count')
        .executeTakeFirstOrThrow()
      return count
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
