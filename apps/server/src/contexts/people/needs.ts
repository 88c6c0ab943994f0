/** What the register of persons needs of areas above it, which use the register themselves and so cannot be imported. */
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { Settings } from '../organisation/index.ts'
import type { NotedConsent, PersonGuard, VisitorStrategies } from './extension-points.ts'
import type { GroupNeeds } from './groups.ts'

export interface PeopleNeeds extends GroupNeeds {
  /**
   * Make a change of persons in a transaction that the guard opens, unless a written rule of the park hinders it.
   * @param persons read only where there are written rules @param field of the form that a refusal belongs to
   * @throws Hindered
   */
  admitting: PersonGuard['persons']
  /** The same for a group that moves to below another. */
  admittingGroup: PersonGuard['group']
  settings: Settings
  /** Return whether photographs are accepted only of persons who agreed. */
  consentRequired(scope: Scope): boolean
  /** Note that a person agreed or withdrew, in the transaction that changes the person. */
  noteConsent(tx: Transaction, scope: Scope, personId: string, consent: NotedConsent): Promise<void>
  /** Access rules for visitors. */
  visitorStrategies: VisitorStrategies
  /** Send persons once more to every device that is to hold them; return how many devices. */
  sendAgain(scope: Scope, personIds: readonly string[]): Promise<number>
  /** Return the scope of a park for a session that may see its persons; null where it may not. */
  reach(session: Session, parkId: string): Promise<Scope | null>
}
