/** Keeps the storing of records and the marking of those of the watch list apart. */
import { sql, type Tx } from '../../platform/database/database.ts'

/** Whoever stores records looks whose they are; whoever marks them again waits until what was looked up is stored. */
const LOCK = 7_140_064

export async function lockWatched(tx: Pick<Tx<never>, 'getExecutor'>, how: 'shared' | 'alone'): Promise<void> {
  const lock = sql.raw(how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`SELECT ${lock}(${LOCK})`.execute(tx as Tx<never>)
}
