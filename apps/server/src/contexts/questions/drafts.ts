/** Conversion of what a form would save into the resulting strategies and rules; nothing is written. */
import type { z } from 'zod'
import type { TimeRule } from '@gatehouse/access-rules'
import type { ruleDraft, strategyDraft } from '@gatehouse/contract/questions/calls'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { withDescendants, type Branch } from '../../platform/tree.ts'
import { isUuid } from '../../platform/database/ids.ts'

import type { Rules, Standing, StrategyFacts } from '../synchronisation/index.ts'

import { changedStrategy, changedTimeRule, decidingOf, refuseUnknown, type RequestTime, type StrategyReading } from '../strategies/index.ts'

export type StrategyDraft = z.output<typeof strategyDraft>
export type RuleDraft = z.output<typeof ruleDraft>

/** Placeholder for the id of a strategy that does not exist yet. */
const NEW = 'new'

export interface Drafted {
  after: Rules
  /** Ids of the strategies that the change affects. */
  changed: Set<string>
}

/** @throws InvalidRequest for members that are not in this park; Refusal 300001, 300101, 300206, 900007 */
export async function strategyDrafted(
  scope: Scope,
  reading: StrategyReading,
  standing: Standing,
  draft: StrategyDraft,
  requestTime: RequestTime,
): Promise<Drafted> {
  const { id = NEW, deleted } = draft
  if (id !== NEW && !standing.strategies.has(id)) refuse(300101)
  if (deleted && id === NEW) throw new InvalidRequest([{ path: 'id', rule: 'required' }])
  const strategies = new Map(standing.strategies)
  if (deleted) strategies.delete(id)
  else strategies.set(id, await strategyOf(scope, reading, standing, id, draft, requestTime))
  return { after: { strategies, timeRules: standing.timeRules }, changed: new Set([id]) }
}

/** Return the strategy that would be saved. @throws as `strategyDrafted` */
export async function strategyOf(
  scope: Scope,
  reading: StrategyReading,
  standing: Standing,
  id: string,
  draft: StrategyDraft,
  requestTime: RequestTime,
): Promise<StrategyFacts> {
  const [saved] = isUuid(id) ? await reading.findStrategies(scope, [id]) : []
  const fields = changedStrategy(draft, saved === undefined ? null : await reading.storedStrategy(scope, saved), requestTime)
  const { personGroupIds, deviceIds, deviceGroupIds, accessGroupIds, timeRuleIds, methods } = fields
  const { personIds, validFrom, validTo, authorisedObject } = decidingOf(fields)
  if (timeRuleIds.some((ruleId) => !standing.timeRules.has(ruleId))) refuse(300001, 'timeRuleIds')
  const [accessGroups, through] = await Promise.all([
    reading.findAccessGroups(scope, accessGroupIds),
    reading.findDoorsOf(scope, accessGroupIds),
  ])
  const reached = (kind: 'device' | 'deviceGroup', own: readonly string[]): string[] => [
    ...new Set([...own, ...through.flatMap((row) => (row.kind === kind ? row.memberIds : []))]),
  ]
  const sent = { ids: draft.personIds ?? [], groupIds: [] }
  const persons = new Set(sent.ids.length === 0 ? [] : (await standing.persons(sent)).map((person) => person.id))
  // Fields that the change leaves out stay, whether or not the caller may see their members.
  refuseUnknown({
    personIds: sent.ids.every((one) => persons.has(one)),
    personGroupIds: areAmong(standing.personGroups, draft.personGroupIds ?? []),
    deviceIds: (draft.deviceIds ?? []).every((one) => standing.doors.has(one) || standing.unreleased.has(one)),
    deviceGroupIds: areAmong(standing.deviceGroups, draft.deviceGroupIds ?? []),
    accessGroupIds: draft.accessGroupIds === undefined || accessGroups.length === accessGroupIds.length,
  })
  return {
    id,
    timeRuleIds,
    methods,
    validFrom,
    validTo,
    authorisedObject,
    personIds,
    groupIds: new Set(withDescendants(standing.personGroups, personGroupIds)),
    deviceIds: reached('device', deviceIds),
    deviceGroupIds: new Set(withDescendants(standing.deviceGroups, reached('deviceGroup', deviceGroupIds))),
  }
}

/** @throws InvalidRequest; Refusal 300001, 300203, 300204, 900007 */
export function ruleDrafted(standing: Standing, draft: RuleDraft): Drafted & { rule: TimeRule } {
  const { id } = draft
  const rule: TimeRule = { ...changedTimeRule(draft, standing.timeRules.get(id) ?? refuse(300001)), id }
  const following = [...standing.strategies.values()].filter(({ timeRuleIds }) => timeRuleIds.includes(id))
  return {
    rule,
    after: { strategies: standing.strategies, timeRules: new Map([...standing.timeRules, [id, rule]]) },
    changed: new Set(following.map((strategy) => strategy.id)),
  }
}

export function areAmong(rows: readonly Branch[], ids: readonly string[]): boolean {
  const existingIds = new Set(rows.map(({ id }) => id))
  return ids.every((id) => existingIds.has(id))
}
