/** The records on the disk, read for an export and taken from one. */
import type { DatabaseSync } from 'node:sqlite'
import { recordObject, type RecordObject } from '@gatehouse/contract/device/protocol'
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
  /** All of them, oldest epoch first. */
  all(): EpochOfRecords[]
  /**
   * Takes epochs that are not here yet, to be sent like all others; the server knows by their ids which it has.
   * @param deviceId whose records they are
   * @returns how many records were taken
   * @throws when it cannot be written; nothing was taken then
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
  // Before all others: new records go on in the newest epoch, which stays this terminal's own.
  const putEpoch = database.prepare(
    'INSERT INTO epoch (number, name, last_seq) VALUES ((SELECT min(number) - 1 FROM epoch), ?, ?) RETURNING number',
  )
  const putRecord = database.prepare('INSERT INTO record (epoch, seq, id, body, sealed) VALUES (?, ?, ?, ?, ?)')

  return {
    count: () => (counted.get() as { count: number }).count,
    all() {
      const epochs = new Map<string, RecordObject[]>()
      for (const { epoch, id, ...kept } of rows.all() as unknown as (KeptRecord & { epoch: string; id: string })[]) {
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
