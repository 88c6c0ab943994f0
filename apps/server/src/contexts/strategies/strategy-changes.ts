/**
 * What a change makes of a strategy: what is left out stays as it was, and what can be sent in two ways is stored in one.
 */
import type { z } from 'zod'
import { localDate, startOfDay, validateStrategy, type AccessIssue } from '@gatehouse/access-rules'
import { USUAL_METHODS, type Strategy, type strategyChangeFields } from '@gatehouse/contract/strategies/calls'
import { accessMethod, accessType, authorisedObject, ruleEffective } from '@gatehouse/contract/enums'
import type { Database } from '../../platform/database/database.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import type { Scope } from '../../platform/session/session.ts'
import { refuseIssues } from './issues.ts'
import type { MemberKind } from './schema.ts'
import { findMembers, findRulesOf, type StrategyRow } from './strategies-data.ts'
import { findVisitorMembers } from './visitor-strategies-data.ts'

export type StrategyChange = z.output<typeof strategyChangeFields>

export const FIELD_OF = {
  person: 'personIds',
  personGroup: 'personGroupIds',
  device: 'deviceIds',
  deviceGroup: 'deviceGroupIds',
  accessGroup: 'accessGroupIds',
} as const satisfies Record<MemberKind, string>
export type Members = Record<(typeof FIELD_OF)[MemberKind], string[]>

/** A strategy as it is stored. */
export interface StoredStrategy extends Members {
  name: string
  kind: NonNullable<StrategyChange['kind']>
  authorizedObject: Strategy['authorizedObject']
  methods: number[]
  validFrom: number | null
  validTo: number | null
  timeRuleIds: string[]
  /** Persons of visits, whom no form contains: they stay until their visits end. */
  visitorIds: string[]
}

/** When a request is made, epoch milliseconds, and the time zone of the park: tomorrow begins at its midnight. */
export interface RequestTime {
  now: number
  zone: string
}

const NOTHING_YET: StoredStrategy = {
  name: '',
  kind: 'staff',
  authorizedObject: authorisedObject.person,
  methods: [],
  validFrom: null,
  validTo: null,
  personIds: [],
  personGroupIds: [],
  deviceIds: [],
  deviceGroupIds: [],
  accessGroupIds: [],
  timeRuleIds: [],
  visitorIds: [],
}

/** Ids once each, in order. */
export const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted()

/** Members of each strategy as it names them, empty lists where it names none. */
export async function namedMembersOf(scope: Scope, db: Database, strategyIds: readonly string[]): Promise<Map<string, Members>> {
  const none = (): Members => ({ personIds: [], personGroupIds: [], deviceIds: [], deviceGroupIds: [], accessGroupIds: [] })
  const members = new Map(strategyIds.map((id) => [id, none()]))
  for (const row of await findMembers(scope, db, strategyIds)) members.get(row.strategyId)![FIELD_OF[row.kind]] = row.memberIds
  return members
}

export async function storedStrategy(scope: Scope, db: Database, row: StrategyRow): Promise<StoredStrategy> {
  const { id, name, kind, authorizedObject, methods, validFrom, validTo } = row
  const [members, rules, visitorIds] = await Promise.all([
    namedMembersOf(scope, db, [id]),
    findRulesOf(scope, db, [id]),
    findVisitorMembers(scope, db, id),
  ])
  const { personIds, ...others } = members.get(id)!
  return {
    name,
    kind: kind as StoredStrategy['kind'],
    authorizedObject,
    methods,
    validFrom,
    validTo,
    ...others,
    personIds: personIds.filter((personId) => !visitorIds.includes(personId)),
    timeRuleIds: distinct(rules.map((rule) => rule.id)),
    visitorIds,
  }
}

/** Face where it is among the methods, else card where that is; null where neither is. */
export const accessTypeOf = (methods: readonly number[]): Strategy['accessType'] =>
  methods.includes(accessMethod.face) ? accessType.face : methods.includes(accessMethod.card) ? accessType.card : null

export const effectiveOf = (validFrom: number | null, now: number): Strategy['effective'] =>
  validFrom !== null && validFrom > now ? ruleEffective.tomorrow : ruleEffective.today

/** The first moment of the next day of the park. */
function tomorrow({ now, zone }: RequestTime): number {
  const today = localDate(now, zone)
  return startOfDay(new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10), zone)
}

/**
 * Return from when on a strategy holds. What is sent back as it was read changes nothing, however late: a moment that is sent may stand
 * beside `tomorrow` even once it has passed.
 */
function startOf(
  { validFrom, effective }: StrategyChange,
  before: StoredStrategy,
  at: RequestTime,
): { validFrom: number | null; issues: AccessIssue[] } {
  const isSent = validFrom !== undefined && validFrom !== null
  const stays = validFrom === undefined ? before.validFrom : validFrom
  if (effective == null) return { validFrom: stays, issues: [] }
  if (isSent) {
    const contradicts = effective === ruleEffective.today && validFrom > at.now
    return { validFrom, issues: contradicts ? [{ code: 400, path: 'effective', rule: 'effectiveLater' }] : [] }
  }
  if (effectiveOf(stays, at.now) === effective) return { validFrom: stays, issues: [] }
  return { validFrom: effective === ruleEffective.today ? null : tomorrow(at), issues: [] }
}

const METHODS_OF: Readonly<Record<number, readonly number[]>> = { [accessType.face]: USUAL_METHODS, [accessType.card]: [accessMethod.card] }

/** Return the methods of a strategy, which are named one by one or by the access type. */
function methodsOf({ methods, accessType: type }: StrategyChange, before: StoredStrategy): { methods: number[]; issues: AccessIssue[] } {
  const chosen = methods ?? before.methods
  if (type == null || accessTypeOf(chosen) === type) return { methods: chosen, issues: [] }
  return methods === undefined
    ? { methods: [...METHODS_OF[type]!], issues: [] }
    : { methods, issues: [{ code: 400, path: 'accessType', rule: 'accessTypeDiffers' }] }
}

/**
 * Return a strategy as it would be saved.
 * @param stored null where it is added
 * @throws InvalidRequest; Refusal 300206, 900007
 */
export function changedStrategy(change: StrategyChange, stored: StoredStrategy | null, at: RequestTime): StoredStrategy {
  const before = stored ?? NOTHING_YET
  const start = startOf(change, before, at)
  const chosen = methodsOf(change, before)
  const after = { ...leftAsItWas(before, change), validFrom: start.validFrom, methods: chosen.methods }
  const withoutMethods: AccessIssue[] = after.methods.length === 0 ? [{ code: 400, path: 'methods', rule: 'required' }] : []
  const others = validateStrategy(after).filter(({ path }) => path !== 'methods' || withoutMethods.length === 0)
  refuseIssues([...start.issues, ...chosen.issues, ...withoutMethods, ...others])
  return {
    ...after,
    methods: [...new Set(after.methods)].toSorted((one, other) => one - other),
    timeRuleIds: distinct(after.timeRuleIds),
    personIds: distinct(after.personIds),
    personGroupIds: distinct(after.personGroupIds),
    deviceIds: distinct(after.deviceIds),
    deviceGroupIds: distinct(after.deviceGroupIds),
    accessGroupIds: distinct(after.accessGroupIds),
  }
}

/** Return what of a strategy decides, under the names that worlds, history and terminals use. */
export const decidingOf = ({ authorizedObject, visitorIds, ...fields }: StoredStrategy) => ({
  ...fields,
  personIds: visitorIds.length === 0 ? fields.personIds : distinct([...fields.personIds, ...visitorIds]),
  authorisedObject: authorizedObject,
})
