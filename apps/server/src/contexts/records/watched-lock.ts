/** The lock that separates the storing of records from the marking of those of the watch list. */
import { sql, type Transaction } from '../../platform/database/database.ts'

/** Storing records looks up whether a person is on the watch list; marking waits until records with such a lookup are stored. */
const LOCK = 7_140_064

export async function lockWatched(tx: Pick<Transaction, 'getExecutor'>, how: 'shared' | 'alone'): Promise<void> {
  const lock = sql.raw(how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`SELECT ${lock}(${LOCK})`.execute(tx)
}
