/** What the register of persons asks of areas above it. */
import type { ConsentState } from '@gatehouse/contract/people/person-fields'
import type { Transaction } from '../../platform/database/database.ts'
import { extensionPoint, singlePoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface NotedConsent {
  state: Exclude<ConsentState, 'none'>
  channel: 'form' | 'self' | 'import'
  /** Name of the user who noted it; empty where the person did. */
  notedBy: string
  note: string
}

/** A person as they would be after a change, as far as it decides where they may pass. */
export interface AdmittedPerson {
  /** For a new person an id that no other person has. */
  id: string
  groupId: string
  kind: string
  enabled: boolean
  validTo: number | null
  /** Access rules that will name the person, besides those that cover the group; absent: those that name the person now. */
  strategyIds?: readonly string[]
}

/** The guard of changes of persons or their groups, which may refuse them. It opens the transaction of the change, so there is one. */
export interface PersonGuard {
  /**
   * @param persons as they would be, read through the transaction; asked for only where anything could refuse it
   * @param field of the form that a refusal belongs to
   * @param work writes the change in the transaction
   * @throws Hindered; Refusal 900000 where too many wait
   */
  persons<T>(
    scope: Scope,
    persons: (within: Transaction) => Promise<AdmittedPerson[]>,
    field: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T>
  /** The same for a group that moves to below another. */
  group<T>(scope: Scope, id: string, parentId: string | null, work: (tx: Transaction) => Promise<T>): Promise<T>
}
export const personGuard = singlePoint<PersonGuard>('people.personGuard')

/** The record of consents. */
export interface ConsentKeeper {
  /** Return whether photographs are accepted only of persons who agreed. */
  required(scope: Scope): boolean
  /** Note that a person agreed or withdrew, in the transaction that changes the person. */
  note(tx: Transaction, scope: Scope, personId: string, consent: NotedConsent): Promise<void>
}
export const consentKeeper = singlePoint<ConsentKeeper>('people.consentKeeper')

/** Send persons once more to every device that is to store them; return how many devices. */
export type SendPersons = (scope: Scope, personIds: readonly string[]) => Promise<number>
export const personSending = singlePoint<SendPersons>('people.personSending')

/** Access rules for visitors, which name persons one by one. */
export interface VisitorStrategies {
  /** Refuse ids that are not those of access rules for visitors in this park. @throws InvalidRequest at `accessGroupIds` */
  assert(scope: Scope, strategyIds: readonly string[]): Promise<void>
  /** Make these the access rules that name a person, in the caller's transaction. @throws as `assert` */
  name(tx: Transaction, scope: Scope, personId: string, strategyIds: readonly string[]): Promise<void>
}
export const visitorStrategies = singlePoint<VisitorStrategies>('people.visitorStrategies')

/** Return whether a monitoring task watches for the persons of a group, in the transaction that would delete it: then it stays. */
export type WatchesGroup = (tx: Transaction, scope: Scope, groupId: string) => Promise<boolean>
export const groupWatches = extensionPoint<WatchesGroup>('people.groupWatches')
