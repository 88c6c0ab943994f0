/**
 * Personal data of erased persons in exported files. A row cannot be removed from a file, so every erasure deletes all files of the park;
 * their tasks report that and can be retried. A task whose filter may name somebody is deleted too.
 */
import { exportStatus } from '@gatehouse/contract/enums'
import type { PersonHolder, Platform } from '../../platform/context.ts'
import * as data from './data.ts'

export function createExportsHolder(platform: Platform): PersonHolder {
  const database = platform.db
  return {
    place: 'exports',
    count: (scope) => data.countHolding(scope, database),
    async forget(tx, scope) {
      // Exports that begin after this read the records without the erased data.
      await data.holdBeginning(scope, tx)
      // First of all, so that exports finished meanwhile are among those with a file.
      await data.restartTasks(scope, tx)
      const deleted = [...(await data.deleteNaming(scope, tx)), ...(await data.failExported(scope, tx, 'erased'))]
      const fileIds = deleted.flatMap((task) => (task.status === exportStatus.exported ? task.fileIds : []))
      await platform.storage.release(tx, scope, fileIds)
      return { count: deleted.length, fileIds }
    },
  }
}
