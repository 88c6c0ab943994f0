/** Types of the questions about access. */
import type { OutputOf } from '@gatehouse/contract'
import type { AffectedPerson, Effect, PassableDoor, Passer, RuleEffect, questionCalls } from '@gatehouse/contract/questions/calls'
import type { Page, Paging } from './pages.ts'
import type { ChangeEffect } from '@gatehouse/contract/questions/effects'
import type { Scope } from '../../platform/session/session.ts'
import type { WorldChange } from '../strategies/index.ts'
import type { RuleDraft, StrategyDraft } from './drafts.ts'

export type PersonsQuery = OutputOf<(typeof questionCalls)['whoCanPass']['body']>
export type DevicesQuery = OutputOf<(typeof questionCalls)['whereCanPass']['body']>
export interface AffectedQuery extends Paging {
  deviceId?: string | undefined
  what: 'gain' | 'lose'
}
export interface QuestionService {
  /** @throws InvalidRequest where no door is named, one is not of this park, or the moment lies before history */
  whoCanPass(scope: Scope, query: PersonsQuery): Promise<Page<Passer>>
  /** @throws InvalidRequest where no person is named, one is not of this park, or the moment lies before history */
  whereCanPass(scope: Scope, query: DevicesQuery): Promise<Page<PassableDoor>>
  /** @throws as saving it: InvalidRequest; Refusal 300001, 300101, 300206, 900007 */
  strategyEffect(scope: Scope, draft: StrategyDraft): Promise<Effect>
  strategyEffectPersons(scope: Scope, draft: StrategyDraft & AffectedQuery): Promise<Page<AffectedPerson>>
  /** @throws as saving it: InvalidRequest; Refusal 300001, 300203, 300204, 900007 */
  ruleEffect(scope: Scope, draft: RuleDraft): Promise<RuleEffect>
  ruleEffectPersons(scope: Scope, draft: RuleDraft & AffectedQuery): Promise<Page<AffectedPerson>>
  /** Effect of a change of groups, or of persons or devices in them. Doors that the caller may not see are neither named nor counted. */
  changeEffect(scope: Scope, change: WorldChange): Promise<ChangeEffect>
  changeEffectPersons(scope: Scope, change: WorldChange, query: AffectedQuery): Promise<Page<AffectedPerson>>
}
