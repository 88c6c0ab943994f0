/** Records of a simulated device on their way to the server. */
import { randomUUID } from 'node:crypto'
import { recordObject } from '@gatehouse/contract/device/protocol-records'
import { recordId } from '@gatehouse/terminal/device/record-id'
import type { Outbox } from '@gatehouse/terminal/device/store'
import { beginning, emptied, isAcknowledged, mark, oldestOf, type Epoch, type OutboxParts } from './outbox-parts.ts'

/** There is no room for another record; nothing was written. */
export class OutboxFull extends Error {
  override readonly name = 'OutboxFull'
}

export interface SimulatedOutbox extends Outbox {
  /** Drop all records with their pictures, and begin again. @returns the number of records that the server never had */
  clear(): number
  /** Return the numbers given out in each epoch so far, kept or not. */
  made(): { epoch: string; upTo: number }[]
}

export function createRecordOutbox(parts: OutboxParts): SimulatedOutbox {
  const current = (): Epoch => parts.epochs.at(-1)!
  const waiting = (): number => parts.epochs.reduce((total, { lastSeq, ackSeq }) => total + lastSeq - ackSeq, 0)

  /** Change the epochs as one write. */
  function change(make: () => void, { flush }: { flush: boolean }): void {
    const before = parts.epochs.map((epoch) => ({ ...epoch }))
    parts.journal.write(make, () => (parts.epochs = before), { flush })
  }

  return {
    epoch: () => current().name,
    epochs: () => parts.epochs.filter((epoch) => epoch === current() || epoch.records.length > 0).map(({ name }) => name),

    append(owner, record) {
      const epoch = current()
      if (waiting() >= parts.recordLimit) throw new OutboxFull(`There is room for ${parts.recordLimit} records only.`)
      const seq = epoch.lastSeq + 1
      const body = recordObject.parse({ ...record, seq })
      parts.journal.write(
        () => {
          epoch.records.push(body)
          epoch.lastSeq = seq
        },
        () => {
          epoch.records.pop()
          epoch.lastSeq = seq - 1
        },
        { flush: true },
      )
      const id = recordId(owner, epoch.name, seq)
      if (record.hasPicture) parts.places.set(id, { epoch: epoch.name, seq })
      return { id, epoch: epoch.name, seq }
    },

    waiting(beyond, limit) {
      for (const epoch of parts.epochs) {
        const from = Math.max(epoch.ackSeq, beyond.get(epoch.name) ?? 0) + 1 - oldestOf(epoch)
        const records = epoch.records.slice(Math.max(0, from), Math.max(0, from) + limit)
        if (records.length > 0) return { epoch: epoch.name, oldestSeq: oldestOf(epoch), records }
      }
      return null
    },

    acknowledge(name, upTo) {
      const epoch = parts.epochs.find((one) => one.name === name)
      if (epoch === undefined || upTo <= epoch.ackSeq) return
      change(() => mark(parts, epoch, Math.min(upTo, epoch.lastSeq)), { flush: false })
    },

    reconcile(stored) {
      let outcome: 'agreed' | 'resending' | 'newEpoch' = 'agreed'
      change(
        () => {
          for (const { epoch: name, ackSeq } of stored) {
            const epoch = parts.epochs.find((one) => one.name === name)
            if (epoch === undefined) continue
            if (ackSeq > epoch.lastSeq && name === parts.resumes) Object.assign(epoch, { lastSeq: ackSeq, ackSeq, records: [] })
            else if (ackSeq > epoch.lastSeq) outcome = epoch === current() ? 'newEpoch' : outcome
            else if (ackSeq >= epoch.ackSeq) mark(parts, epoch, ackSeq)
            else {
              epoch.ackSeq = ackSeq
              parts.pictures = parts.pictures.map((picture) =>
                isAcknowledged(parts, parts.places.get(picture.recordId)) ? picture : { ...picture, sent: false },
              )
              if (outcome === 'agreed') outcome = 'resending'
            }
          }
          if (outcome === 'newEpoch') parts.epochs = [...parts.epochs, beginning(randomUUID())]
        },
        { flush: true },
      )
      return outcome
    },

    clear() {
      const { epochs, pictures, erased, newestErasure } = parts
      const [lost, before] = [waiting(), { epochs, pictures, erased, newestErasure }]
      parts.journal.write(
        () => Object.assign(parts, emptied(randomUUID())),
        () => Object.assign(parts, before),
        { flush: true },
      )
      parts.places.clear()
      return lost
    },

    length: waiting,
    made: () => parts.epochs.map(({ name, lastSeq }) => ({ epoch: name, upTo: lastSeq })),
  }
}
