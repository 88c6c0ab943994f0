/** Pictures of a simulated device on their way to the server, each after its record. */
import type { PictureOutbox } from '@gatehouse/terminal/device/store'
import { isAcknowledged, type OutboxParts, type Picture } from './outbox-parts.ts'

const unsent = (list: readonly Picture[]): number => list.filter(({ sent }) => !sent).length

export function createPictureOutbox(parts: OutboxParts): PictureOutbox {
  /** Change the list of pictures as one write. */
  function put(next: Picture[], { flush }: { flush: boolean }): void {
    const before = parts.pictures
    parts.journal.write(
      () => (parts.pictures = next),
      () => (parts.pictures = before),
      { flush },
    )
  }

  return {
    add(id, image) {
      const next = [...parts.pictures.filter((picture) => picture.recordId !== id), { recordId: id, image, sent: false }]
      const kept = next.slice(-parts.pictureLimit)
      const given = next.slice(0, next.length - kept.length)
      put(kept, { flush: true })
      for (const picture of given) parts.places.delete(picture.recordId)
      return unsent(given)
    },
    next() {
      const picture = parts.pictures.find(({ recordId: id, sent }) => !sent && isAcknowledged(parts, parts.places.get(id)))
      return picture === undefined ? null : { recordId: picture.recordId, image: picture.image }
    },
    sent: (id) =>
      put(
        parts.pictures.map((picture) => (picture.recordId === id ? { ...picture, sent: true } : picture)),
        { flush: false },
      ),
    drop: (id) =>
      put(
        parts.pictures.filter((picture) => picture.recordId !== id),
        { flush: false },
      ),
    length: () => unsent(parts.pictures),
  }
}
