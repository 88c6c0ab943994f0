/** Types of the comparison of single persons: what it offers and what it needs. */
import type { OwnThreshold } from './matching-data.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { PersonMatching } from '@gatehouse/contract/faces/calls'
import type { PairOrigin } from './matching-schema.ts'

/** What devices need to compare a person. */

export interface MatchingSettings {
  /** Individual raw score, applied where it is higher than the score for everybody; null: only the score for everybody. */
  threshold: number | null
  /** The individual score also applies where it is lower. */
  loosens: boolean
  lookAlikes: string[]
}
/** A photograph and since when it is excluded from comparison, in epoch milliseconds. */

export interface SetAside {
  faceId: string
  at: number
}
export interface LookAlikePair {
  id: string
  origin: PairOrigin
  recordId: string | null
}
/** Every change is noted in history and announced, so that devices and searches follow; changes of one park are serialised. */

export interface Matching {
  /** Settings by person id; a person compared like everybody is absent. @param tx also reads what this transaction has changed */
  of(scope: Scope, personIds: readonly string[], tx?: Transaction): Promise<Map<string, MatchingSettings>>
  /** Block other changes to matching in the park until the transaction ends. */
  lock(tx: Transaction, scope: Scope): Promise<void>
  /** @param own null for the score that applies to everybody */
  setThreshold(tx: Transaction, scope: Scope, personId: string, own: OwnThreshold | null): Promise<void>
  /**
   * Exclude photographs from comparison, or include them again; return those that changed.
   * @throws NotFound for a photograph that no person of the park has; Refusal 200201 for the last compared photograph of a person
   */
  setAside(tx: Transaction, scope: Scope, faceIds: readonly string[], aside: boolean): Promise<SetAside[]>
  /** Include photographs again that are still excluded since exactly these moments; others are not changed. */
  putBack(tx: Transaction, scope: Scope, photos: readonly SetAside[]): Promise<void>
  /** Store that two persons look alike; return the id of the pair, or of the existing one. */
  rememberPair(
    tx: Transaction,
    scope: Scope,
    pair: { personId: string; otherId: string; origin: PairOrigin; recordId: string | null },
  ): Promise<string>
  /** The pair of two persons, in either order. */
  pairOf(tx: Transaction, scope: Scope, personId: string, otherId: string): Promise<LookAlikePair | null>
  /** @throws NotFound */
  forgetPair(tx: Transaction, scope: Scope, pairId: string): Promise<void>
  /** Delete the settings of persons who are being deleted. */
  release(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<void>
  eraseAll(tx: Transaction, scope: Scope): Promise<void>
  /** @throws NotFound */
  read(scope: Scope, personId: string): Promise<PersonMatching>
  /**
   * The same changes, each in its own transaction.
   * @throws NotFound, Refusal 200201, InvalidRequest for a pair of one person, and for a score lower than that of doors without
   *   `loosens`
   */
  change: {
    threshold(scope: Scope, personId: string, own: OwnThreshold | null): Promise<void>
    setAside(scope: Scope, faceId: string, aside: boolean): Promise<void>
    addPair(scope: Scope, personId: string, otherId: string): Promise<string>
    removePair(scope: Scope, pairId: string): Promise<void>
  }
}
export interface MatchingNeeds {
  /** Unknown ids are left out. */
  persons(scope: Scope, ids: readonly string[]): Promise<readonly { id: string; name: string }[]>
  /** Raw score required by a door that stores everybody of the park. */
  door(scope: Scope): Promise<number>
  /** The running model. */
  modelId: string
}
