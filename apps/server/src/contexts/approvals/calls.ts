/** Handlers of the calls on written rules, on changes that may have to wait because of one, and on permits given at registration. */
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { pendingChangeCalls, writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { PendingChangeService } from './pending-changes.ts'
import type { PermitService } from './permits.ts'
import type { WrittenRuleService } from './written-rules.ts'

interface Parts {
  writtenRules: WrittenRuleService
  pendingChanges: PendingChangeService
  permits: PermitService
}

export const approvalHandlers = ({ writtenRules, pendingChanges, permits }: Parts): MountedCall[] => [
  handler(strategyCalls.create, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'strategy.create', body) })),
  handler(strategyCalls.change, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'strategy.change', body) })),
  handler(timeRuleCalls.change, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'timeRule.change', body) })),
  handler(accessGroupCalls.change, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'accessGroup.change', body) })),
  handler(associatedRuleCalls.create, async ({ session, body }) => ({
    id: await pendingChanges.make(session, 'associatedRule.create', body),
  })),
  handler(associatedRuleCalls.change, async ({ session, body }) => ({
    id: await pendingChanges.make(session, 'associatedRule.change', body),
  })),

  handler(writtenRuleCalls.list, ({ scope, query }) => writtenRules.list(scope, query)),
  handler(writtenRuleCalls.read, ({ scope, params }) => writtenRules.read(scope, params.id)),
  handler(writtenRuleCalls.create, async ({ scope, body }) => ({ id: await writtenRules.create(scope, body) })),
  handler(writtenRuleCalls.change, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'writtenRule.change', body) })),
  handler(writtenRuleCalls.delete, async ({ session, scope, params: { id } }) => {
    const { name } = await writtenRules.read(scope, id)
    return { id: await pendingChanges.make(session, 'writtenRule.delete', { id, name }) }
  }),
  handler(writtenRuleCalls.standing, ({ scope, body: { page, size, ...fields } }) => writtenRules.standing(scope, fields, { page, size })),
  handler(writtenRuleCalls.breaches, ({ scope, body }) => writtenRules.breaches(scope, body)),
  handler(writtenRuleCalls.breachers, ({ scope, body: { writtenRuleId, page, size, ...draft } }) =>
    writtenRules.breachers(scope, writtenRuleId, draft, { page, size }),
  ),
  handler(pendingChangeCalls.list, ({ session, query }) => pendingChanges.list(session, query)),
  handler(pendingChangeCalls.read, ({ session, params }) => pendingChanges.read(session, params.id)),
  handler(pendingChangeCalls.decide, ({ session, body }) => pendingChanges.decide(session, body)),

  handler(permitCalls.persons, ({ session, body, language }) => permits.permit(session, body, language)),
  handler(permitCalls.choices, ({ scope, body }) => permits.choices(scope, body)),
]
