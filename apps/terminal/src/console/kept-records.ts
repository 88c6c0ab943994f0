/** The records on the disk: read for an export, and added from one. */
import type { DatabaseSync } from 'node:sqlite'
import { recordObject, type RecordObject } from '@gatehouse/contract/device/protocol-records'
import { recordId } from '../device/record-id.ts'
import { transaction } from '../store/database.ts'
import { forgetErasures } from '../store/erasures.ts'
import { createSealedRecords, type KeptRecord } from '../store/sealed-names.ts'
import type { Vault } from '../store/vault.ts'

/** Records of one epoch, numbered without gaps. */
export interface EpochOfRecords {
  epoch: string
  records: RecordObject[]
}

export interface KeptRecords {
  count(): number
  /** Return all records, the oldest epoch first. */
  all(): EpochOfRecords[]
  /**
   * Add epochs that are not stored here yet; their records are sent like all others, and the server recognises by their ids which it has.
   * @param deviceId device the records belong to
   * @returns how many records were added
   * @throws when they cannot be written; nothing was added then
   */
  take(deviceId: string, epochs: readonly EpochOfRecords[]): number
}

export function createKeptRecords(database: DatabaseSync, vault: Vault): KeptRecords {
  const sealing = createSealedRecords(vault)
  const counted = database.prepare('SELECT count(*) AS count FROM record')
  const rows = database.prepare(
    'SELECT e.name AS epoch, r.id, r.body, r.sealed FROM record r JOIN epoch e ON e.number = r.epoch ORDER BY r.epoch, r.seq',
  )
  const isKnown = database.prepare('SELECT 1 FROM epoch WHERE name = ?')
  // Placed before all others: new records continue the newest epoch, which stays this terminal's own.
  const putEpoch = database.prepare(
    'INSERT INTO epoch (number, name, last_seq) VALUES ((SELECT min(number) - 1 FROM epoch), ?, ?) RETURNING number',
  )
  const putRecord = database.prepare('INSERT INTO record (epoch, seq, id, body, sealed) VALUES (?, ?, ?, ?, ?)')

  return {
    count: () => (counted.get() as { count: number }).count,
    all() {
      const epochs = new Map<string, RecordObject[]>()
      for (const { epoch, id, ...kept } of rows.all() as (KeptRecord & { epoch: string; id: string })[]) {
        const records = epochs.get(epoch) ?? []
        records.push(sealing.open(id, kept))
        epochs.set(epoch, records)
      }
      return [...epochs].map(([epoch, records]) => ({ epoch, records }))
    },
    take(deviceId, epochs) {
      return transaction(database, () => {
        let taken = 0
        for (const { epoch, records } of epochs) {
          if (records.length === 0 || isKnown.get(epoch)) continue
          const { number } = putEpoch.get(epoch, records.at(-1)!.seq) as { number: number }
          for (const record of records) {
            const id = recordId(deviceId, epoch, record.seq)
            const { body, sealed } = sealing.seal(id, recordObject.parse({ ...record, hasPicture: false }))
            putRecord.run(number, record.seq, id, body, sealed)
          }
          taken += records.length
        }
        if (taken > 0) forgetErasures(database)
        return taken
      })
    },
  }
}
