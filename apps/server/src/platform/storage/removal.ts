/** Removal of released files, which waits while a backup is being taken. */
import { deletionAllowed } from '../database/backup-lock.ts'
import { oneOf, timestamp } from '../database/database.ts'
import type { Disk } from './disk.ts'
import type { StorageParts } from './saving-types.ts'
import { sweepUnknown } from './storage-unknown.ts'
import type { Storage } from './storage-types.ts'

const DAY_MS = 86_400_000
/** Files whose rows are removed in one transaction, which lasts as long as the disk takes to remove their bytes. */
const DROPPED_AT_ONCE = 20
/** Released files that a sweep reads at a time. */
const READ_AT_ONCE = 1000

export function createRemoval({ db, clock, files }: StorageParts, disk: Disk): Pick<Storage, 'erase' | 'sweep'> {
  /** Remove released files and their rows in batches. Return those that were left: all from the batch at which a backup had started. */
  async function drop(fileIds: readonly string[]): Promise<readonly string[]> {
    for (let from = 0; from < fileIds.length; from += DROPPED_AT_ONCE)
      if (!(await dropTogether(fileIds.slice(from, from + DROPPED_AT_ONCE)))) return fileIds.slice(from)
    return []
  }

  /** The same in one transaction. Return false, with nothing removed, while a backup is being taken. */
  async function dropTogether(fileIds: readonly string[]): Promise<boolean> {
    return db.transaction().execute(async (tx) => {
      if (!(await deletionAllowed(tx))) return false
      for (const fileId of fileIds) {
        // The row first: sealing the file again locks it, so that it cannot write the file after this.
        const { numDeletedRows } = await tx.deleteFrom('file').where('id', '=', fileId).where('kept', '=', false).executeTakeFirst()
        // Zero rows: it was kept meanwhile, or another process has removed it.
        if (numDeletedRows > 0n) await files.delete(fileId)
      }
      return true
    })
  }

  return {
    async erase(fileIds) {
      if (fileIds.length === 0) return []
      const rows = await db.selectFrom('file').select(['id', 'kept']).where('id', '=', oneOf(fileIds)).execute()
      const kept = rows.filter((row) => row.kept).map(({ id }) => id)
      const released = rows.filter((row) => !row.kept).map(({ id }) => id)
      return [...kept, ...(await drop(released))]
    },
    async sweep() {
      let swept = 0
      for (;;) {
        const rows = await db
          .selectFrom('file')
          .select('id')
          .where('kept', '=', false)
          .where('createdAt', '<', timestamp(clock.now() - DAY_MS))
          .limit(READ_AT_ONCE)
          .execute()
        const left = await drop(rows.map(({ id }) => id))
        swept += rows.length - left.length
        if (left.length > 0) return swept
        if (rows.length < READ_AT_ONCE) break
      }
      // Checked once more: without rows, no transaction has checked for a backup yet.
      if (!(await dropTogether([]))) return swept
      return swept + (await sweepUnknown(disk, db, clock.now()))
    },
  }
}
