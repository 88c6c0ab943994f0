/** Records and pictures of a simulated device on their way to the server, with limits as a small device has them. */
import { randomUUID } from 'node:crypto'
import { recordObject, type RecordObject } from '@gatehouse/contract/device/protocol'
import { recordId } from '@gatehouse/terminal/device/record-id'
import type { Erasures, Outbox, PictureOutbox } from '@gatehouse/terminal/device/store'
import type { Journal } from './journal.ts'

/** There is no room for another record; nothing was written. */
export class OutboxFull extends Error {
  override readonly name = 'OutboxFull'
}

export interface OutboxOptions {
  journal: Journal
  /** Records the server does not have that there is room for. */
  recordLimit?: number
  /** Pictures there is room for; the oldest give way. */
  pictureLimit?: number
  /**
   * Name of an epoch whose records are made again in every run from the same seed: what the server has of it counts as
   * made, instead of another epoch being begun.
   */
  resumes?: string
}

export interface SimulatedOutbox extends Outbox {
  /** Drops all records with their pictures, and begins anew. @returns how many the server never had */
  clear(): number
  /** Numbers given out in each epoch so far, kept or not. */
  made(): { epoch: string; upTo: number }[]
}

/** Acknowledged records kept for a server that was restored from its backup. */
const KEPT = 500

interface Epoch {
  name: string
  lastSeq: number
  ackSeq: number
  /** Numbers up to `lastSeq`, from the oldest kept on. */
  records: RecordObject[]
}
interface Place {
  epoch: string
  seq: number
}
interface Picture {
  recordId: string
  image: Uint8Array
  sent: boolean
}

const nameless = ({
  contactId: _id,
  contactName: _name,
  temperature: _degrees,
  temperatureStatus: _status,
  ...record
}: RecordObject): RecordObject => ({ ...record, personId: null, personName: '', hasPicture: false })

const beginning = (name: string): Epoch => ({ name, lastSeq: 0, ackSeq: 0, records: [] })
const placeName = (place: Place | undefined): string => `${place?.epoch}/${place?.seq}`
const oldestOf = ({ lastSeq, records }: Epoch): number => lastSeq - records.length + 1

