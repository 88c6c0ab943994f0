/** What the register of persons asks of areas above it. */
import type { OpenTransaction } from '../../platform/database/database.ts'
import { extensionPoint, singlePoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { AdmittedPerson, NotedConsent } from './needs.ts'

/** Stands before a change of persons or their groups, and may refuse it. */
export interface PersonGuard {
  /** @param persons as they would be; asked for only where anything could refuse it @param field of the form that a refusal belongs to @throws Hindered */
  persons<T>(scope: Scope, persons: () => Promise<AdmittedPerson[]>, field: string, work: () => Promise<T>): Promise<T>
  /** The same for a group that moves to below another. */
  group<T>(scope: Scope, id: string, parentId: string | null, work: () => Promise<T>): Promise<T>
}
export const personGuards = extensionPoint<PersonGuard>('people.personGuards')

/** Who agreed to what. */
export interface ConsentKeeper {
  /** Whether photographs are only taken over of people who agreed. */
  required(scope: Scope): boolean
  /** Writes down that somebody agreed or withdrew, in the transaction that changes the person. */
  note(tx: OpenTransaction, scope: Scope, personId: string, consent: NotedConsent): Promise<void>
}
export const consentKeeper = singlePoint<ConsentKeeper>('people.consentKeeper')

/** Sends persons once more to every device that is to hold them; answers how many devices. */
export type SendPersons = (scope: Scope, personIds: readonly string[]) => Promise<number>
export const personSending = singlePoint<SendPersons>('people.personSending')

/** Whether something watches for the persons of a group, asked in the transaction that deletes it: then it stays. */
export type WatchesGroup = (tx: OpenTransaction, scope: Scope, groupId: string) => Promise<boolean>
export const groupWatches = extensionPoint<WatchesGroup>('people.groupWatches')
