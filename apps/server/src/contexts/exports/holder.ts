/**
 * What exported files may still tell of somebody who is erased. Nobody can take a row out of them: every file of the park goes
 * with any erasure, and its task says so and can be asked for again; a task whose filter may name somebody goes too.
 */
import { exportStatus } from '@gatehouse/contract/enums'
import type { PersonHolder, Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import * as data from './data.ts'
import type { ExportTables } from './schema.ts'

export function createExportsHolder(platform: Platform): PersonHolder {
  const database = platform.db as unknown as Database<ExportTables>
  return {
    place: 'exports',
    count: (scope) => data.countHolding(scope, database),
    async forget(open, scope) {
      const tx = open as Tx<ExportTables>
      // What begins after this reads the records as the erasure leaves them.
      await data.holdBeginning(scope, tx)
      // First of all: what is finished meanwhile is among those that have a file.
      await data.beginAnew(scope, tx)
      const gone = [...(await data.deleteNaming(scope, tx)), ...(await data.failExported(scope, tx, 'erased'))]
      const fileIds = gone.flatMap((task) => (task.status === exportStatus.exported ? task.fileIds : []))
      await platform.storage.release(tx, scope, fileIds)
      return { count: gone.length, fileIds }
    },
  }
}
