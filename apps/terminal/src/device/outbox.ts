/**
 * Records on their way to the server. Numbered from 1 without gaps within an epoch, on the disk before anybody hears of
 * them, kept some days after the server has them so that a server restored from its backup can ask again.
 */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { recordObject, type RecordObject } from '@gatehouse/contract/device/protocol'
import { transaction } from './database.ts'
import { recordId } from './record-id.ts'

const DAY = 86_400_000
export const ACKNOWLEDGED_KEPT_DAYS = 7

export interface QueuedRecord {
  id: string
  epoch: string
  seq: number
}

export interface RecordBatch {
  epoch: string
  records: RecordObject[]
}

export interface Outbox {
  /** The epoch new records are numbered in. */
  epoch(): string
  /**
   * Stores a record durably under the next number.
   * @throws when it cannot be written; the number is then not used up
   */
  append(deviceId: string, record: Omit<RecordObject, 'seq'>): QueuedRecord
  /** The oldest unacknowledged records of one epoch, beyond the numbers given by epoch; null when there are none. */
  waiting(beyond: ReadonlyMap<string, number>, limit: number): RecordBatch | null
  /** Marks all records up to a number as stored by the server. @returns how many were not yet known to be */
  acknowledge(epoch: string, upTo: number): number
  /**
   * Takes over what the server says it holds of the current epoch, which may be less than it acknowledged once (it was
   * restored) or more than was ever made here (this store was): then numbering goes on in a new epoch.
   */
  reconcile(ackSeq: number): 'agreed' | 'resending' | 'newEpoch'
  /** Records the server does not have yet. */
  length(): number
  /** Drops records that were acknowledged long enough ago. */
  prune(): void
}

/** The outbox of an opened store. */
export function createOutbox(database: DatabaseSync, clock: () => number): Outbox {
  let current = newestEpoch() ?? beginEpoch()

  const nextSeq = database.prepare('UPDATE epoch SET last_seq = last_seq + 1 WHERE number = ? RETURNING last_seq AS seq')
  const insert = database.prepare('INSERT INTO record (epoch, seq, id, body) VALUES (?, ?, ?, ?)')
  const epochs = database.prepare('SELECT DISTINCT e.number, e.name FROM record r JOIN epoch e ON e.number = r.epoch WHERE r.acknowledged_at IS NULL ORDER BY e.number')
  const waitingOf = database.prepare('SELECT seq, body FROM record WHERE epoch = ? AND seq > ? AND acknowledged_at IS NULL ORDER BY seq LIMIT ?')
  const acknowledge = database.prepare(
    'UPDATE record SET acknowledged_at = ? WHERE epoch = (SELECT number FROM epoch WHERE name = ?) AND seq <= ? AND acknowledged_at IS NULL',
  )
  const count = database.prepare('SELECT count(*) AS waiting FROM record WHERE acknowledged_at IS NULL')

  function newestEpoch(): { number: number; name: string } | undefined {
    return database.prepare('SELECT number, name FROM epoch ORDER BY number DESC LIMIT 1').get() as { number: number; name: string } | undefined
  }

  function beginEpoch(): { number: number; name: string } {
    return database.prepare('INSERT INTO epoch (name) VALUES (?) RETURNING number, name').get(randomUUID()) as { number: number; name: string }
  }

  return {
    epoch: () => current.name,

    append(deviceId, record) {
      return transaction(database, () => {
        const { seq } = nextSeq.get(current.number) as { seq: number }
        // A record the server would refuse would hold up all that follow: it is refused here, before it has a number.
        const body = recordObject.parse({ ...record, seq })
        const id = recordId(deviceId, current.name, seq)
        insert.run(current.number, seq, id, JSON.stringify(body))
        return { id, epoch: current.name, seq }
      })
    },

    waiting(beyond, limit) {
      for (const { number, name } of epochs.all() as { number: number; name: string }[]) {
        const rows = waitingOf.all(number, beyond.get(name) ?? 0, limit) as { seq: number; body: string }[]
        if (rows.length > 0) return { epoch: name, records: rows.map(({ body }) => JSON.parse(body) as RecordObject) }
      }
      return null
    },

    acknowledge: (epoch, upTo) => Number(acknowledge.run(clock(), epoch, upTo).changes),

    reconcile(ackSeq) {
      const { seq: lastSeq } = database.prepare('SELECT last_seq AS seq FROM epoch WHERE number = ?').get(current.number) as { seq: number }
      if (ackSeq > lastSeq) {
        current = beginEpoch()
        return 'newEpoch'
      }
      return transaction(database, () => {
        acknowledge.run(clock(), current.name, ackSeq)
        const lost = database.prepare('UPDATE record SET acknowledged_at = NULL WHERE epoch = ? AND seq > ? AND acknowledged_at IS NOT NULL')
        if (lost.run(current.number, ackSeq).changes === 0) return 'agreed'
        database
          .prepare('UPDATE picture SET sent_at = NULL WHERE record_id IN (SELECT id FROM record WHERE epoch = ? AND seq > ?)')
          .run(current.number, ackSeq)
        return 'resending'
      })
    },

    length: () => (count.get() as { waiting: number }).waiting,

    prune() {
      database.prepare('DELETE FROM record WHERE acknowledged_at < ?').run(clock() - ACKNOWLEDGED_KEPT_DAYS * DAY)
    },
  }
}
