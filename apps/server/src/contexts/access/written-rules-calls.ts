/** Handlers of the calls on written rules and on changes that wait because of one. */
import { pendingChangeCalls, writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { AccessService } from './service.ts'

export const writtenRuleHandlers = ({
  writtenRules,
  pendingChanges,
}: Pick<AccessService, 'writtenRules' | 'pendingChanges'>): MountedCall[] => [
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
]
