/** Strategies as they are answered. */
import { pageOf } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { personOrder } from '../../platform/session/masking.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { VISITOR_KIND } from '../people/index.ts'
import { findAbout } from './associated-rules-data.ts'
import type { StrategyDependencies } from './dependencies.ts'
import type { StrategyService, StrategyListRow } from './strategies-types.ts'
import * as data from './strategies-data.ts'
import { accessTypeOf, distinct, effectiveOf, namedMembersOf } from './strategy-changes.ts'
import type { Named, StrategyMembers } from './strategy-members.ts'
import { withDoors, type Reach } from './strategy-reach.ts'

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id)

export const byName = (one: Named, other: Named): number => one.name.localeCompare(other.name)

function withIds<Row extends { id: string }>(rows: readonly Row[], ids: readonly string[]): Row[] {
  const chosen = new Set(ids)
  return rows.filter(({ id }) => chosen.has(id))
}

/** Return a strategy that is not an associated rule. @throws Refusal 300101 */
export async function existingStrategy(scope: Scope, db: Database, id: string): Promise<data.StrategyRow> {
  const [row] = isUuid(id) ? await data.findStrategies(scope, db, [id]) : []
  // Associated rules are read and changed as such.
  if (row === undefined || (await findAbout(scope, db, [id])).length > 0) refuse(300101)
  return row
}

export function createStrategyQueries(
  platform: Platform,
  { people, groups, devices }: Pick<StrategyDependencies, 'people' | 'groups' | 'devices'>,
  { accessGroupNames }: Pick<StrategyMembers, 'accessGroupNames'>,
): Pick<StrategyService, 'list' | 'names' | 'read'> {
  const db = platform.db

  /** Return how many persons and devices strategies reach now, groups and those below them resolved. */
  async function countsOf(scope: Scope, reaches: readonly Reach[]): Promise<{ personCount: number; deviceCount: number }[]> {
    const [persons, doors] = await Promise.all([
      people.sizes(
        scope,
        reaches.map(({ personIds, personGroupIds }) => ({ ids: personIds, groupIds: personGroupIds })),
      ),
      devices.sizes(
        scope,
        reaches.map(({ deviceIds, deviceGroupIds }) => ({ ids: deviceIds, groupIds: deviceGroupIds })),
      ),
    ])
    return reaches.map((_, place) => ({ personCount: persons[place]!, deviceCount: doors[place]! }))
  }

  const presented = (row: data.StrategyRow) => ({
    ...row,
    accessType: accessTypeOf(row.methods),
    effective: effectiveOf(row.validFrom, platform.clock.now()),
  })

  return {
    async list(scope, query) {
      const { page, size } = pageOf(query)
      const { content, total } = await data.listStrategies(scope, db, query, page, size)
      const ids = idsOf(content)
      const [members, rules] = await Promise.all([namedMembersOf(scope, db, ids), data.findRulesOf(scope, db, ids)])
      const reach = await withDoors(scope, db, members)
      const everyGroup = distinct([...members.values()].flatMap((one) => one.personGroupIds))
      const everyDevice = distinct([...members.values()].flatMap((one) => one.deviceIds))
      const everyDeviceGroup = distinct([...members.values()].flatMap((one) => one.deviceGroupIds))
      const everyAccessGroup = distinct([...members.values()].flatMap((one) => one.accessGroupIds))
      const [personGroups, deviceNames, deviceGroups, accessGroups, counts] = await Promise.all([
        groups.names(scope, everyGroup),
        devices.names(scope, everyDevice),
        devices.groupNames(scope, everyDeviceGroup),
        accessGroupNames(scope, everyAccessGroup),
        countsOf(
          scope,
          ids.map((id) => reach.get(id)!),
        ),
      ])
      const rows = content.map((row, index): StrategyListRow => {
        const own = members.get(row.id)!
        const timeRules = rules.filter((rule) => rule.strategyId === row.id).map(({ id, name }) => ({ id, name }))
        const among = (named: readonly Named[], memberIds: readonly string[]) => withIds(named, memberIds).toSorted(byName)
        return {
          ...presented(row),
          personGroups: among(personGroups, own.personGroupIds),
          devices: among(deviceNames, own.deviceIds),
          deviceGroups: among(deviceGroups, own.deviceGroupIds),
          accessGroups: among(accessGroups, own.accessGroupIds),
          timeRules,
          personGroupIds: own.personGroupIds,
          deviceIds: own.deviceIds,
          deviceGroupIds: own.deviceGroupIds,
          accessGroupIds: own.accessGroupIds,
          timeRuleIds: idsOf(timeRules),
          ...counts[index]!,
        }
      })
      return { total, content: rows, page, size }
    },
    names: (scope, kind) => data.nameStrategies(scope, db, kind),
    async read(scope, givenId) {
      const row = await existingStrategy(scope, db, givenId)
      const { id } = row
      const named = await namedMembersOf(scope, db, [id])
      const members = named.get(id)!
      const [registered, personGroups, deviceNames, deviceGroups, accessGroups, rules, [counts]] = await Promise.all([
        people.facts(scope, members.personIds),
        groups.names(scope, members.personGroupIds),
        devices.names(scope, members.deviceIds),
        devices.groupNames(scope, members.deviceGroupIds),
        accessGroupNames(scope, members.accessGroupIds),
        data.findRulesOf(scope, db, [id]),
        withDoors(scope, db, named).then((reaches) => countsOf(scope, [reaches.get(id)!])),
      ])
      // Visits name their persons themselves: a form has none of them.
      const persons = registered.filter(({ kind }) => kind !== VISITOR_KIND)
      // Only what still exists: a form sends back what it received, and must not be refused for it.
      return {
        ...presented(row),
        persons: persons
          .map((person) => ({ id: person.id, name: person.name, workNumber: person.workNumber ?? '' }))
          .toSorted(personOrder(scope)),
        personGroups: personGroups.toSorted(byName),
        devices: deviceNames.toSorted(byName),
        deviceGroups: deviceGroups.toSorted(byName),
        accessGroups: accessGroups.toSorted(byName),
        timeRules: rules.map((rule) => ({ id: rule.id, name: rule.name })),
        personIds: idsOf(persons),
        personGroupIds: idsOf(personGroups),
        deviceIds: idsOf(deviceNames),
        deviceGroupIds: idsOf(deviceGroups),
        accessGroupIds: idsOf(accessGroups),
        timeRuleIds: idsOf(rules),
        ...counts!,
      }
    },
  }
}
