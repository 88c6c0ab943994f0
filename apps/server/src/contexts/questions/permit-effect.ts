/** Computation of the doors that persons may pass already, and those they would gain if they were permitted; nothing is written. */
import { minutesOf, strategyHours, during, type Span } from '@gatehouse/access-rules'
import type { OutputOf } from '@gatehouse/contract'
import { USUAL_METHODS, strategyFields } from '@gatehouse/contract/strategies/calls'
import { PERMIT_DOORS, type permitCalls, type PermitEffect } from '@gatehouse/contract/approvals/permits'
import type { Platform } from '../../platform/context.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { QuestionDependencies } from './dependencies.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { assertPermittable } from '../approvals/index.ts'
import { type TimeRuleService } from '../strategies/index.ts'
import { strategyOf } from './drafts.ts'
import {
  alike,
  coverageOf,
  doorKey,
  strategiesAtDoors,
  createStandingReader,
  type Standing,
  type StandingDoor,
  type StandingPerson,
  type StrategyFacts,
} from '../synchronisation/index.ts'
import { effectsOf } from './effect.ts'

type Query = OutputOf<(typeof permitCalls)['effect']['body']>
/** Return the effect of a permit. @throws as permitting: InvalidRequest; Refusal 300001, 300101 */
export type FindPermitEffect = (scope: Scope, query: Query) => Promise<PermitEffect>

const WEEK = 7 * 86_400_000
/** Placeholder for the id of a person who is not registered yet. */
const NEWCOMER = 'newcomer'

const { compare } = new Intl.Collator()
const byName = (one: { name: string }, other: { name: string }): number => compare(one.name, other.name)

/** Return the doors that the persons may pass within a span, with how many of them may and by which strategies. */
function passable(standing: Standing, persons: readonly StandingPerson[], window: Span) {
  const atDoors = strategiesAtDoors(standing.strategies.values(), standing.doors)
  const coverOf = coverageOf(standing.strategies.values())
  const classes = alike(
    persons.filter(({ enabled }) => enabled),
    (person) => `${coverOf(person).join()} ${person.validFrom} ${person.validTo}`,
  )
  const cached = new Map<string, Span[]>()
  const hours = (id: string, door: StandingDoor): Span[] => {
    const key = `${id} ${doorKey(door)}`
    const found = cached.get(key) ?? strategyHours(standing.strategies.get(id)!, door, standing.timeRules, window)
    cached.set(key, found)
    return found
  }
  return [...standing.doors.values()].flatMap((door) => {
    const opening = new Set(atDoors.get(door.id) ?? [])
    const ways = classes.map((alikes) => ({
      count: alikes.length,
      ids: coverOf(alikes[0]!).filter((id) => opening.has(id) && during(hours(id, door), alikes[0]!).length > 0),
    }))
    const strategyIds = [...new Set(ways.flatMap(({ ids }) => ids))]
    const personCount = ways.reduce((sum, { count, ids }) => sum + (ids.length > 0 ? count : 0), 0)
    return strategyIds.length === 0 ? [] : [{ door, personCount, strategyIds }]
  })
}

