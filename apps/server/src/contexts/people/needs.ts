/** What the register of persons asks of others; those who keep it know persons themselves, so it cannot ask them directly. */
import type { ConsentState } from '@gatehouse/contract/people/calls'
import type { OpenTransaction } from '../../platform/database/database.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { Settings } from '../organisation/index.ts'
import type { GroupNeeds } from './groups.ts'

export interface NotedConsent {
  state: Exclude<ConsentState, 'none'>
  channel: 'form' | 'self' | 'import'
  /** Name of whoever noted it; empty where the person did. */
  notedBy: string
  note: string
}

/** Somebody as he would be after a change, as far as it decides where he may pass. */
export interface AdmittedPerson {
  /** Of somebody new one that nobody else has. */
  id: string
  groupId: string
  kind: string
  enabled: boolean
  validTo: number | null
}

export interface PeopleNeeds extends GroupNeeds {
  /**
   * Makes a change of persons, unless what the park has written down stands in its way.
   * @param persons told only where anything is written down @param field of the form that a refusal belongs to
   * @throws Hindered
   */
  admitting<T>(scope: Scope, persons: () => Promise<AdmittedPerson[]>, field: string, work: () => Promise<T>): Promise<T>
  /** The same for a group that moves to below another. */
  admittingGroup<T>(scope: Scope, id: string, parentId: string | null, work: () => Promise<T>): Promise<T>
  settings: Settings
  /** Whether photographs are only taken over of people who agreed. */
  consentRequired(scope: Scope): boolean
  /** Writes down that somebody agreed or withdrew, in the transaction that changes the person. */
  noteConsent(tx: OpenTransaction, scope: Scope, personId: string, consent: NotedConsent): Promise<void>
  /** Sends persons once more to every device that is to hold them; answers how many devices. */
  sendAgain(scope: Scope, personIds: readonly string[]): Promise<number>
  /** The park as somebody may reach it who may see its persons; null where he may not. */
  reach(session: Session, parkId: string): Promise<Scope | null>
}
