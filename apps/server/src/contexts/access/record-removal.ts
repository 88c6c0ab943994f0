/** The removal of many access records with everything that depends on them. */
import type { Platform } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deleteCorrections, type Tables as ClinicTables } from './clinic-data.ts'
import { deleteNamesOf } from './record-names-data.ts'
import * as data from './records-data.ts'
import type { RecordNameTables } from './schema-record-names.ts'
import type { AccessTables } from './schema.ts'
import { deleteAnswers } from './second-photographs-data.ts'
import { cellsOf } from './statistics-cells.ts'
import type { StatisticsCounting } from './statistics-counting.ts'
import { insertDeleted } from './statistics-data.ts'
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

export function createRecordRemoval(platform: Platform, counting: StatisticsCounting): RemoveRecords {
  const removeSome = (scope: Scope, of: data.RecordsOf): Promise<number> =>
    platform.transaction(async (tx: Tx<AccessTables>) => {
      const deleted = await data.deleteRecordsOf(scope, tx, of, AT_ONCE)
      await insertDeleted(scope, tx, cellsOf(deleted, -1))
      await platform.storage.release(
        tx,
        scope,
        deleted.flatMap(({ capture_file_id: fileId }) => fileId ?? []),
      )
      await deleteCorrections(
        scope,
        tx as unknown as Tx<ClinicTables>,
        deleted.map(({ id }) => id),
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
    await platform.transaction(async (tx: Tx<AccessTables>) => {
      await data.deleteNumberingOf(scope, tx, of.deviceIds)
      await deleteNamesOf(scope, tx as unknown as Tx<RecordNameTables>, of.personIds)
    })
    await counting.dropEmpty(scope)
    return removed
  }
}
