/**
 * Records on their way to the server. They are numbered from 1 without gaps within an epoch, and on the disk before they are announced.
 * They stay for some days after the server has them, so that a server restored from its backup can request them again.
 */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { recordObject } from '@gatehouse/contract/device/protocol-records'
import { recordId } from '../device/record-id.ts'
import type { Outbox, StoredUpTo } from '../device/store.ts'
import { transaction } from './database.ts'
import { createErasing } from './erasures.ts'
import { createSealedRecords, type KeptRecord } from './sealed-names.ts'
import type { Vault } from './vault.ts'

const DAY = 86_400_000
/** No terminal ever numbers as much: a higher number means that the file was tampered with. */
export const HIGHEST_NUMBER = 1_000_000_000_000
export const ACKNOWLEDGED_KEPT_DAYS = 7

/** The outbox, which deletes old records. */
export interface StoredOutbox extends Outbox {
  /** Drops records that were acknowledged long enough ago. */
  prune(): void
  /** Delete all records, and begin a new epoch. @returns how many the server never received */
  clear(): number
}

/** Open the outbox of a store. */
export function createOutbox(database: DatabaseSync, vault: Vault, clock: () => number): StoredOutbox {
  let current = newestEpoch() ?? beginEpoch()
  const erasing = createErasing(database)
  const records = createSealedRecords(vault)

  const nextSeq = database.prepare('UPDATE epoch SET last_seq = last_seq + 1 WHERE number = ? RETURNING last_seq AS seq')
  const insert = database.prepare('INSERT INTO record (epoch, seq, id, body, sealed) VALUES (?, ?, ?, ?, ?)')
  const epochs = database.prepare(
    'SELECT DISTINCT e.number, e.name FROM record r JOIN epoch e ON e.number = r.epoch WHERE r.acknowledged_at IS NULL ORDER BY e.number',
  )
  const keptEpochs = database.prepare(
    'SELECT name FROM epoch e WHERE number = ? OR EXISTS (SELECT 1 FROM record r WHERE r.epoch = e.number) ORDER BY number',
  )
  const oldest = database.prepare('SELECT min(seq) AS seq FROM record WHERE epoch = ?')
  const waitingOf = database.prepare(
    'SELECT id, body, sealed FROM record WHERE epoch = ? AND seq > ? AND acknowledged_at IS NULL ORDER BY seq LIMIT ?',
  )
  const acknowledge = database.prepare(
    'UPDATE record SET acknowledged_at = ? WHERE epoch = (SELECT number FROM epoch WHERE name = ?) AND seq <= ' +
      '? AND acknowledged_at IS NULL',
  )
  const count = database.prepare('SELECT count(*) AS waiting FROM record WHERE acknowledged_at IS NULL')

  function newestEpoch(): { number: number; name: string } | undefined {
    const newest = database
      .prepare(`SELECT number, name, last_seq BETWEEN 0 AND ${HIGHEST_NUMBER} AS usable FROM epoch ORDER BY number DESC LIMIT 1`)
      .get() as { number: number; name: string; usable: number } | undefined
    // No terminal reaches such a number, so the file was tampered with, and there is no number after it.
    return newest?.usable === 1 ? newest : undefined
  }

  function beginEpoch(): { number: number; name: string } {
    return database.prepare('INSERT INTO epoch (name) VALUES (?) RETURNING number, name').get(randomUUID()) as {
      number: number
      name: string
    }
  }

  const lastSeq = () => (database.prepare('SELECT last_seq AS seq FROM epoch WHERE number = ?').get(current.number) as { seq: number }).seq

  /** @returns whether records that the server had must be sent again */
  function takeOver({ epoch, ackSeq }: StoredUpTo): boolean {
    const existing = database.prepare('SELECT number, last_seq AS lastSeq FROM epoch WHERE name = ?').get(epoch) as
      | { number: number; lastSeq: number }
      | undefined
    // The server has more than was ever made here, and may have other records under the same numbers: it must acknowledge record by record.
    if (!existing || ackSeq > existing.lastSeq) return false
    const { since } = database
      .prepare('SELECT max(acknowledged_at) AS since FROM record WHERE epoch = ? AND seq <= ?')
      .get(existing.number, ackSeq) as { since: number | null }
    acknowledge.run(clock(), epoch, ackSeq)
    const lost = database.prepare('UPDATE record SET acknowledged_at = NULL WHERE epoch = ? AND seq > ? AND acknowledged_at IS NOT NULL')
    if (lost.run(existing.number, ackSeq).changes === 0) return false
    // The backup is not older than the newest record in it. Pictures sent since then, of older records too, may be lost with the rest.
    database.prepare('UPDATE picture SET sent_at = NULL WHERE sent_at >= ?').run(since ?? 0)
    return true
  }

  return {
    epoch: () => current.name,
    epochs: () => (keptEpochs.all(current.number) as { name: string }[]).map(({ name }) => name),

    append(deviceId, record) {
      return transaction(database, () => {
        const { seq } = nextSeq.get(current.number) as { seq: number }
        // A record that the server would refuse would block all later ones, so it is refused here, before it gets a number.
        const whole = recordObject.parse({ ...record, seq })
        const id = recordId(deviceId, current.name, seq)
        const { body, sealed } = records.seal(id, whole)
        insert.run(current.number, seq, id, body, sealed)
        return { id, epoch: current.name, seq }
      })
    },

    waiting(beyond, limit) {
      for (const { number, name } of epochs.all() as { number: number; name: string }[]) {
        const rows = waitingOf.all(number, beyond.get(name) ?? 0, limit) as (KeptRecord & { id: string })[]
        if (rows.length === 0) continue
        const { seq: oldestSeq } = oldest.get(number) as { seq: number }
        return { epoch: name, oldestSeq, records: rows.map(({ id, ...kept }) => records.open(id, kept)) }
      }
      return null
    },

    acknowledge(epoch, upTo) {
      acknowledge.run(clock(), epoch, upTo)
      erasing.finish()
    },

    reconcile(stored) {
      const ahead = stored.some(({ epoch, ackSeq }) => epoch === current.name && ackSeq > lastSeq())
      if (ahead) current = beginEpoch()
      const resending = transaction(database, () => stored.filter(takeOver).length > 0)
      erasing.finish()
      return ahead ? 'newEpoch' : resending ? 'resending' : 'agreed'
    },

    length: () => (count.get() as { waiting: number }).waiting,

    clear() {
      const { waiting } = count.get() as { waiting: number }
      current = transaction(database, () => {
        database.exec('DELETE FROM record; DELETE FROM epoch')
        return beginEpoch()
      })
      return waiting
    },

    prune() {
      database.prepare('DELETE FROM record WHERE acknowledged_at < ?').run(clock() - ACKNOWLEDGED_KEPT_DAYS * DAY)
    },
  }
}
