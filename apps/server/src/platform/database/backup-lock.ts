/** Prevents the deletion of stored files while a backup copies them: the backup's database snapshot refers to them. */
import type { Client } from 'pg'
import { isLockTimeout, sql, type Transaction } from './database.ts'

const BACKUP_LOCK = 7_140_071
/** Seconds a backup waits for deletions that have started. */
const PATIENCE = 60

/** Return whether files may be deleted in this transaction. If so, no backup starts before the transaction ends. */
export async function deletionAllowed(tx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`SELECT pg_try_advisory_xact_lock_shared(${BACKUP_LOCK}) AS allowed`.execute(tx)
  return rows[0]?.allowed === true
}

/**
 * Stop the deletion of files until the connection ends.
 * @throws Error with a sentence if another backup is being taken
 */
export async function holdDeletions(client: Client): Promise<void> {
  await client.query(`SET lock_timeout = '${PATIENCE}s'`)
  try {
    await client.query('SELECT pg_advisory_lock($1)', [BACKUP_LOCK])
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw new Error('Another backup of this installation is being taken.', { cause: error })
  }
}
