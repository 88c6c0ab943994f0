/** Erasures that a simulated device carries out: records of these persons name nobody once the server has them. */
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import type { Erasures } from '@gatehouse/terminal/device/store'
import { isErased, mark, type OutboxParts, type Place } from './outbox-parts.ts'

const placeName = (place: Place | undefined): string => `${place?.epoch}/${place?.seq}`

export function createErasures(parts: OutboxParts): Erasures {
  const isNameErased = (record: RecordObject): boolean => isErased(parts, record)

  return {
    newest: () => parts.newestErasure,
    carriedOut: () =>
      parts.erased.size > 0 && parts.epochs.some(({ records }) => records.some(isNameErased)) ? null : parts.newestErasure,
    take(personIds, newest) {
      const { erased, newestErasure, pictures } = parts
      const before = { erased, newestErasure, pictures, epochs: parts.epochs.map((epoch) => ({ ...epoch })) }
      parts.journal.write(
        () => {
          parts.erased = new Set([...parts.erased, ...personIds])
          parts.newestErasure = newest
          const named = new Set(
            parts.epochs.flatMap(({ name, records }) => records.filter(isNameErased).map(({ seq }) => `${name}/${seq}`)),
          )
          parts.pictures = parts.pictures.filter(({ recordId: id }) => !named.has(placeName(parts.places.get(id))))
          for (const epoch of parts.epochs) mark(parts, epoch, epoch.ackSeq)
        },
        () => Object.assign(parts, before),
        { flush: true },
      )
    },
  }
}
