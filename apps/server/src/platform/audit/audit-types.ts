/** The interface of the operation log for all areas. */
import type { MaskKind } from '@gatehouse/contract/masking'
import type { Caller, Scope } from '../session/session.ts'
import type { Transaction } from '../database/database.ts'
import type { Call } from '@gatehouse/contract'
import type { LoggedActor } from './actors.ts'

/** One thing a call created, changed or deleted. */

export interface Change {
  /** Named like its table: `person`, `role`. */
  entity: string
  id: string
  /** Its name; with `labelMask` where it is a person's name. */
  label?: string
  labelMask?: MaskKind
  /** Absent if it was created. */
  before?: Readonly<Record<string, unknown>> | null
  /** Absent if it was deleted. */
  after?: Readonly<Record<string, unknown>> | null
  /** Fields whose values are secret, besides those whose names imply it. */
  secrets?: readonly string[]
}
/** Something a call created. */

export interface MadeThing {
  entity: string
  id: string
}
/** Called at the end of each transaction of a writing call, with the caller and what the transaction created. Throwing rolls it back. */

export type Follower = (tx: Transaction, caller: Caller, made: readonly MadeThing[]) => Promise<void>
export interface Audit {
  /** Run a call's handler under its own trail. */
  during<T>(call: Call, caller: Caller | null, ip: string, work: () => Promise<T>): Promise<T>
  /** Add what was changed to the running call's entry. Without a running call, as in a job, it is lost. */
  note(change: Change): void
  /** Report to followers something that the running transaction created and that no entry mentions. */
  made(thing: MadeThing): void
  /** Register a follower of all writing calls of users and API users; before the first call. */
  follow(follower: Follower): void
  /** Set the actor where no session states it, as at login. */
  actAs(actor: LoggedActor): void
  /**
   * Run a transaction that calls `write` as its last statement; its notes count once it has committed. Several transactions of one call
   * share one entry, which grows.
   */
  transaction<T>(work: (write: (tx: Transaction) => Promise<void>) => Promise<T>): Promise<T>
  /** Run work that belongs to no call although a call starts it. */
  apart<T>(work: () => T): T
  /**
   * Record that the caller was shown personal data of these subjects (ids of persons, users, records); the caller's own are not recorded.
   * @param searched it was a search that is recorded even without a result: a masked user's by a personal field, or one with a reason
   * @param reason what the caller said that it is made for
   */
  read(call: Call, caller: Caller, ip: string, subjects: readonly string[], searched?: boolean, reason?: string): void
  /**
   * Record within a transaction that a device was handed personal data, under the actor who made its secret: the device's requests have
   * no session.
   */
  handedOut(tx: Transaction, call: Call, actor: LoggedActor, device: { subject: string; persons: number }): Promise<void>
  /**
   * Remove the values of entities from all entries for an erasure, and the reasons of reads of them; that something happened stays
   * recorded. Return the number of entries of the operation log that name them.
   */
  forget(tx: Transaction, entity: string, ids: readonly string[]): Promise<number>
  /** Mark the changes of these ids, or with these names of persons, as about the watch list, before the persons are deleted. */
  markWatched(tx: Transaction, scope: Scope, of: { ids: readonly string[]; names: readonly string[] }): Promise<void>
  /** Resolve when the reads recorded so far are written. */
  settled(): Promise<void>
  stop(): Promise<void>
}
