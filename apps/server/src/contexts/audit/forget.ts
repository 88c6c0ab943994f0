/** What the logs keep of a park whose content is erased: the actions and their users, and nothing about its persons. */
import { sql, type Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

/**
 * Remove names and values of persons from the operation log of a park, and delete its log of reads. @returns the number of entries of each
 */
export async function forgetPark(tx: Transaction, scope: Scope): Promise<Record<string, number>> {
  const emptied = await tx
    .updateTable('operationLog')
    .set({
      changes: sql<string>`(SELECT jsonb_agg(CASE WHEN one ? 'personal'
        THEN jsonb_build_object('entity', one->'entity', 'id', one->'id')
          || CASE WHEN one ? 'watched' THEN '{"watched": true}'::jsonb ELSE '{}'::jsonb END ELSE one END)
          FROM jsonb_array_elements(changes) one)`,
    })
    .where('parkId', '=', scope.parkId)
    .where(sql<boolean>`jsonb_path_exists(changes, '$[*].personal')`)
    .executeTakeFirst()
  const reads = await tx.deleteFrom('readLog').where('parkId', '=', scope.parkId).executeTakeFirst()
  return { logEntriesEmptied: Number(emptied.numUpdatedRows), logReads: Number(reads.numDeletedRows) }
}
