import type { Call } from '@gatehouse/contract'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { pendingChangeCalls, writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { linked } from './strategies-associated.ts'
import type { CallCase, Ground, ScreenParameters } from './case.ts'

let made = 0

/** Create a compliance rule about a group and a door of its own. */
async function rule({ site }: Ground, reaction: 'refuse' | 'ask' = 'refuse') {
  const [group, door] = [await site.personGroup(), await site.device()]
  const { id } = await site.call(writtenRuleCalls.create, {
    body: { name: `Written ${++made}`, personGroupIds: [group.id], deviceIds: [door.id], reaction },
  })
  return { id, group, door }
}
const withRule = async (ground: Ground) => ({ id: (await rule(ground)).id })

/** Create a change that is pending the approval of another user. */
async function waiting(ground: Ground): Promise<{ id: string }> {
  const { site } = ground
  const { group, door } = await rule(ground, 'ask')
  await site.person({ groupId: group.id })
  const [always, name] = [await site.timeRule(), `Waiting ${++made}`]
  const answer = await site.ask(strategyCalls.create, {
    body: { name, personGroupIds: [group.id], deviceIds: [door.id], timeRuleIds: [always.id], methods: [1, 4] },
  })
  return { id: (answer.data as unknown as { pendingChangeId: string }).pendingChangeId }
}
async function withDraft(ground: Ground) {
  const { site } = ground
  const [{ id }, { parkId }] = [await site.strategy(), await linked(ground)]
  return { id, parkId, strategy: { id, deviceIds: [(await site.device()).id], timeRuleIds: [(await site.timeRule()).id], methods: [1, 4] } }
}

export const cases: readonly CallCase[] = [
  { call: writtenRuleCalls.read, given: withRule },
  { call: writtenRuleCalls.change, given: withRule },
  { call: writtenRuleCalls.delete, given: withRule },
  { call: writtenRuleCalls.breaches, given: withDraft },
  { call: writtenRuleCalls.breachers, given: async (ground) => ({ ...(await withDraft(ground)), writtenRuleId: (await rule(ground)).id }) },
  { call: pendingChangeCalls.read, given: waiting },
  { call: pendingChangeCalls.decide, given: waiting },
]

/** What the parameters of screens name. */
export const screens = {
  writtenRuleDetail: { id: writtenRuleCalls.read },
} satisfies ScreenParameters

/** A list shows at least one row of what these calls read. */
export const listed: readonly Call[] = [pendingChangeCalls.read]