export function createPermitEffect(
  platform: Platform,
  needs: QuestionDependencies,
  timeRules: Pick<TimeRuleService, 'defaultId'>,
): FindPermitEffect {
  const { reading } = needs
  const standings = createStandingReader(platform, needs)

  /** Return the strategies that the persons would be added to, as they would then be. @throws as permitting */
  async function joined(scope: Scope, standing: Standing, { strategyIds, accessGroupIds, deviceIds }: Query, ids: readonly string[]) {
    const chosen = [...new Set(strategyIds)]
    const foreign = await reading.findAbout(scope, chosen.filter(isUuid))
    if (foreign.length > 0 || chosen.some((id) => !standing.strategies.has(id))) refuse(300101)
    const directStrategies = await reading.findDirectStrategies(scope, [...deviceIds, ...accessGroupIds].filter(isUuid))
    const added = (strategy: StrategyFacts): StrategyFacts => ({ ...strategy, personIds: [...new Set([...strategy.personIds, ...ids])] })
    const targets = [
      ...deviceIds.map((id) => ({ id, field: 'deviceIds' })),
      ...accessGroupIds.map((id) => ({ id, field: 'accessGroupIds' })),
    ]
    const clock = { now: platform.clock.now(), zone: needs.organisation.park(scope).zone }
    const made = targets.map(async ({ id, field }) => {
      const strategyId = directStrategies.get(id)
      if (strategyId !== undefined) return standing.strategies.get(strategyId)!
      const fields = { name: '', [field]: [id], timeRuleIds: [await timeRules.defaultId(scope)], methods: [...USUAL_METHODS] }
      const draft = { ...strategyFields.omit({ name: true }).parse(fields), deleted: false }
      return strategyOf(scope, reading, standing, `new ${id}`, draft, clock)
    })
    return [...chosen.map((id) => standing.strategies.get(id)!), ...(await Promise.all(made))].map(added)
  }

  return async (scope, query) => {
    const { personIds, groupId } = query
    await assertPermittable(scope, needs, { personIds, groupId })
    // The default rule is created before the state is read, so that the state contains it.
    if (query.deviceIds.length + query.accessGroupIds.length > 0) await timeRules.defaultId(scope)
    const standing = await standings.now(scope)
    const newcomer = { id: NEWCOMER, groupId: groupId ?? '', enabled: true, validFrom: null, validTo: null, name: '', workNumber: '' }
    const persons = personIds.length === 0 ? [newcomer] : await standing.persons({ ids: personIds, groupIds: [] })
    const strategies = await joined(
      scope,
      standing,
      query,
      persons.map(({ id }) => id),
    )
    const [from, changed] = [platform.clock.now(), new Set(strategies.map(({ id }) => id))]
    const window = { from, to: from + WEEK }
    const after = {
      strategies: new Map([...standing.strategies, ...strategies.map((one) => [one.id, one] as const)]),
      timeRules: standing.timeRules,
    }
    const effects = effectsOf({ before: standing, after, changed }, standing.doors, persons, window)
    const already = passable(standing, persons, window)

    const seen = new Map((await needs.devices.names(scope, [...standing.doors.keys()])).map(({ id, name }) => [id, name]))
    const shown = already.filter(({ door }) => seen.has(door.id)).map((one) => ({ ...one, id: one.door.id, name: seen.get(one.door.id)! }))
    const gained = effects.doors
      .filter(({ door, counts }) => counts.gain > 0 && seen.has(door.id))
      .map(({ door, counts }) => ({ door, id: door.id, name: seen.get(door.id)!, personCount: counts.gain }))
    const atGained = strategiesAtDoors(strategies, new Map(gained.map(({ door }) => [door.id, door])))
    const opening = gained.map(({ door }) => {
      const ids = atGained.get(door.id) ?? []
      const hours = ids.map((id) => ({ id, hours: strategyHours(after.strategies.get(id)!, door, after.timeRules, window) }))
      return hours.filter((one) => one.hours.length > 0)
    })
    const named = shown.toSorted(byName).slice(0, PERMIT_DOORS)
    const [strategyNames, ruleNames] = await Promise.all([
      reading.findStrategies(scope, [...new Set(named.flatMap(({ strategyIds }) => strategyIds))]),
      reading.findTimeRules(scope, [
        ...new Set(opening.flatMap((ways) => ways.flatMap(({ id }) => after.strategies.get(id)!.timeRuleIds))),
      ]),
    ])
    return {
      already: {
        total: shown.length,
        doors: named.map(({ id, name, personCount, strategyIds }) => ({
          id,
          name,
          personCount,
          strategies: strategyNames.filter((one) => strategyIds.includes(one.id)).map((one) => ({ id: one.id, name: one.name })),
        })),
      },
      gain: {
        total: gained.length,
        doors: gained
          .toSorted(byName)
          .slice(0, PERMIT_DOORS)
          .map(({ id, name, personCount }) => ({ id, name, personCount })),
        always: opening.every((ways) => ways.some(({ hours }) => minutesOf(hours) === minutesOf([window]))),
        timeRules: ruleNames.map(({ name }) => name).toSorted(compare),
      },
      longer: effects.doors.filter(({ door, counts }) => counts.otherHours > 0 && seen.has(door.id)).length,
    }
  }
}
