/** Records and pictures of a simulated device on their way to the server, with limits as a small device has them. */
import { randomUUID } from 'node:crypto'
import type { Erasures, PictureOutbox } from '@gatehouse/terminal/device/store'
import { createErasures } from './outbox-erasures.ts'
import { emptied, type OutboxOptions, type OutboxParts } from './outbox-parts.ts'
import { createPictureOutbox } from './outbox-pictures.ts'
import { createRecordOutbox, type SimulatedOutbox } from './outbox-records.ts'

export type { OutboxOptions } from './outbox-parts.ts'
export { OutboxFull, type SimulatedOutbox } from './outbox-records.ts'

export function createOutboxes({ journal, recordLimit = Infinity, pictureLimit = 200, resumes }: OutboxOptions): {
  outbox: SimulatedOutbox
  pictures: PictureOutbox
  erasures: Erasures
} {
  const parts: OutboxParts = {
    journal,
    recordLimit,
    pictureLimit,
    resumes,
    ...emptied(resumes ?? randomUUID()),
    places: new Map(),
  }
  return { outbox: createRecordOutbox(parts), pictures: createPictureOutbox(parts), erasures: createErasures(parts) }
}
