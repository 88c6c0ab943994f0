/** From what a form would save to the strategies and rules that would hold then; nothing is written. */
import type { z } from 'zod'
import { validateStrategy, validateTimeRule, type TimeRule } from '@gatehouse/access-rules'
import type { ruleDraft, strategyDraft } from '@gatehouse/contract/access/questions'
import { authorisedObject } from '@gatehouse/contract/enums'
import type { Database } from '../../../platform/database.ts'
import { leftAsItWas } from '../../../platform/left-out.ts'
import { InvalidRequest, refuse } from '../../../platform/refusal.ts'
import type { Scope } from '../../../platform/session.ts'
import { withDescendants, type Branch } from '../../../platform/tree.ts'
import { findAccessGroups, findDoorsOf } from '../access-groups-data.ts'
import { isUuid, refuseIssues } from '../issues.ts'
import type { AccessTables } from '../schema.ts'
import { exceptionDatesOf } from '../time-rules.ts'
import type { Rules, Standing, StrategyFacts } from './standing.ts'

export type StrategyDraft = z.output<typeof strategyDraft>
export type RuleDraft = z.output<typeof ruleDraft>

/** Stands for the id of a strategy not yet made. */
const NEW = 'new'

export interface Drafted {
  after: Rules
  /** Strategies that are other ones afterwards. */
  changed: Set<string>
}

/** @throws InvalidRequest for members that are not in this park; Refusal 300001, 300101, 300206, 900007 */
export async function strategyDrafted(
  scope: Scope,
  db: Database<AccessTables>,
  standing: Standing,
  draft: StrategyDraft,
): Promise<Drafted> {
  const { id = NEW, deleted } = draft
  if (id !== NEW && !standing.strategies.has(id)) refuse(300101)
  if (deleted && id === NEW) throw new InvalidRequest([{ path: 'id', rule: 'required' }])
  const strategies = new Map(standing.strategies)
  if (deleted) strategies.delete(id)
  else strategies.set(id, await strategyOf(scope, db, standing, id, draft))
  return { after: { strategies, timeRules: standing.timeRules }, changed: new Set([id]) }
}

/** What a strategy saved like this would be. @throws as `strategyDrafted` */
export async function strategyOf(
  scope: Scope,
  db: Database<AccessTables>,
  standing: Standing,
  id: string,
  draft: StrategyDraft,
): Promise<StrategyFacts> {
  const { validFrom = null, validTo = null, authorisedObject: whom } = standing.strategies.get(id) ?? {}
  const limits = leftAsItWas({ validFrom, validTo, authorisedObject: whom ?? authorisedObject.person }, draft)
  refuseIssues(validateStrategy({ ...draft, ...limits }))
  const { personIds, personGroupIds, deviceIds, deviceGroupIds, accessGroupIds, timeRuleIds, methods } = draft
  if (timeRuleIds.some((ruleId) => !standing.timeRules.has(ruleId))) refuse(300001, 'timeRuleIds')
  const isGroup = accessGroupIds.every(isUuid)
  const [accessGroups, through] = isGroup
    ? await Promise.all([findAccessGroups(scope, db, accessGroupIds), findDoorsOf(scope, db, accessGroupIds)])
    : [[], []]
  const reached = (kind: 'device' | 'deviceGroup', own: readonly string[]): string[] => [
    ...new Set([...own, ...through.flatMap((row) => (row.kind === kind ? row.memberIds : []))]),
  ]
  const persons = new Set(
    personIds.length === 0 ? [] : (await standing.persons({ ids: personIds, groupIds: [] })).map((person) => person.id),
  )
  refuseUnknown({
    personIds: personIds.every((one) => persons.has(one)),
    personGroupIds: areAmong(standing.personGroups, personGroupIds),
    deviceIds: deviceIds.every((one) => standing.doors.has(one) || standing.unreleased.has(one)),
    deviceGroupIds: areAmong(standing.deviceGroups, deviceGroupIds),
    accessGroupIds: accessGroups.length === new Set(accessGroupIds).size,
  })
  return {
    id,
    timeRuleIds,
    methods,
    ...limits,
    personIds,
    groupIds: new Set(withDescendants(standing.personGroups, personGroupIds)),
    deviceIds: reached('device', deviceIds),
    deviceGroupIds: new Set(withDescendants(standing.deviceGroups, reached('deviceGroup', deviceGroupIds))),
  }
}

/** @throws InvalidRequest; Refusal 300001, 300203, 300204, 900007 */
export function ruleDrafted(standing: Standing, draft: RuleDraft): Drafted & { rule: TimeRule } {
  const { id, periods, effectiveDate = null } = draft
  const before = standing.timeRules.get(id) ?? refuse(300001)
  const dates = exceptionDatesOf(before, draft)
  refuseIssues(validateTimeRule({ ...draft, ...dates }))
  const rule: TimeRule = { id, periods, ...dates, effectiveDate }
  const following = [...standing.strategies.values()].filter(({ timeRuleIds }) => timeRuleIds.includes(id))
  return {
    rule,
    after: { strategies: standing.strategies, timeRules: new Map([...standing.timeRules, [id, rule]]) },
    changed: new Set(following.map((strategy) => strategy.id)),
  }
}

export function areAmong(rows: readonly Branch[], ids: readonly string[]): boolean {
  const known = new Set(rows.map(({ id }) => id))
  return ids.every((id) => known.has(id))
}

/** @param known by the field, whether all it names is of this park @throws InvalidRequest */
export function refuseUnknown(known: Readonly<Record<string, boolean>>): void {
  const unknown = Object.keys(known).filter((field) => !known[field])
  if (unknown.length > 0) throw new InvalidRequest(unknown.map((path) => ({ path, rule: 'unknown' })))
}
