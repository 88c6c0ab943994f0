/** Epochs in which events and captures are numbered. */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { NumberedKind } from '../device/numbered.ts'
import { HIGHEST_NUMBER } from './outbox.ts'

export type Epoch = {
  number: number
  name: string
  /** The last number given in it. */
  lastSeq: number
}

export interface NumberedEpochs {
  /** Return the epoch of the newest items; undefined before the first. */
  newest(kind: NumberedKind): Epoch | undefined
  ofName(kind: NumberedKind, name: string): Epoch | undefined
  /** Return the newest epoch, and all others of which items are stored. */
  kept(kind: NumberedKind): Epoch[]
  /** Return the oldest epoch with items that are not acknowledged. */
  waiting(kind: NumberedKind): Epoch | undefined
  begin(kind: NumberedKind): Epoch
  /** Use up the next number. The first one begins the first epoch, so that the server is asked about none without items. */
  next(kind: NumberedKind): { number: number; epoch: string; seq: number }
}

const EPOCH = 'number, name, last_seq AS lastSeq'

export function createNumberedEpochs(database: DatabaseSync): NumberedEpochs {
  const newest = database.prepare(`SELECT ${EPOCH} FROM numbered_epoch WHERE kind = ? ORDER BY number DESC LIMIT 1`)
  const ofName = database.prepare(`SELECT ${EPOCH} FROM numbered_epoch WHERE kind = ? AND name = ?`)
  const insert = database.prepare(`INSERT INTO numbered_epoch (kind, name) VALUES (?, ?) RETURNING ${EPOCH}`)
  const kept = database.prepare(`
    SELECT ${EPOCH} FROM numbered_epoch e WHERE kind = ? AND (EXISTS (SELECT 1 FROM numbered_item i WHERE i.epoch = e.number)
      OR number = (SELECT max(number) FROM numbered_epoch n WHERE n.kind = e.kind)) ORDER BY number`)
  const waiting = database.prepare(`
    SELECT ${EPOCH} FROM numbered_epoch e WHERE kind = ? AND EXISTS
      (SELECT 1 FROM numbered_item i WHERE i.epoch = e.number AND i.acknowledged_at IS NULL) ORDER BY number LIMIT 1`)
  const nextSeq = database.prepare('UPDATE numbered_epoch SET last_seq = last_seq + 1 WHERE number = ? RETURNING last_seq AS seq')

  const begin = (kind: NumberedKind) => insert.get(kind, randomUUID()) as Epoch

  /** Return the epoch that new items are numbered in. */
  function current(kind: NumberedKind): Epoch {
    const epoch = newest.get(kind) as Epoch | undefined
    // No terminal reaches such a number, so the file was tampered with, and there is no number after it.
    return epoch && epoch.lastSeq >= 0 && epoch.lastSeq < HIGHEST_NUMBER ? epoch : begin(kind)
  }

  return {
    newest: (kind) => newest.get(kind) as Epoch | undefined,
    ofName: (kind, name) => ofName.get(kind, name) as Epoch | undefined,
    kept: (kind) => kept.all(kind) as Epoch[],
    waiting: (kind) => waiting.get(kind) as Epoch | undefined,
    begin,
    next(kind) {
      const { number, name: epoch } = current(kind)
      const { seq } = nextSeq.get(number) as { seq: number }
      return { number, epoch, seq }
    },
  }
}
