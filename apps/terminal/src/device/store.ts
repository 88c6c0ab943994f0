/**
 * The data of a device, as its core accesses them. The SQLite store of the terminal implements it; a simulated device may keep everything
 * in memory. All calls are synchronous, and a change is durable when the call returns.
 */
import type { DeviceSettings, Manifest } from '@gatehouse/contract/device/protocol-manifest'
import type { PersonException, PersonObject, PERSON_FAILURES } from '@gatehouse/contract/device/protocol-persons'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import type { StoreTampering } from '@gatehouse/contract/device/protocol-status'
import type { NumberedOutbox } from './numbered.ts'

/** The data of the device cannot be used; the message says why and what to do. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
}

/** How a device recognises its server over TLS. A device with a stored trust does not use plain http. */
export interface ServerTrust {
  /** Identifies the secret it belongs to: with another secret the device starts without trust. */
  secretMark: string
  /** SHA-256 of the public keys the server vouches for, as base64url; if empty, its certificate is verified by authorities. */
  keys: readonly string[]
}

export interface Store {
  readonly holdings: Holdings
  readonly outbox: Outbox
  readonly pictures: PictureOutbox
  readonly erasures: Erasures
  /** Absent for a device that sends neither events nor captures. */
  readonly numbered?: NumberedOutbox
  /** Id of the device at the server, null before the first pairing. */
  deviceId(): string | null
  /**
   * Bind the store to the device that the server paired.
   * @throws StoreUnusable when it is bound to another device
   */
  bind(deviceId: string): void
  /** Return the id under which the server removed the device; null if it was not removed, or is bound again. */
  removed(): string | null
  /**
   * Delete records and numbered items with their pictures, and the binding of the store, after the device was removed. The holdings must
   * have dropped their persons before. New ones are numbered in new epochs.
   * @returns how many of them the server never received
   */
  release(): number
  /** Return the trust; null while the device may use plain http. */
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

/** A change that is taken as one. A person is in only one of the three lists. */
export interface HoldingsChange {
  /**
   * Persons to store; `faces` contain templates of the device's model only, at least one per person unless credentials or contacts let them
   * pass. A stored person is replaced.
   */
  persons: readonly TakenPerson[]
  /** Of these only id, version and reason are stored, and, if their faces alone failed, the other means by which they pass. */
  exceptions: readonly (PersonException & { reason: PersonFailure; besides?: PersonWithoutFaces | undefined })[]
  /** Ids to delete, whether stored or not. */
  removed: readonly string[]
  /** The new position; null if it follows in a later change. */
  position: Position | null
}

/** A person without faces, and the contacts who may come in their place. */
export interface PersonWithoutFaces extends Omit<PersonObject, 'faces' | 'contacts'> {
  contacts?: readonly TakenContact[]
}

interface TakenFace {
  faceId: string
  /** base64 of little-endian float32. */
  template: string
}

/** A contact with at least one face. */
export interface TakenContact {
  id: string
  name: string
  /** Persons and contacts with the same value are the same human. */
  human?: string | undefined
  faces: readonly TakenFace[]
}

export interface TakenPerson extends PersonWithoutFaces {
  faces: readonly TakenFace[]
}

/** The persons and settings a device decides by. Persons that cannot be recognised are stored too, as exceptions. */
export interface Holdings {
  /** Return the settings; null before the first manifest. */
  settings(): DeviceSettings | null
  /** Return the revision of the manifest in force; empty before the first. */
  revision(): string
  /** Return the position; null until the persons of an audience were taken completely for the first time. */
  position(): Position | null
  /** Return the version of a stored person, exceptions included. */
  version(personId: string): string | undefined
  /** Return all stored persons with their versions, exceptions included, read from the store itself and not from a copy. */
  versions(): Iterable<readonly [personId: string, version: string]>
  /** Return the stored persons who cannot be recognised, by id. */
  exceptions(): ReadonlyMap<string, PersonException>
  /** Return the number of persons that can be recognised, and of those that cannot. */
  counts(): { persons: number; failed: number }
  /** Return the last time the stored data were found to be tampered with; null if never. */
  tampering(): StoreTampering | null
  /**
   * Compare all stored data with the marks they were written with. A person whose data do not match becomes an exception (`tampered`) in a
   * version that no server uses. Rules that do not match are dropped with their revision. Both are fetched again.
   * @returns what was found now; null if nothing
   */
  verify(): Promise<Pick<StoreTampering, 'persons' | 'rules'> | null>
  /** Put settings, strategies and time rules into force; persons and position do not change. */
  apply(manifest: Manifest): void
  /**
   * Take a change completely or not at all. A person the store itself cannot take (`templateInvalid`, `noRoom`) becomes an exception.
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
  /** Lowest number of the epoch that is still stored, acknowledged records included. */
  oldestSeq: number
  records: RecordObject[]
}

/** The number up to which the server has the records of an epoch. */
export interface StoredUpTo {
  epoch: string
  ackSeq: number
}

/**
 * Records on their way to the server, numbered from 1 without gaps within an epoch. They stay stored for a while after the server has them.
 */
export interface Outbox {
  /** Return the epoch that new records are numbered in. */
  epoch(): string
  /** Return the epochs with stored records and, as the last one, the epoch of new records. */
  epochs(): string[]
  /**
   * Store a record under the next number; its id is `recordId(deviceId, epoch, seq)`.
   * @throws when it cannot be written; the number is then not used up
   */
  append(deviceId: string, record: Omit<RecordObject, 'seq'>): QueuedRecord
  /** Return the oldest unacknowledged records of one epoch, after the numbers given by epoch; null if there are none. */
  waiting(beyond: ReadonlyMap<string, number>, limit: number): RecordBatch | null
  /** Mark all records up to a number as stored by the server. @throws when that cannot be written */
  acknowledge(epoch: string, upTo: number): void
  /**
   * Adopt what the server has of each epoch. It may have less than it once acknowledged, if the server was restored: records still stored
   * are sent again with their pictures. It may have more of the current epoch than was made here, if this store was restored: new records
   * are numbered in a new epoch.
   */
  reconcile(stored: readonly StoredUpTo[]): 'agreed' | 'resending' | 'newEpoch'
  /** Return the number of records the server does not have yet. */
  length(): number
}

/** Pictures of records on their way to the server. */
export interface PictureOutbox {
  /** Store the picture of a record; the oldest pictures are dropped if there is no room. @returns how many of those had not been sent */
  add(recordId: string, image: Uint8Array): number
  /** Return the oldest picture that the server does not have and whose record it has. */
  next(): { recordId: string; image: Uint8Array } | null
  /** Mark a picture as stored by the server. */
  sent(recordId: string): void
  /** Delete a picture that cannot be sent. */
  drop(recordId: string): void
  /** Return the number of pictures the server does not have yet. */
  length(): number
}

/**
 * Persons erased at the server, as far as records name them. A record that the server has loses name, ids and measurements of the person at
 * once. One that it does not have loses them when it is acknowledged: before that, the server could not tell whose pseudonym to store.
 * Pictures are deleted at once. The record itself stays, with its number.
 */
export interface Erasures {
  /** Return the newest erasure taken; null before the first. */
  newest(): string | null
  /** Return the same, but null as long as a record still names one of these persons. */
  carriedOut(): string | null
  /** Take erasures of persons. @throws when it cannot be written; nothing has changed then */
  take(personIds: readonly string[], newest: string | null): void
}
