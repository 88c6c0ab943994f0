/** Changes that may have to wait, and the service that makes each. */
import type { PendingKind, writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import type { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import type { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import type { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import type { OutputOf } from '@gatehouse/contract'
import { Conflict, Hindered, InvalidRequest, NotFound, Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Admission, AccessGroupService, AssociatedRules, StrategyService, TimeRuleService } from '../strategies/index.ts'
import type { WrittenRuleService } from './written-rules.ts'

export interface Bodies {
  'strategy.create': OutputOf<typeof strategyCalls.create.body>
  'strategy.change': OutputOf<typeof strategyCalls.change.body>
  'timeRule.change': OutputOf<typeof timeRuleCalls.change.body>
  'accessGroup.change': OutputOf<typeof accessGroupCalls.change.body>
  'associatedRule.create': OutputOf<typeof associatedRuleCalls.create.body>
  'associatedRule.change': OutputOf<typeof associatedRuleCalls.change.body>
  'writtenRule.change': OutputOf<typeof writtenRuleCalls.change.body>
  'writtenRule.delete': { id: string; name: string; version?: number | undefined }
}

export interface SavingParts {
  strategies: Pick<StrategyService, 'create' | 'change' | 'read'>
  timeRules: Pick<TimeRuleService, 'change' | 'read'>
  accessGroups: Pick<AccessGroupService, 'change' | 'read'>
  associatedRules: Pick<AssociatedRules, 'create' | 'change' | 'read'>
  writtenRules: Pick<WrittenRuleService, 'change' | 'delete' | 'read'>
}

export interface PendingSaving {
  /** Return the stored name and version of the subject of a change; null for a change that adds something. */
  subjectOf(scope: Scope, kind: PendingKind, id: string): Promise<{ name: string; version: number }> | null
  /** Make a change; return the id of what was added or changed. @throws whatever saving throws */
  save<Kind extends PendingKind>(scope: Scope, kind: Kind, body: Bodies[Kind], admission: Admission): Promise<string>
}

/**
 * Return whether an error means that a change cannot be made any more: its subject was changed since, it would allow more than
 * was shown, or it names a list beside "everybody", which was accepted in the past and is ambiguous.
 */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Conflict ||
  error instanceof NotFound ||
  (error instanceof Refusal && [300001, 300101].includes(error.code)) ||
  (error instanceof InvalidRequest &&
    !(error instanceof Hindered) &&
    error.fields.some(({ rule }) => rule === 'unknown' || rule === 'everybodyOrChosen'))

export function createPendingSaving({ strategies, timeRules, accessGroups, associatedRules, writtenRules }: SavingParts): PendingSaving {
  const SUBJECT: { [Kind in PendingKind]: (scope: Scope, id: string) => Promise<{ name: string; version: number }> | null } = {
    'strategy.create': () => null,
    'strategy.change': (scope, id) => strategies.read(scope, id),
    'timeRule.change': (scope, id) => timeRules.read(scope, id),
    'accessGroup.change': (scope, id) => accessGroups.read(scope, id),
    'associatedRule.create': () => null,
    'associatedRule.change': (scope, id) => associatedRules.read(scope, id),
    'writtenRule.change': (scope, id) => writtenRules.read(scope, id),
    'writtenRule.delete': (scope, id) => writtenRules.read(scope, id),
  }
  const SAVE: { [Kind in PendingKind]: (scope: Scope, body: Bodies[Kind], admission: Admission) => Promise<string> } = {
    'strategy.create': (scope, body, admission) => strategies.create(scope, body, admission),
    'strategy.change': async (scope, { id, version, ...fields }, admission) =>
      strategies.change(scope, id, version, fields, admission).then(() => id),
    'timeRule.change': async (scope, { id, version, ...fields }, admission) =>
      timeRules.change(scope, id, version, fields, admission).then(() => id),
    'accessGroup.change': async (scope, { id, version, ...fields }, admission) =>
      accessGroups.change(scope, id, version, fields, admission).then(() => id),
    'associatedRule.create': (scope, body, admission) => associatedRules.create(scope, body, admission),
    'associatedRule.change': async (scope, { id, version, ...fields }, admission) =>
      associatedRules.change(scope, id, version, fields, admission).then(() => id),
    'writtenRule.change': async (scope, { id, version, ...fields }, admission) =>
      writtenRules.change(scope, id, version, fields, admission).then(() => id),
    'writtenRule.delete': async (scope, { id, version }, admission) => writtenRules.delete(scope, id, version, admission).then(() => id),
  }

  return {
    subjectOf: (scope, kind, id) => SUBJECT[kind](scope, id),
    save: (scope, kind, body, admission) => SAVE[kind](scope, body, admission),
  }
}
