/** Pictures of records on their way to the server, sealed. They are deleted when space runs out; records never are. */
import type { DatabaseSync } from 'node:sqlite'
import type { PictureOutbox } from '../device/store.ts'
import { transaction } from './database.ts'
import { ACKNOWLEDGED_KEPT_DAYS } from './outbox.ts'
import type { Vault } from './vault.ts'

const DAY = 86_400_000

/** The picture outbox, which can be emptied to make room. */
export interface StoredPictures extends PictureOutbox {
  /** Delete the oldest tenth of all pictures. @returns how many were deleted */
  makeRoom(): number
  /** Delete pictures that were sent long enough ago. */
  prune(): void
  /** Delete all pictures. */
  clear(): void
}

/** @param quota bytes that all pictures together may take */
export function createPictureOutbox(database: DatabaseSync, vault: Vault, clock: () => number, quota: number): StoredPictures {
  const insert = database.prepare('INSERT OR IGNORE INTO picture (record_id, bytes, image) VALUES (?, ?, ?)')
  const next = database.prepare(`
    SELECT p.record_id AS recordId, p.image FROM picture p JOIN record r ON r.id = p.record_id
    WHERE p.sent_at IS NULL AND r.acknowledged_at IS NOT NULL ORDER BY p.number LIMIT 1`)
  const count = database.prepare('SELECT count(*) AS waiting FROM picture WHERE sent_at IS NULL')
  const oldest = database.prepare('DELETE FROM picture WHERE number = (SELECT min(number) FROM picture) RETURNING bytes, sent_at AS sentAt')
  const total = () => (database.prepare('SELECT coalesce(sum(bytes), 0) AS bytes FROM picture').get() as { bytes: number }).bytes
  let storedBytes = total()

  function dropOldest(): { bytes: number; sentAt: number | null } | undefined {
    const dropped = oldest.get() as { bytes: number; sentAt: number | null } | undefined
    storedBytes -= dropped?.bytes ?? 0
    return dropped
  }

  const oldestWaiting = () => next.get() as { recordId: string; image: Uint8Array } | undefined

  function drop(recordId: string): void {
    database.prepare('DELETE FROM picture WHERE record_id = ?').run(recordId)
    storedBytes = total()
  }

  return {
    add(recordId, image) {
      const sealed = vault.seal(image, recordId)
      try {
        return transaction(database, () => {
          let unsent = 0
          while (storedBytes + sealed.length > quota) {
            const dropped = dropOldest()
            if (!dropped) break
            if (dropped.sentAt === null) unsent++
          }
          if (insert.run(recordId, sealed.length, sealed).changes > 0) storedBytes += sealed.length
          return unsent
        })
      } catch (error) {
        storedBytes = total()
        throw error
      }
    },

    next() {
      for (let row = oldestWaiting(); row; row = oldestWaiting()) {
        try {
          return { recordId: row.recordId, image: vault.open(row.image, row.recordId) }
        } catch {
          // Sealed under a key that no longer exists.
          drop(row.recordId)
        }
      }
      return null
    },

    sent(recordId) {
      database.prepare('UPDATE picture SET sent_at = ? WHERE record_id = ?').run(clock(), recordId)
    },

    drop,

    length: () => (count.get() as { waiting: number }).waiting,

    makeRoom() {
      const { pictures } = database.prepare('SELECT count(*) AS pictures FROM picture').get() as { pictures: number }
      const tenth = Math.ceil(pictures / 10)
      for (let dropped = 0; dropped < tenth; dropped++) dropOldest()
      return tenth
    },

    clear() {
      database.exec('DELETE FROM picture')
      storedBytes = 0
    },

    prune() {
      database.prepare('DELETE FROM picture WHERE sent_at < ?').run(clock() - ACKNOWLEDGED_KEPT_DAYS * DAY)
      database.exec('DELETE FROM picture WHERE record_id NOT IN (SELECT id FROM record)')
      storedBytes = total()
    },
  }
}
