/** What the contacts of persons offer. */
import type { OutputOf } from '@gatehouse/contract'
import type { Contact, ContactsChange, contactCalls } from '@gatehouse/contract/people/contacts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { Transaction } from '../../platform/database/database.ts'

export type ContactFields = Omit<OutputOf<(typeof contactCalls)['create']['body']>, 'personId'>
/** Who sent a form. */

export type ContactSender = Pick<Session, 'masking'>
/** A contact as a door may recognise them. */

export interface RecognisableContact {
  id: string
  name: string
  relation: number
  faceId: string
  /** Equal for the same human. */
  human: string
}
export interface ContactService {
  /** @throws NotFound for a person who does not exist */
  list(scope: Scope, personId: string): Promise<Contact[]>
  read(scope: Scope, id: string): Promise<Contact>
  /** @throws InvalidRequest where the person has four; Refusal 200224, 200201 for a photograph that somebody else has */
  create(scope: Scope, personId: string, fields: ContactFields, sender: ContactSender): Promise<string>
  change(scope: Scope, id: string, change: Partial<ContactFields>, sender: ContactSender): Promise<void>
  delete(scope: Scope, id: string): Promise<void>
  /** Return the contacts of many persons, in the order they were added; a person without contacts is left out. */
  ofPersons(scope: Scope, personIds: readonly string[]): Promise<Map<string, RecognisableContact[]>>
  /** Return the person of each contact, with their relation, by the contact's id; unknown ids are left out. */
  named(scope: Scope, ids: readonly string[]): Promise<Map<string, { personId: string; name: string; relation: number }>>
  /** Add the contacts of a person who is being registered. */
  addAll(tx: Transaction, scope: Scope, personId: string, all: readonly ContactFields[], sender: ContactSender): Promise<void>
  /**
   * Put these contacts in place of all those of a person whom the caller's transaction has changed.
   * @throws InvalidRequest for a contact of another person
   */
  exchange(tx: Transaction, scope: Scope, personId: string, all: ContactsChange, sender: ContactSender): Promise<void>
  /** Release the photographs of these persons' contacts, and empty their log entries; the contacts are deleted with the persons. */
  release(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<void>
}
