/** The operation log with decrypted values, which the table stores encrypted. */
import type { World } from '@gatehouse/dev-env/world'
import { openChanges, type OpenedChange, type StoredChange } from '@gatehouse/server/platform/audit/sealed'
import { query } from './embedded-postgres.ts'

/** Return the changes of all entries, the oldest entry first. */
export async function openedLog(world: Pick<World, 'server' | 'connectionString'>): Promise<OpenedChange[]> {
  const rows = await query<{ id: string; park: string; changes: StoredChange[] }>(
    world.connectionString,
    'SELECT id, park_id AS park, changes FROM operation_log ORDER BY occurred_at, id',
  )
  const opened = await Promise.all(rows.map(({ id, park, changes }) => openChanges(world.server.platform.crypto, park, id, changes)))
  return opened.flat()
}
