/** Pictures of numbered items on their way to the server, sealed. They are deleted when space runs out. */
import type { DatabaseSync } from 'node:sqlite'
import type { ItemNumber, ItemPicture, NumberedKind } from '../device/numbered.ts'
import { ACKNOWLEDGED_KEPT_DAYS } from './outbox.ts'
import type { Vault } from './vault.ts'

const DAY = 86_400_000

export interface NumberedPictures {
  /** Store the picture of an item; the oldest give way. One that is larger than the quota is not stored. */
  add(epoch: ItemNumber & { number: number }, image: Uint8Array): void
  next(kind: NumberedKind): ItemPicture | null
  sent(item: ItemNumber): void
  drop(item: ItemNumber): void
  /** Delete the picture of an item and return it; undefined if there is none that can be opened. */
  take(item: ItemNumber): Uint8Array | undefined
  /** Send pictures again that were sent since an instant, epoch milliseconds. */
  sendAgain(since: number): void
  /** Delete the oldest tenth. @returns how many were deleted */
  makeRoom(): number
  /** Delete pictures that were sent long enough ago, or whose item is gone. */
  prune(): void
}

const boundTo = ({ epoch, seq }: ItemNumber): string => `numbered picture ${epoch} ${seq}`

/** @param quota bytes that all these pictures together may take */
export function createNumberedPictures(database: DatabaseSync, vault: Vault, clock: () => number, quota: number): NumberedPictures {
  const insert = database.prepare('INSERT OR IGNORE INTO numbered_picture (epoch, seq, bytes, image) VALUES (?, ?, ?, ?)')
  const total = database.prepare('SELECT coalesce(sum(bytes), 0) AS bytes, count(*) AS pictures FROM numbered_picture')
  const oldest = database.prepare('DELETE FROM numbered_picture WHERE number = (SELECT min(number) FROM numbered_picture) RETURNING bytes')
  const next = database.prepare(`
    SELECT e.name AS epoch, p.seq, p.image FROM numbered_picture p JOIN numbered_epoch e ON e.number = p.epoch
      JOIN numbered_item i ON i.epoch = p.epoch AND i.seq = p.seq
    WHERE p.sent_at IS NULL AND e.kind = ? AND i.acknowledged_at IS NOT NULL ORDER BY p.number LIMIT 1`)
  const ITEM = 'epoch = (SELECT number FROM numbered_epoch WHERE name = ?) AND seq = ?'
  const drop = database.prepare(`DELETE FROM numbered_picture WHERE ${ITEM}`)
  const take = database.prepare(`DELETE FROM numbered_picture WHERE ${ITEM} RETURNING image`)
  const sent = database.prepare(`UPDATE numbered_picture SET sent_at = ? WHERE ${ITEM}`)

  const stored = () => total.get() as { bytes: number; pictures: number }

  return {
    add({ number, ...item }, image) {
      const sealed = vault.seal(image, boundTo(item))
      if (sealed.length > quota) return
      let { bytes } = stored()
      while (bytes + sealed.length > quota) bytes -= (oldest.get() as { bytes: number }).bytes
      insert.run(number, item.seq, sealed.length, sealed)
    },
    next(kind) {
      for (let row = next.get(kind); row; row = next.get(kind)) {
        const { image, ...item } = row as ItemPicture
        try {
          return { ...item, image: vault.open(image, boundTo(item)) }
        } catch {
          // Sealed under a key that no longer exists.
          drop.run(item.epoch, item.seq)
        }
      }
      return null
    },
    sent: ({ epoch, seq }) => void sent.run(clock(), epoch, seq),
    drop: ({ epoch, seq }) => void drop.run(epoch, seq),
    take(item) {
      const row = take.get(item.epoch, item.seq) as { image: Uint8Array } | undefined
      try {
        return row && vault.open(row.image, boundTo(item))
      } catch {
        // Sealed under a key that no longer exists.
        return undefined
      }
    },
    sendAgain: (since) => void database.prepare('UPDATE numbered_picture SET sent_at = NULL WHERE sent_at >= ?').run(since),
    makeRoom() {
      const tenth = Math.ceil(stored().pictures / 10)
      for (let dropped = 0; dropped < tenth; dropped++) oldest.get()
      return tenth
    },
    prune() {
      database.prepare('DELETE FROM numbered_picture WHERE sent_at < ?').run(clock() - ACKNOWLEDGED_KEPT_DAYS * DAY)
      database.exec(`DELETE FROM numbered_picture AS p WHERE NOT EXISTS
        (SELECT 1 FROM numbered_item i WHERE i.epoch = p.epoch AND i.seq = p.seq)`)
    },
  }
}
