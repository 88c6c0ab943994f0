import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import type { CallCase, Ground, ScreenParameters } from './case.ts'

let samples = 0

/** Create a group of its own: a group that strategies name cannot be deleted. */
async function spareGroup({ site }: Ground): Promise<{ id: string }> {
  const { id } = await site.call(accessGroupCalls.create, { body: { name: `Spare ${++samples}` } })
  return { id }
}

export const cases: readonly CallCase[] = [
  { call: accessGroupCalls.delete, given: spareGroup },
  { call: strategyCalls.checkPassword, given: () => ({ personalPassword: '86420' }) },
  // One of `methods` and `accessType` is required.
  { call: strategyCalls.create, needs: { methods: [1, 4] } },
  // A drawn face is not a calendar.
  { call: timeRuleCalls.readCalendar, lastWord: [400, 400] },
]

/** What the parameters of screens name. */
export const screens = {
  passStrategyDetail: { id: ({ strategy }) => strategy.id },
  syncStatus: { id: ({ strategy }) => strategy.id },
  timeRuleDetail: { id: ({ timeRule }) => timeRule.id },
  associatedRuleDetail: { id: associatedRuleCalls.read },
  associatedRuleSyncStatus: { id: associatedRuleCalls.read },
  associatedRuleVisitorDetail: { id: associatedRuleCalls.read },
} satisfies ScreenParameters
