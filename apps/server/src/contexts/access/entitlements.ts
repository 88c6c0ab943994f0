/** Everything a terminal must hold to decide without the server. */
import type { z } from 'zod'
import type { Period } from '@gatehouse/access-rules'
import type { strategyObject, timeRuleObject } from '@gatehouse/contract/device/protocol'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import type { AccessDependencies } from './dependencies.ts'
import type { AccessTables } from './schema.ts'
import { membersOf } from './strategies.ts'
import { findRulesOf, findStrategies, findStrategyIdsNaming } from './strategies-data.ts'
import { findTimeRules } from './time-rules-data.ts'

export interface Entitlements {
  /** Those that name the device, its group or a group above it, in the order of their ids. */
  strategies: z.output<typeof strategyObject>[]
  /** Rules of those strategies, in the order of their ids. */
  timeRules: z.output<typeof timeRuleObject>[]
  /** Persons the strategies name, groups resolved, each with ascending indexes into `strategies`. Validity is for the terminal to judge. */
  persons: Map<string, number[]>
}

export type ResolveEntitlements = (scope: Scope, device: { id: string; groupId: string | null }) => Promise<Entitlements>

/** The resolver; what it asks the database grows with the strategies at the device, not with persons. */
export function createEntitlements(
  platform: Platform,
  { people, devices }: Pick<AccessDependencies, 'people' | 'devices'>,
): ResolveEntitlements {
  const db = platform.db as unknown as Database<AccessTables>
  return async (scope, device) => {
    const strategyIds = await findStrategyIdsNaming(scope, db, [
      { kind: 'device', ids: [device.id] },
      { kind: 'deviceGroup', ids: await devices.groupPath(scope, device.groupId) },
    ])
    const [strategies, members, links] = await Promise.all([
      findStrategies(scope, db, strategyIds),
      membersOf(scope, db, strategyIds),
      findRulesOf(scope, db, strategyIds),
    ])
    const [rules, groupPersons] = await Promise.all([
      findTimeRules(scope, db, [...new Set(links.map((link) => link.id))]),
      Promise.all(
        strategies.map(({ id }) => {
          const { personGroupIds } = members.get(id)!
          return personGroupIds.length === 0 ? [] : people.idsInGroups(scope, personGroupIds)
        }),
      ),
    ])
    const persons = new Map<string, number[]>()
    strategies.forEach(({ id }, index) => {
      for (const personId of new Set([...members.get(id)!.personIds, ...groupPersons[index]!])) {
        const indexes = persons.get(personId)
        if (indexes === undefined) persons.set(personId, [index])
        else indexes.push(index)
      }
    })
    return {
      strategies: strategies.map(({ id, methods, validFrom, validTo }) => ({
        id,
        timeRuleIds: links.filter((link) => link.strategyId === id).map((link) => link.id).toSorted(),
        methods,
        validFrom: validFrom as number | null,
        validTo: validTo as number | null,
      })),
      timeRules: rules.map(({ id, name, periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate }) => ({
        id,
        name,
        periods: periods as Period[],
        allowedExceptionDates,
        forbiddenExceptionDates,
        effectiveDate,
      })),
      persons,
    }
  }
}
