/** What associated rules offer. */
import type { AssociatedRule, RelatedPark, associatedRuleCalls, associatedRuleRow } from '@gatehouse/contract/strategies/associated-rules'
import type { z } from 'zod'
import type { DataOf } from '@gatehouse/contract'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Change, Fields } from './associated-values.ts'
import type { Admission, NamedStrategy } from './changes.ts'

export type Row = z.output<typeof associatedRuleRow>
export type Query = z.output<typeof associatedRuleCalls.list.body>
export type SharedPersons = DataOf<typeof associatedRuleCalls.persons>
export interface AssociatedRules {
  list(scope: Scope, query: Query): Promise<{ total: number; content: Row[]; page: number; size: number }>
  relatedParks(scope: Scope): Promise<RelatedPark[]>
  /** @throws InvalidRequest for a park that is not linked */
  persons(scope: Scope, query: z.output<typeof associatedRuleCalls.persons.query>): Promise<SharedPersons>
  /** @throws Refusal 300101 */
  read(scope: Scope, id: string): Promise<AssociatedRule>
  /**
   * @throws Refusal 300001, 300206, 900004, 900007; InvalidRequest for a park that is not linked, persons it does not
   * share, devices that are not of this park, and time rules that contradict each other; AgainstWrittenRules
   */
  create(scope: Scope, fields: Fields, admission?: Admission): Promise<string>
  /** @throws as create; Refusal 300101; Conflict where it is not at `version` any more */
  change(scope: Scope, id: string, version: number | undefined, fields: Change, admission?: Admission): Promise<void>
  /**
   * Return what of a rule decides if it were saved like this.
   * @throws InvalidRequest for a park that is not linked; Refusal 300101, 300206, 900007
   */
  drafted(scope: Scope, id: string | undefined, fields: Change): Promise<NamedStrategy>
  /** Confirm that a rule about everybody is meant so. @throws Refusal 300101 */
  confirmEverybody(scope: Scope, id: string): Promise<void>
  /** @throws Refusal 300101 */
  delete(scope: Scope, id: string): Promise<void>
  /** The linked park a rule is about. @throws Refusal 300101 */
  linkedPark(scope: Scope, id: string): Promise<string>
  /** Ids of the rules that hold by these links. */
  idsOf(scope: Scope, relationIds: readonly string[]): Promise<string[]>
  /** Take what was deleted in the park of the scope out of the rules of other parks. */
  forgetIn(tx: Transaction, scope: Scope, kind: 'person' | 'personGroup', memberIds: readonly string[]): Promise<void>
  /** The same in a transaction of its own. */
  forget(scope: Scope, kind: 'person' | 'personGroup', memberIds: readonly string[]): Promise<void>
  /** Delete rules of other parks about persons of a park that is deleted. */
  erasePark(tx: Transaction, scope: Scope): Promise<void>
}
