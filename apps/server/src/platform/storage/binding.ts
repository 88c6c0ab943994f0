/** Binds files to their names that are from before sealed bytes were bound. */
import { oneOf } from '../database/database.ts'
import type { StorageParts } from './saving-types.ts'
import type { Storage } from './storage-types.ts'
import { VARIANTS } from './variants.ts'

/** Files sealed again in one transaction. */
const BOUND_AT_ONCE = 100

export const createBinding = ({ db, files }: StorageParts): Pick<Storage, 'bindFormer'> => ({
  bindFormer: () =>
    db.transaction().execute(async (tx) => {
      const rows = await tx
        .selectFrom('file')
        .select(['id', 'parkId'])
        .where('bound', '=', false)
        .orderBy('id')
        .limit(BOUND_AT_ONCE)
        .forUpdate()
        .skipLocked()
        .execute()
      for (const { id, parkId } of rows) for (const variant of VARIANTS) await files.bind(parkId, id, variant)
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await tx.updateTable('file').set({ bound: true }).where('id', '=', oneOf(ids)).execute()
      return rows.length
    }),
})
