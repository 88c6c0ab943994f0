/** What the logs keep of a park whose content is erased: that something was done and by whom, nothing about the people it was about. */
import type { AuditTables } from '../../platform/audit/migration.ts'
import { sql, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Takes names and values of persons out of the operation log of a park, and drops its log of reads. Answers how many entries of each. */
export async function forgetPark(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>> {
  const own = tx as unknown as Tx<AuditTables>
  const emptied = await own
    .updateTable('operation_log')
    .set({
      changes: sql<string>`(SELECT jsonb_agg(CASE WHEN one ? 'personal'
        THEN jsonb_build_object('entity', one->'entity', 'id', one->'id')
          || CASE WHEN one ? 'watched' THEN '{"watched": true}'::jsonb ELSE '{}'::jsonb END ELSE one END) FROM jsonb_array_elements(changes) one)`,
    })
    .where('park_id', '=', scope.parkId)
    .where(sql<boolean>`jsonb_path_exists(changes, '$[*].personal')`)
    .executeTakeFirst()
  const reads = await own.deleteFrom('read_log').where('park_id', '=', scope.parkId).executeTakeFirst()
  return { logEntriesEmptied: Number(emptied.numUpdatedRows), logReads: Number(reads.numDeletedRows) }
}