export function createOutboxes({ journal, recordLimit = Infinity, pictureLimit = 200, resumes }: OutboxOptions): {
  outbox: SimulatedOutbox
  pictures: PictureOutbox
  erasures: Erasures
} {
  let epochs: Epoch[] = [beginning(resumes ?? randomUUID())]
  let pictures: Picture[] = []
  /** Whose records name nobody once the server has them. */
  let erased: ReadonlySet<string> = new Set()
  let newestErasure: string | null = null
  /** Where the record of a picture stands. */
  const places = new Map<string, Place>()
  const current = (): Epoch => epochs.at(-1)!
  const waiting = (): number => epochs.reduce((total, { lastSeq, ackSeq }) => total + lastSeq - ackSeq, 0)

  /** Changes the epochs as one write. */
  function change(make: () => void, { flush }: { flush: boolean }): void {
    const before = epochs.map((epoch) => ({ ...epoch }))
    journal.write(make, () => (epochs = before), { flush })
  }

  function mark(epoch: Epoch, ackSeq: number): void {
    epoch.ackSeq = ackSeq
    if (erased.size > 0)
      epoch.records = epoch.records.map((record) => (isErased(record) && record.seq <= ackSeq ? nameless(record) : record))
    const superfluous = ackSeq - oldestOf(epoch) + 1 - KEPT
    // Now and then, since each time copies what is kept.
    if (superfluous > KEPT) epoch.records = epoch.records.slice(superfluous)
  }

  const isErased = ({ personId }: RecordObject): boolean => personId !== null && erased.has(personId)

  /** A record that does not stand here any more was acknowledged. */
  const isAcknowledged = (place: Place | undefined): boolean =>
    place === undefined || epochs.some(({ name, ackSeq }) => name === place.epoch && place.seq <= ackSeq)

  const outbox: SimulatedOutbox = {
    epoch: () => current().name,
    epochs: () => epochs.filter((epoch) => epoch === current() || epoch.records.length > 0).map(({ name }) => name),

    append(owner, record) {
      const epoch = current()
      if (waiting() >= recordLimit) throw new OutboxFull(`There is room for ${recordLimit} records only.`)
      const seq = epoch.lastSeq + 1
      const body = recordObject.parse({ ...record, seq })
      journal.write(
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
      if (record.hasPicture) places.set(id, { epoch: epoch.name, seq })
      return { id, epoch: epoch.name, seq }
    },

    waiting(beyond, limit) {
      for (const epoch of epochs) {
        const from = Math.max(epoch.ackSeq, beyond.get(epoch.name) ?? 0) + 1 - oldestOf(epoch)
        const records = epoch.records.slice(Math.max(0, from), Math.max(0, from) + limit)
        if (records.length > 0) return { epoch: epoch.name, oldestSeq: oldestOf(epoch), records }
      }
      return null
    },

    acknowledge(name, upTo) {
      const epoch = epochs.find((one) => one.name === name)
      if (epoch === undefined || upTo <= epoch.ackSeq) return
      change(
        () =>
          mark(
            epochs.find((one) => one.name === name)!,
            Math.min(upTo, epoch.lastSeq),
          ),
        { flush: false },
      )
    },

    reconcile(stored) {
      let outcome: 'agreed' | 'resending' | 'newEpoch' = 'agreed'
      change(
        () => {
          for (const { epoch: name, ackSeq } of stored) {
            const epoch = epochs.find((one) => one.name === name)
            if (epoch === undefined) continue
            if (ackSeq > epoch.lastSeq && name === resumes) Object.assign(epoch, { lastSeq: ackSeq, ackSeq, records: [] })
            else if (ackSeq > epoch.lastSeq) outcome = epoch === current() ? 'newEpoch' : outcome
            else if (ackSeq >= epoch.ackSeq) mark(epoch, ackSeq)
            else {
              epoch.ackSeq = ackSeq
              pictures = pictures.map((picture) => (isAcknowledged(places.get(picture.recordId)) ? picture : { ...picture, sent: false }))
              if (outcome === 'agreed') outcome = 'resending'
            }
          }
          if (outcome === 'newEpoch') epochs = [...epochs, beginning(randomUUID())]
        },
        { flush: true },
      )
      return outcome
    },

    clear() {
      const [lost, before] = [waiting(), { epochs, pictures, erased, newestErasure }]
      journal.write(
        () =>
          ({ epochs, pictures, erased, newestErasure } = {
            epochs: [beginning(randomUUID())],
            pictures: [],
            erased: new Set<string>(),
            newestErasure: null,
          }),
        () => ({ epochs, pictures, erased, newestErasure } = before),
        { flush: true },
      )
      places.clear()
      return lost
    },

    length: waiting,
    made: () => epochs.map(({ name, lastSeq }) => ({ epoch: name, upTo: lastSeq })),
  }

  /** Changes the list of pictures as one write. */
  function put(next: Picture[], { flush }: { flush: boolean }): void {
    const before = pictures
    journal.write(
      () => (pictures = next),
      () => (pictures = before),
      { flush },
    )
  }

  const unsent = (list: readonly Picture[]): number => list.filter(({ sent }) => !sent).length

  const pictureOutbox: PictureOutbox = {
    add(id, image) {
      const next = [...pictures.filter((picture) => picture.recordId !== id), { recordId: id, image, sent: false }]
      const kept = next.slice(-pictureLimit)
      const given = next.slice(0, next.length - kept.length)
      put(kept, { flush: true })
      for (const picture of given) places.delete(picture.recordId)
      return unsent(given)
    },
    next() {
      const picture = pictures.find(({ recordId: id, sent }) => !sent && isAcknowledged(places.get(id)))
      return picture === undefined ? null : { recordId: picture.recordId, image: picture.image }
    },
    sent: (id) =>
      put(
        pictures.map((picture) => (picture.recordId === id ? { ...picture, sent: true } : picture)),
        { flush: false },
      ),
    drop: (id) =>
      put(
        pictures.filter((picture) => picture.recordId !== id),
        { flush: false },
      ),
    length: () => unsent(pictures),
  }

  const erasures: Erasures = {
    newest: () => newestErasure,
    carriedOut: () => (erased.size > 0 && epochs.some(({ records }) => records.some(isErased)) ? null : newestErasure),
    take(personIds, newest) {
      const before = { erased, newestErasure, pictures, epochs: epochs.map((epoch) => ({ ...epoch })) }
      journal.write(
        () => {
          erased = new Set([...erased, ...personIds])
          newestErasure = newest
          const named = new Set(epochs.flatMap(({ name, records }) => records.filter(isErased).map(({ seq }) => `${name}/${seq}`)))
          pictures = pictures.filter(({ recordId: id }) => !named.has(placeName(places.get(id))))
          for (const epoch of epochs) mark(epoch, epoch.ackSeq)
        },
        () => ({ erased, newestErasure, pictures, epochs } = before),
        { flush: true },
      )
    },
  }
  return { outbox, pictures: pictureOutbox, erasures }
}
