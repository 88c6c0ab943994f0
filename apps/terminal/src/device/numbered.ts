/**
 * What a device numbers and sends besides access records: events at its door, and captures of a camera. Each kind has its own numbers, from
 * 1 without gaps within an epoch.
 */
import { captureObject, deviceEventObject, type CaptureObject, type DeviceEventObject } from '@gatehouse/contract/device/numbered'
import { z } from 'zod'

export const NUMBERED_KINDS = ['event', 'capture'] as const
export type NumberedKind = (typeof NUMBERED_KINDS)[number]

/** A capture with the model of its template; empty if it has none. */
interface StoredCapture extends CaptureObject {
  modelId: string
}

/** Items of each kind, as they are stored and sent. */
export interface NumberedItems {
  event: DeviceEventObject
  capture: StoredCapture
}

/** An item that has no number yet. Whether it has a picture follows from the picture it is stored with. */
export type NewItem<Kind extends NumberedKind> = Omit<NumberedItems[Kind], 'seq' | 'hasPicture'>

/** Name of an item within its kind. */
export type ItemNumber = {
  epoch: string
  seq: number
}
/** The picture of an item. */
export type ItemPicture = ItemNumber & { image: Uint8Array }

export interface NumberedBatch<Kind extends NumberedKind> {
  epoch: string
  /** Lowest number of the epoch that is still stored, acknowledged items included; the next number if none is. */
  oldestSeq: number
  /** Ascending; empty to ask the server how far it has the epoch. */
  items: NumberedItems[Kind][]
}

/**
 * Items on their way to the server, and their pictures. They stay stored for some days after the server has them, so that a server
 * restored from its backup can be sent them again. All calls are synchronous, and a change is durable when the call returns.
 */
export interface NumberedOutbox {
  /**
   * Store an item under the next number of its kind. Pictures are dropped when space runs out, the oldest first; items never are.
   * @param alsoWrite writes what is stored with the item or not at all
   * @throws when it cannot be written; the number is then not used up
   */
  append<Kind extends NumberedKind>(kind: Kind, item: NewItem<Kind>, picture?: Uint8Array, alsoWrite?: () => void): ItemNumber
  /** Return the epoch of the newest items of a kind; null before the first. */
  epoch(kind: NumberedKind): string | null
  /** Return a message without items for each epoch of a kind that the server should be asked about. */
  questions<Kind extends NumberedKind>(kind: Kind): NumberedBatch<Kind>[]
  /** Return the oldest items of a kind that the server does not have; null if there are none. */
  waiting<Kind extends NumberedKind>(kind: Kind, limit: number): NumberedBatch<Kind> | null
  /**
   * Adopt what the server has of an epoch. If it has less than it once acknowledged, it was restored: items still stored are sent again
   * with their pictures. If it has more than was made here, this store was restored: new items are numbered in a new epoch.
   */
  settle(kind: NumberedKind, epoch: string, ackSeq: number): 'agreed' | 'resending' | 'newEpoch'
  /** Return the oldest picture of a kind that the server does not have and whose item it has. */
  nextPicture(kind: NumberedKind): ItemPicture | null
  /** Mark a picture as stored by the server. */
  pictureSent(kind: NumberedKind, item: ItemNumber): void
  /** Delete a picture that cannot be sent. */
  dropPicture(kind: NumberedKind, item: ItemNumber): void
  /** Return the newest items of a kind that are stored, whether the server has them or not, the newest first. */
  latest<Kind extends NumberedKind>(kind: Kind, limit: number): (NumberedItems[Kind] & ItemNumber)[]
  /** Return the number of items of a kind that the server does not have yet. */
  length(kind: NumberedKind): number
}

interface KindOf<Kind extends NumberedKind> {
  /** What an item must look like, or the server would refuse it and with it all later ones. */
  schema: z.ZodType<NumberedItems[Kind]>
  /** Whether it contains personal or biometric data. */
  isSealed: boolean
}

export const ITEM_KINDS: { readonly [Kind in NumberedKind]: KindOf<Kind> } = {
  event: { schema: deviceEventObject, isSealed: false },
  capture: { schema: captureObject.extend({ modelId: z.string().max(64) }), isSealed: true },
}
