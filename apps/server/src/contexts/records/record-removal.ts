/** The removal of many access records with everything that depends on them. */
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deleteNamesOf } from './record-names-data.ts'
import * as data from './record-removal-data.ts'
import { deleteAnswers } from './second-photographs-data.ts'
import { recordCompanions } from './extension-points.ts'
import { deleteHits } from './watch-list-hits-data.ts'

/**
 * Delete the records of these persons at any device, the records without a person at these devices, and the numbering of
 * these devices; statistics no longer count them. The persons and devices must have been deleted before. May be repeated.
 * @param onPart called between transactions; throwing ends the removal there
 * @returns how many records were deleted
 */
export type RemoveRecords = (scope: Scope, of: data.RecordsOf, onPart: () => Promise<void>) => Promise<number>

/** Records of one transaction. */
const AT_ONCE = 2_000

export function createRecordRemoval(platform: Platform): RemoveRecords {
  const removeSome = (scope: Scope, of: data.RecordsOf): Promise<number> =>
    platform.transaction(async (tx) => {
      const deleted = await data.deleteRecordsOf(scope, tx, of, AT_ONCE)
      for (const companion of platform.extensions.all(recordCompanions)) await companion.deleted?.(tx, scope, deleted)
      await platform.storage.release(
        tx,
        scope,
        deleted.flatMap(({ captureFileId: fileId }) => fileId ?? []),
      )
      for (const deleteNotes of [deleteHits, deleteAnswers])
        await deleteNotes(
          scope,
          tx,
          deleted.map(({ id }) => id),
        )
      return deleted.length
    })

  return async (scope, of, onPart) => {
    let removed = 0
    for (let some = AT_ONCE; some === AT_ONCE; removed += some) {
      await onPart()
      some = await removeSome(scope, of)
    }
    await platform.transaction(async (tx) => {
      await data.deleteNumberingOf(scope, tx, of.deviceIds)
      await deleteNamesOf(scope, tx, of.personIds)
      for (const companion of platform.extensions.all(recordCompanions)) await companion.unnumbered?.(tx, scope, of.deviceIds)
    })
    for (const companion of platform.extensions.all(recordCompanions)) await companion.emptied?.(scope)
    return removed
  }
}
