/** Events and captures on their way to the server. They are numbered as records are, and on the disk before they are announced. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  ITEM_KINDS,
  type ItemNumber,
  type NumberedBatch,
  type NumberedItems,
  type NumberedKind,
  type NumberedOutbox,
} from '../device/numbered.ts'
import { transaction } from './database.ts'
import { createNumberedEpochs, type Epoch } from './numbered-epochs.ts'
import { createNumberedPictures } from './numbered-pictures.ts'
import { ACKNOWLEDGED_KEPT_DAYS } from './outbox.ts'
import type { Vault } from './vault.ts'

const DAY = 86_400_000

/** The outbox, which deletes old items. */
export interface StoredNumberedOutbox extends NumberedOutbox {
  /** Delete the oldest tenth of the pictures. @returns how many were deleted */
  makeRoom(): number
  /** Delete items that were acknowledged long enough ago, and their pictures. */
  prune(): void
  /** Delete items of a kind that were acknowledged before a moment, epoch milliseconds, and whose pictures have been sent, with these. */
  forgetSent(kind: NumberedKind, before: number): void
  /** Delete everything; new items are numbered in new epochs. @returns how many items the server never received */
  clear(): number
}

type StoredItem = { seq: number; body: string | null; sealed: Uint8Array | null }

const boundTo = (kind: NumberedKind, epoch: string, seq: number): string => `numbered ${kind} ${epoch} ${seq}`

/** The statements on stored items. */
const statementsOf = (database: DatabaseSync) => ({
  insert: database.prepare('INSERT INTO numbered_item (epoch, seq, body, sealed) VALUES (?, ?, ?, ?)'),
  oldest: database.prepare('SELECT min(seq) AS seq FROM numbered_item WHERE epoch = ?'),
  waitingOf: database.prepare(
    'SELECT seq, body, sealed FROM numbered_item WHERE epoch = ? AND acknowledged_at IS NULL ORDER BY seq LIMIT ?',
  ),
  latestOf: database.prepare(`
    SELECT i.seq, i.body, i.sealed, e.number, e.name, e.last_seq AS lastSeq FROM numbered_item i JOIN numbered_epoch e ON e.number = i.epoch
    WHERE e.kind = ? ORDER BY i.epoch DESC, i.seq DESC LIMIT ?`),
  resend: database.prepare('UPDATE numbered_item SET acknowledged_at = NULL WHERE epoch = ? AND seq > ? AND acknowledged_at IS NOT NULL'),
  acknowledge: database.prepare('UPDATE numbered_item SET acknowledged_at = ? WHERE epoch = ? AND seq <= ? AND acknowledged_at IS NULL'),
  lastAcknowledged: database.prepare('SELECT max(acknowledged_at) AS since FROM numbered_item WHERE epoch = ? AND seq <= ?'),
  dropUpTo: database.prepare('DELETE FROM numbered_item WHERE epoch = ? AND seq <= ?'),
  count: database.prepare(`
    SELECT count(*) AS waiting FROM numbered_item i JOIN numbered_epoch e ON e.number = i.epoch
    WHERE e.kind = ? AND i.acknowledged_at IS NULL`),
})

/** Create what opens stored items. @param dropUpTo deletes the items of an epoch up to a number */
function createReading(vault: Vault, dropUpTo: StatementSync) {
  function opened<Kind extends NumberedKind>(kind: Kind, { name }: Epoch, { seq, body, sealed }: StoredItem): NumberedItems[Kind] {
    const text = sealed === null ? body! : Buffer.from(vault.open(sealed, boundTo(kind, name, seq))).toString()
    return ITEM_KINDS[kind].schema.parse(JSON.parse(text))
  }

  /** Return the items that can be read, up to the first that cannot after some that can. */
  function readable<Kind extends NumberedKind>(kind: Kind, epoch: Epoch, rows: readonly StoredItem[]): NumberedItems[Kind][] {
    const items: NumberedItems[Kind][] = []
    for (const row of rows) {
      try {
        items.push(opened(kind, epoch, row))
      } catch {
        if (items.length > 0) break
        // Sealed under a key that no longer exists, like all before it: the server gives these numbers up.
        dropUpTo.run(epoch.number, row.seq)
      }
    }
    return items
  }

  return { opened, readable }
}

