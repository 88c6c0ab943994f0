/**
 * What a device keeps, as its core sees it: the SQLite store of the terminal is one, a simulated device may keep
 * everything in memory. All calls are synchronous, and what a call changed is durable when it returns.
 */
import type {
  DeviceSettings,
  Manifest,
  PersonException,
  PersonObject,
  PERSON_FAILURES,
  RecordObject,
  StoreTampering,
} from '@gatehouse/contract/device/protocol'

/** The device's data cannot be used as it is; the message says why and what to do. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
}

/** How a device recognises its server over TLS. While there is one, it does not use plain http. */
export interface ServerTrust {
  /** Identifies the secret it belongs to: with another secret the device begins again. */
  secretMark: string
  /** SHA-256 of the public keys the server vouches for, as base64url; if empty, its certificate is verified by authorities. */
  keys: readonly string[]
}

export interface Store {
  readonly holdings: Holdings
  readonly outbox: Outbox
  readonly pictures: PictureOutbox
  readonly erasures: Erasures
  /** Id of the device at the server, null before the first pairing. */
  deviceId(): string | null
  /**
   * Ties the store to the device the server paired.
   * @throws StoreUnusable when it is tied to another one
   */
  bind(deviceId: string): void
  /** Under which id the device was removed at the server; null while it is not, or is bound again. */
  removed(): string | null
  /**
   * The device was removed: records with their pictures go, and what ties the store to it; what is held of persons is for
   * the holdings to let go before. New records are numbered in a new epoch.
   * @returns how many records the server never had
   */
  release(): number
  /** Null while the device may use plain http. */
  trust(): ServerTrust | null
  /** Replace the stored trust. @throws when it cannot be written */
  keepTrust(trust: ServerTrust): void
}

export type PersonFailure = (typeof PERSON_FAILURES)[number]

/** How far the changes of an audience have been taken. */
export interface Position {
  audience: string
  cursor: number
}

/** What is taken in one piece. A person stands in one of the three lists only. */
export interface HoldingsChange {
  /** Taken as they come; `faces` hold templates of the device's model only, at least one each unless credentials let them in, or contacts come. Who was held is replaced. */
  persons: readonly TakenPerson[]
  /** Nothing of these is kept but id, version and reason, and where their faces alone failed what lets them in besides. */
  exceptions: readonly (PersonException & { reason: PersonFailure; besides?: HeldBesides | undefined })[]
  /** Ids no longer held, whether they were or not. */
  gone: readonly string[]
  /** Where the device now stands; null where this follows with a later piece. */
  position: Position | null
}

/** A person without faces, and who may come in his place. */
export interface HeldBesides extends Omit<PersonObject, 'faces' | 'contacts'> {
  contacts?: readonly TakenContact[]
}

interface TakenFace {
  faceId: string
  /** base64 of little-endian float32. */
  template: string
}

/** With one face at least. */
export interface TakenContact {
  id: string
  name: string
  /** Whoever has an equal one is the same human. */
  human?: string | undefined
  faces: readonly TakenFace[]
}

export interface TakenPerson extends HeldBesides {
  faces: readonly TakenFace[]
}

/** The persons and settings a device decides by. Persons that cannot be recognised are held too, as exceptions. */
export interface Holdings {
  /** Null until a first manifest came. */
  settings(): DeviceSettings | null
  /** Of the manifest in force; empty before the first. */
  revision(): string
  /** Null until the persons of an audience were taken whole for the first time. */
  position(): Position | null
  /** Version of a person held, exceptions included. */
  version(personId: string): string | undefined
  /** Everybody held with the version, exceptions included, read from where it is kept and not from a copy. */
  versions(): Iterable<readonly [personId: string, version: string]>
  /** Who is held and cannot be recognised, by person. */
  exceptions(): ReadonlyMap<string, PersonException>
  /** Persons that can be recognised, and those that cannot. */
  counts(): { persons: number; failed: number }
  /** The last time something was found that others had changed in what is kept; null: never. */
  tampering(): StoreTampering | null
  /**
   * Holds everything kept against the marks it was written with. Whoever does not fit becomes an exception (`tampered`) of a version that
   * no server names, rules that do not fit are forgotten with their revision: both are fetched anew.
   * @returns what was found now; null: nothing
   */
  verify(): Promise<Pick<StoreTampering, 'persons' | 'rules'> | null>
  /** Puts settings, strategies and time rules into force; persons and position stay as they are. */
  apply(manifest: Manifest): void
  /**
   * Takes a change whole or not at all. A person the store itself cannot take (`templateInvalid`, `noRoom`) becomes an
   * exception.
   * @throws when it cannot be written; nothing has changed then
   */
  take(change: HoldingsChange): void
}

export interface QueuedRecord {
  id: string
  epoch: string
  seq: number
}

export interface RecordBatch {
  epoch: string
  /** Lowest number still kept of the epoch, acknowledged records included. */
  oldestSeq: number
  records: RecordObject[]
}

/** What the server says to have of an epoch. */
export interface StoredUpTo {
  epoch: string
  ackSeq: number
}

/** Records on their way to the server, numbered from 1 without gaps within an epoch and kept after the server has them. */
export interface Outbox {
  /** The epoch new records are numbered in. */
  epoch(): string
  /** Epochs of which records are kept and the one new records are numbered in, which is the last. */
  epochs(): string[]
  /**
   * Stores a record under the next number; its id is `recordId(deviceId, epoch, seq)`.
   * @throws when it cannot be written; the number is then not used up
   */
  append(deviceId: string, record: Omit<RecordObject, 'seq'>): QueuedRecord
  /** The oldest unacknowledged records of one epoch, beyond the numbers given by epoch; null when there are none. */
  waiting(beyond: ReadonlyMap<string, number>, limit: number): RecordBatch | null
  /** Marks all records up to a number as stored by the server. @throws when that cannot be written */
  acknowledge(epoch: string, upTo: number): void
  /**
   * Takes over what the server says it has of each epoch. It may be less than was acknowledged once, for the server was
   * restored: those still kept wait again, with their pictures. Or more of the current epoch than was ever made here,
   * for this store was: new records are numbered in a new epoch.
   */
  reconcile(stored: readonly StoredUpTo[]): 'agreed' | 'resending' | 'newEpoch'
  /** Records the server does not have yet. */
  length(): number
}

/** Pictures of records on their way to the server. */
export interface PictureOutbox {
  /** Stores the picture of a record; the oldest give way where there is no room. @returns how many of those had not been sent */
  add(recordId: string, image: Uint8Array): number
  /** The oldest picture the server has not got and whose record it has. */
  next(): { recordId: string; image: Uint8Array } | null
  /** Marks a picture as stored by the server. */
  sent(recordId: string): void
  /** Gives a picture up. */
  drop(recordId: string): void
  /** Pictures the server does not have yet. */
  length(): number
}

/**
 * Persons who were erased at the server, as far as records name them. A record the server has loses name, ids and what
 * was measured of the person at once, one it does not have yet as soon as it has it: until then the server could not tell
 * whose pseudonym to put there. Pictures go at once. The record stays, by its number.
 */
export interface Erasures {
  /** Newest that was taken; null before the first. */
  newest(): string | null
  /** The same, and null as long as a record still names one of these persons. */
  carriedOut(): string | null
  /** Takes erasures of persons. @throws when it cannot be written; nothing has changed then */
  take(personIds: readonly string[], newest: string | null): void
}
