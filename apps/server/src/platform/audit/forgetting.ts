/** Changes to existing entries: removes values for an erasure, and marks changes as about the watch list. */
import { sql } from '../database/database.ts'
import type { Audit } from './audit-types.ts'
import { LABEL_MAX } from './entries.ts'

export const createForgetting = (): Pick<Audit, 'forget' | 'markWatched'> => ({
  async forget(tx, entity, ids) {
    let entries = 0
    for (const id of ids) {
      const { numUpdatedRows } = await tx
        .updateTable('operationLog')
        .set((eb) => ({ changes: eb.fn<string>('forget_changes', ['changes', eb.val(entity), eb.val(id)]) }))
        .where('changes', '@>', JSON.stringify([{ entity, id }]) as never)
        .executeTakeFirst()
      entries += Number(numUpdatedRows)
      await tx
        .updateTable('readLog')
        .set({ reason: null })
        .where('subjects', '@>', sql<string[]>`ARRAY[${id}]`)
        .where('reason', 'is not', null)
        .execute()
    }
    return entries
  },
  async markWatched(tx, { parkId }, { ids, names }) {
    const isOne = sql<boolean>`(one->>'id' = ANY(${sql.val(ids)}::text[])
      OR (one ? 'labelMask' AND one->>'label' = ANY(${sql.val(names)}::text[])))`
    const changes = sql<string>`(SELECT jsonb_agg(CASE WHEN ${isOne} THEN one || '{"watched": true}' ELSE one END)
      FROM jsonb_array_elements(changes) one)`
    // One pattern per statement, so that the index of changes is used.
    for (const pattern of [...ids.map((id) => ({ id })), ...names.map((label) => ({ label: label.slice(0, LABEL_MAX) }))])
      await tx
        .updateTable('operationLog')
        .set({ changes })
        .where('parkId', '=', parkId)
        .where('changes', '@>', JSON.stringify([pattern]) as never)
        .execute()
  },
})
