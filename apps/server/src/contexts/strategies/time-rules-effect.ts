/** From when time rules work: by their effective date, and by which terminals hold them as they are set. */
import { localDate } from '@gatehouse/access-rules'
import { EFFECT_MINUTES, type RuleState } from '@gatehouse/contract/strategies/calls'
import { deviceOnlineStatus } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { StrategyDependencies } from './dependencies.ts'
import type { StrategyDelivery } from './extension-points.ts'
import { findStrategyIdsFollowing } from './strategies-data.ts'
import type { TimeRuleRow } from './time-rules-data.ts'

/** What a rule set like this has come to, in the order of the rows. */
export type RuleStates = (scope: Scope, rules: readonly TimeRuleRow[]) => Promise<RuleState[]>

type Needs = Pick<StrategyDependencies, 'devices' | 'organisation'>

const MINUTE = 60_000
const DAY = 86_400_000

export function createRuleStates(platform: Platform, { devices, organisation }: Needs, delivery: () => StrategyDelivery): RuleStates {
  const db = platform.db

  /** Terminals that have ever been connected and follow a rule, each with whether it is connected and holds what it should. */
  async function terminalsOf(scope: Scope, ruleIds: readonly string[]): Promise<Map<string, { online: boolean; holds: boolean }[]>> {
    const links = await findStrategyIdsFollowing(scope, db, ruleIds)
    const { devicesOf, upToDate } = delivery()
    const doors = new Map([...new Set(links.map(({ strategyId }) => strategyId))].map((id) => [id, devicesOf(scope, id)]))
    const concerned = new Set([...doors.values()].flat())
    const connected =
      concerned.size === 0 ? [] : (await devices.all(scope)).filter(({ id, lastSeenAt }) => lastSeenAt !== null && concerned.has(id))
    const current = await upToDate(
      scope,
      connected.map(({ id }) => id),
    )
    const states = new Map(
      connected.map(({ id, onlineStatus }) => {
        return [id, { online: onlineStatus === deviceOnlineStatus.online, holds: current.has(id) }]
      }),
    )
    const ofRule = (ruleId: string): string[] => [
      ...new Set(links.filter((link) => link.ruleId === ruleId).flatMap(({ strategyId }) => doors.get(strategyId) ?? [])),
    ]
    return new Map(ruleIds.map((id) => [id, ofRule(id).flatMap((deviceId) => states.get(deviceId) ?? [])]))
  }

  return async (scope, rules) => {
    const now = platform.clock.now()
    const { zone } = organisation.park(scope)
    const today = localDate(now, zone)
    const tomorrow = new Date(Date.parse(`${today}T00:00:00Z`) + DAY).toISOString().slice(0, 10)
    const concerned = await terminalsOf(
      scope,
      rules.map(({ id }) => id),
    )
    return rules.map(({ id, effectiveDate, updatedAt }) => {
      const terminals = concerned.get(id)!
      const counts = { terminals: terminals.length, holding: terminals.filter(({ holds }) => holds).length }
      if (effectiveDate !== null && effectiveDate > today) return { state: effectiveDate === tomorrow ? 'tomorrow' : 'later', ...counts }
      // One that is not connected is waited for no longer than it takes: it is counted, and follows when it is back.
      const fresh = now - updatedAt < EFFECT_MINUTES * MINUTE
      const awaited = terminals.some(({ online, holds }) => !holds && (online || fresh))
      return { state: awaited ? 'today' : 'inEffect', ...counts }
    })
  }
}
