/** What the register of persons offers. */
import type { PersonForm } from '@gatehouse/contract/people/form'
import type { ConsentState } from '@gatehouse/contract/people/person-fields'
import type { Person, PersonRecord } from '@gatehouse/contract/people/person'
import type { peopleCalls } from '@gatehouse/contract/people/calls'
import type { DataOf } from '@gatehouse/contract'
import type { Transaction } from '../../platform/database/database.ts'
import type { WatchListPerson } from './watch-list-data.ts'
import type { Unseen } from './unseen-data.ts'
import type { PersonLookup } from './lookup.ts'
import type { PersonQuery } from './listing-data.ts'
import type { FormSender, PersonChange, PersonFields } from './fields.ts'
import type { PersonFacts } from './facts-types.ts'
import type { StaffEmail } from './staff-email.ts'
import type { CredentialsOf } from './credentials.ts'
import type { Copying } from './copying-types.ts'
import type { ContactService } from './contacts-types.ts'
import type { VisitorPersons } from './visitor-types.ts'
import type { PersonDescription } from '../faces/index.ts'
import type { Selection } from '../../platform/tree.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Writes that are made together with a person, in the same transaction, or not at all. */
export type Alongside = (tx: Transaction, personId: string) => Promise<void>
export interface PeopleService extends VisitorPersons {
  /** Return a page of persons. @throws NotFound for a group that does not exist */
  list(scope: Scope, query: PersonQuery): Promise<{ total: number; content: Person[]; page: number; size: number }>
  /** Return a person with contacts. @throws NotFound */
  read(scope: Scope, id: string): Promise<PersonRecord>
  /**
   * Register a person; return the id.
   * @param sender of the form; the values of a masked form cannot hold asterisks
   * @throws InvalidRequest; Refusal 200215, 200005, 200207, 200214 for a value that another person has; Hindered
   */
  create(scope: Scope, fields: PersonFields, sender: FormSender, alongside?: Alongside): Promise<string>
  /**
   * Change a person.
   * @param version of the person that the change was made from; undefined: the current one
   * @param sender of the form; values that came back masked are taken for the stored ones
   * @throws NotFound; Conflict; as create; Refusal 200224 for a disabled person
   */
  change(
    scope: Scope,
    id: string,
    version: number | undefined,
    change: PersonChange,
    sender: FormSender,
    alongside?: Alongside,
  ): Promise<void>
  /** Enable or disable persons; return how many changed. @throws NotFound; Hindered */
  setEnabled(scope: Scope, ids: readonly string[], enabled: boolean, reason?: string): Promise<number>
  /** Return what deleting these persons would lose. @throws NotFound */
  preview(scope: Scope, ids: readonly string[]): Promise<DataOf<typeof peopleCalls.confirm>>
  /** Delete enabled persons; return how many. @throws NotFound; Refusal 200224 */
  delete(scope: Scope, ids: readonly string[]): Promise<number>
  /** Return the persons whom a move would put into another group, as they are before it. @throws as `move` */
  moving(scope: Scope, ids: readonly string[], groupId: string): Promise<PersonFacts[]>
  /**
   * Move persons into a group; return how many were not in it before.
   * @throws NotFound; InvalidRequest for a group of another register; Refusal 200224; Hindered
   */
  move(scope: Scope, ids: readonly string[], groupId: string): Promise<number>
  /** Copy persons; return how many. A person who has a copy in the group already is passed over. @param to the park of the group */
  copy: Copying
  /** Note a person's consent, in the caller's transaction; a withdrawal deletes the photographs. @throws NotFound */
  setConsent(tx: Transaction, scope: Scope, personId: string, state: Exclude<ConsentState, 'none'>, at: number): Promise<void>
  /** Give a person this card in place of any other, in the caller's transaction. @throws NotFound; Refusal 200207, 200224 */
  setCard(tx: Transaction, scope: Scope, personId: string, number: string, format: 'decimal' | 'hex'): Promise<void>
  /** Take this card away if the person has it, in the caller's transaction. */
  takeCard(tx: Transaction, scope: Scope, personId: string, number: string, format: 'decimal' | 'hex'): Promise<void>
  /** Return the form of the park: its custom fields, and whether a photograph of the ID is required. */
  form(scope: Scope): PersonForm
  summary(scope: Scope): Promise<{ total: number; withoutFace: number; expiring: number; expired: number }>
  /** Return facts of these persons, in no order; unknown ids are left out. @param within read through this transaction */
  facts(scope: Scope, ids: readonly string[], within?: Transaction): Promise<PersonFacts[]>
  /** Return what persons show at a door instead of a face, in clear: for terminals alone. */
  credentials: CredentialsOf
  staffEmail: StaffEmail
  /** Return the contacts who may come in persons' places; a person without contacts is left out. */
  contactsOf: ContactService['ofPersons']
  contactsNamed: ContactService['named']
  /** Return what is shown of persons beside their photographs; unknown ids are left out. */
  describe(scope: Scope, ids: readonly string[]): Promise<PersonDescription[]>
  count(scope: Scope): Promise<number>
  /** Return what names the persons of this park that do not exist for the scope. */
  unseen(scope: Scope): Promise<Unseen>
  /** Return the ids of persons of the watch list whose photographs are searched for. */
  lookedOutFor(scope: Scope): Promise<string[]>
  /** Return those of these persons who are on the watch list. */
  watchListed(scope: Scope, ids: readonly string[]): Promise<WatchListPerson[]>
  /** Many persons at once. */
  lookup: PersonLookup
  /** Return facts of at most `size` persons in the order of their ids, those after an id. */
  page(scope: Scope, after: string, size: number): Promise<PersonFacts[]>
  /**
   * Return the ids of the persons in these groups and the groups below them.
   * @param within read through this transaction
   * @param of `registered`: without the persons of visits
   */
  idsInGroups(scope: Scope, groupIds: readonly string[], within?: Transaction, of?: 'all' | 'registered'): Promise<string[]>
  /** Return how many persons each selection has, including those in groups below its groups. */
  sizes(scope: Scope, selections: readonly Selection[]): Promise<number[]>
  /** Return the ids of persons whose name or work number contains a text. */
  idsNamed(scope: Scope, text: string): Promise<string[]>
  /** Return those of these names that a person has who exists for the scope. */
  namesAmong(scope: Scope, names: readonly string[]): Promise<string[]>
  /** Remove persons of this park, disabled ones too, with their photographs, in the caller's transaction. */
  remove(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<void>
  /** Delete all persons and groups of the park; return how many by kind. */
  erasePark(tx: Transaction, scope: Scope): Promise<Record<string, number>>
}
