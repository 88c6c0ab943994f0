/** Keeps the bytes of stored files in place while a backup copies them: its database snapshot refers to them. */
import type { Client } from 'pg'
import { sql, type Tx } from './database.ts'

const BACKUP_LOCK = 7_140_071
/** Seconds a backup waits for deletions that have begun. */
const PATIENCE = 60
const LOCK_TIMEOUT = '55P03'

/** Return whether files may be deleted in this transaction. If so, no backup begins before the transaction ends. */
export async function deletionAllowed<Tables>(tx: Tx<Tables>): Promise<boolean> {
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
    if ((error as { code?: string }).code !== LOCK_TIMEOUT) throw error
    throw new Error('Another backup of this installation is being taken.', { cause: error })
  }
}
