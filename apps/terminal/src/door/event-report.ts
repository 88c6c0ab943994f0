/** Events of the door on their way to the server: the beginning of each with a picture of the camera, and its end. */
import type { Device } from '../device/device.ts'
import type { NumberedOutbox } from '../device/numbered.ts'
import type { EventListOptions } from './event-list.ts'

export interface EventReportOptions {
  device: Pick<Device, 'appendNumbered'>
  outbox: Pick<NumberedOutbox, 'epoch'>
  /** The current picture of the camera; null without one. */
  picture: () => Uint8Array | null
}

/** Return what stores an event for the server. The server ends one whose end is not sent when the next of its kind begins. */
export const createEventReport =
  ({ device, outbox, picture }: EventReportOptions): EventListOptions['report'] =>
  ({ kind, at }, beginning) => {
    // An end names its beginning by a number of the same epoch.
    if (beginning !== null && beginning.epoch !== outbox.epoch('event')) return null
    const image = beginning === null ? picture() : null
    return device.appendNumbered('event', { kind, occurredAt: at, endOf: beginning?.seq ?? null }, image ?? undefined)
  }