/** Open the outbox of a store. @param pictureQuota bytes that all its pictures together may take */
export function createNumberedOutbox(
  database: DatabaseSync,
  vault: Vault,
  clock: () => number,
  pictureQuota: number,
): StoredNumberedOutbox {
  const pictures = createNumberedPictures(database, vault, clock, pictureQuota)
  const epochs = createNumberedEpochs(database)
  const { insert, oldest, waitingOf, latestOf, resend, acknowledge, lastAcknowledged, dropUpTo, count } = statementsOf(database)

  const oldestSeqOf = ({ number, lastSeq }: Epoch): number => (oldest.get(number) as { seq: number | null }).seq ?? lastSeq + 1

  const { opened, readable } = createReading(vault, dropUpTo)

  function waiting<Kind extends NumberedKind>(kind: Kind, limit: number): NumberedBatch<Kind> | null {
    for (let epoch = epochs.waiting(kind); epoch; epoch = epochs.waiting(kind)) {
      const items = readable(kind, epoch, waitingOf.all(epoch.number, limit) as StoredItem[])
      if (items.length > 0) return { epoch: epoch.name, oldestSeq: oldestSeqOf(epoch), items }
    }
    return null
  }

  /** @returns whether items that the server had must be sent again */
  function adopt({ number }: Epoch, ackSeq: number): boolean {
    const isResending = resend.run(number, ackSeq).changes > 0
    if (isResending) {
      // The backup is not older than the newest item in it. Pictures sent since then, of older items too, may be lost with the rest.
      const { since } = lastAcknowledged.get(number, ackSeq) as { since: number | null }
      pictures.sendAgain(since ?? 0)
    }
    acknowledge.run(clock(), number, ackSeq)
    return isResending
  }

  /** Store an item under the next number. */
  function write(kind: NumberedKind, item: object, picture: Uint8Array | undefined): ItemNumber {
    const { number, epoch, seq } = epochs.next(kind)
    const { schema, isSealed } = ITEM_KINDS[kind]
    const text = JSON.stringify(schema.parse({ ...item, seq, hasPicture: picture !== undefined }))
    if (isSealed) insert.run(number, seq, null, vault.seal(Buffer.from(text), boundTo(kind, epoch, seq)))
    else insert.run(number, seq, text, null)
    if (picture) pictures.add({ number, epoch, seq }, picture)
    return { epoch, seq }
  }

  /**
   * Number what waits in an epoch anew, in a new one. The server has more of the epoch than was made here, and may have other items under
   * these numbers: what it had of them is sent twice rather than any of them not at all.
   */
  function renumber(kind: NumberedKind, epoch: Epoch): void {
    if (epochs.newest(kind)?.number === epoch.number) epochs.begin(kind)
    const renumbered = new Map<number, number>()
    const rows = waitingOf.all(epoch.number, -1) as StoredItem[]
    for (const item of rows.flatMap((row) => readable(kind, epoch, [row]))) {
      const picture = pictures.take({ epoch: epoch.name, seq: item.seq })
      const endOf = 'endOf' in item ? item.endOf : null
      // The end of what was not renumbered refers to nothing; the server ends it when the next of its kind begins.
      if (endOf !== null && !renumbered.has(endOf)) continue
      const { seq } = write(kind, endOf === null ? item : { ...item, endOf: renumbered.get(endOf) }, picture)
      renumbered.set(item.seq, seq)
    }
    acknowledge.run(clock(), epoch.number, epoch.lastSeq)
  }

  return {
    append: (kind, item, picture, alsoWrite) =>
      transaction(database, () => {
        alsoWrite?.()
        return write(kind, item, picture)
      }),
    epoch: (kind) => epochs.newest(kind)?.name ?? null,
    questions: (kind) => epochs.kept(kind).map((epoch) => ({ epoch: epoch.name, oldestSeq: oldestSeqOf(epoch), items: [] })),
    waiting,
    settle(kind, name, ackSeq) {
      const epoch = epochs.ofName(kind, name)
      if (!epoch) return 'agreed'
      return transaction(database, () => {
        if (ackSeq <= epoch.lastSeq) return adopt(epoch, ackSeq) ? 'resending' : 'agreed'
        renumber(kind, epoch)
        return 'newEpoch'
      })
    },
    nextPicture: pictures.next,
    pictureSent: (_kind, item) => pictures.sent(item),
    dropPicture: (_kind, item) => pictures.drop(item),
    latest(kind, limit) {
      try {
        const rows = latestOf.all(kind, limit) as (StoredItem & { number: number; name: string; lastSeq: number })[]
        return rows.map((row) => ({ ...opened(kind, row, row), epoch: row.name, seq: row.seq }))
      } catch {
        // Sealed under a key that no longer exists.
        return []
      }
    },
    length: (kind) => (count.get(kind) as { waiting: number }).waiting,
    makeRoom: pictures.makeRoom,
    prune() {
      database.prepare('DELETE FROM numbered_item WHERE acknowledged_at < ?').run(clock() - ACKNOWLEDGED_KEPT_DAYS * DAY)
      pictures.prune()
    },
    forgetSent(kind, before) {
      database
        .prepare(
          `DELETE FROM numbered_item AS i WHERE acknowledged_at <= ?
            AND epoch IN (SELECT number FROM numbered_epoch WHERE kind = ?)
            AND NOT EXISTS (SELECT 1 FROM numbered_picture p WHERE p.epoch = i.epoch AND p.seq = i.seq AND p.sent_at IS NULL)`,
        )
        .run(before, kind)
      pictures.prune()
    },
    clear() {
      const lost = database.prepare('SELECT count(*) AS waiting FROM numbered_item WHERE acknowledged_at IS NULL').get()
      transaction(database, () => database.exec('DELETE FROM numbered_picture; DELETE FROM numbered_item; DELETE FROM numbered_epoch'))
      return (lost as { waiting: number }).waiting
    },
  }
}
