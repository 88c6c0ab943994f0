/**
 * The world of a park: who could pass where, now and after a change. The change is applied to the stored members, and the result
 * is then resolved.
 */
import type { TimeRule } from '@gatehouse/access-rules'
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { withDescendants, type Branch } from '../../platform/tree.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import {
  guestsOf,
  type MemberKind,
  passing,
  type NamedDoors,
  type NamedStrategy,
  type WorldChange,
  type WorldDoor,
  type WorldPerson,
} from '../strategies/index.ts'
import { readTimeRules, type StrategyFacts } from '../synchronisation/index.ts'

/** Everything of a park except its persons, as stored. */
export interface NamedWorld {
  strategies: ReadonlyMap<string, NamedStrategy>
  accessGroups: ReadonlyMap<string, NamedDoors>
  timeRules: ReadonlyMap<string, Omit<TimeRule, 'id'>>
  doors: ReadonlyMap<string, WorldDoor>
  personTree: readonly Branch[]
  deviceTree: readonly Branch[]
  /** Groups of visitors. */
  visitorGroups: ReadonlySet<string>
}

/** The same with groups and access groups resolved. */
export interface World extends Omit<NamedWorld, 'strategies' | 'accessGroups'> {
  strategies: ReadonlyMap<string, StrategyFacts>
}

type Needs = Pick<ApprovalDependencies, 'groups' | 'devices' | 'sharing' | 'reading'>

/** @param within read through this transaction */
export async function readWorld(
  scope: Scope,
  { groups, devices, sharing, reading: readers }: Needs,
  within?: Transaction,
): Promise<NamedWorld> {
  const reading = within === undefined ? readers : readers.within(within)
  const strategyIds = await reading.findStrategyIds(scope)
  const accessGroupIds = (await reading.listAccessGroups(scope)).map(({ id }) => id)
  const [rows, abouts, members, links, doorsOf, timeRules, released, personTree, deviceTree] = await Promise.all([
    reading.findStrategies(scope, strategyIds),
    reading.findAbout(scope, strategyIds),
    reading.findMembers(scope, strategyIds),
    reading.findRulesOf(scope, strategyIds),
    reading.findDoorsOf(scope, accessGroupIds),
    readTimeRules(scope, reading),
    devices.released(scope, within),
    groups.rows(scope, within),
    devices.groupRows(scope, within),
  ])
  const types = await groups.types(
    scope,
    personTree.map(({ id }) => id),
    within,
  )
  const [membersOf, linksOf] = [Map.groupBy(members, ({ strategyId }) => strategyId), Map.groupBy(links, ({ strategyId }) => strategyId)]
  const membersNamed = (id: string, kind: MemberKind): string[] => membersOf.get(id)?.find((row) => row.kind === kind)?.memberIds ?? []
  const guests = new Map(
    await Promise.all(
      abouts.map(
        async (about) =>
          [
            about.id,
            await guestsOf(
              scope,
              { sharing },
              about,
              { personIds: membersNamed(about.id, 'person'), personGroupIds: membersNamed(about.id, 'personGroup') },
              within,
            ),
          ] as const,
      ),
    ),
  )
  const strategies = rows.map(({ id, methods, validFrom, validTo, authorizedObject }): [string, NamedStrategy] => {
    const named = (kind: MemberKind): string[] => membersNamed(id, kind)
    return [
      id,
      {
        timeRuleIds: (linksOf.get(id) ?? []).map((link) => link.id),
        methods,
        validFrom,
        validTo,
        ...(guests.get(id) ?? { personIds: named('person'), personGroupIds: named('personGroup') }),
        deviceIds: named('device'),
        deviceGroupIds: named('deviceGroup'),
        accessGroupIds: named('accessGroup'),
        ...passing(authorizedObject),
      },
    ]
  })
  const doors = (groupId: string, kind: 'device' | 'deviceGroup') =>
    doorsOf.find((row) => row.groupId === groupId && row.kind === kind)?.memberIds ?? []
  return {
    strategies: new Map(strategies),
    accessGroups: new Map(accessGroupIds.map((id) => [id, { deviceIds: doors(id, 'device'), deviceGroupIds: doors(id, 'deviceGroup') }])),
    timeRules,
    // Only released doors: the others store no persons yet.
    doors: new Map(released.map((door) => [door.id, door])),
    personTree,
    deviceTree,
    visitorGroups: new Set(types.flatMap(({ id, type }) => (type === personGroupType.visitor ? [id] : []))),
  }
}

/** Return the world after a change. Of persons it contains only which strategies name them. */
export function changedWorld(world: NamedWorld, change: WorldChange): NamedWorld {
  const moved = (rows: readonly Branch[], { id, parentId }: Branch): Branch[] => [...rows.filter((row) => row.id !== id), { id, parentId }]
  switch (change.of) {
    case 'strategy':
      return { ...world, strategies: new Map([...world.strategies, [change.id, change.fields]]) }
    case 'timeRule':
      return { ...world, timeRules: new Map([...world.timeRules, [change.id, change.fields]]) }
    case 'accessGroup':
      return { ...world, accessGroups: new Map([...world.accessGroups, [change.id, change.fields]]) }
    case 'devices':
      return { ...world, doors: new Map([...world.doors, ...change.devices.map((door) => [door.id, door] as const)]) }
    case 'personGroup':
      return { ...world, personTree: moved(world.personTree, change) }
    case 'deviceGroup':
      return { ...world, deviceTree: moved(world.deviceTree, change) }
    case 'persons':
      return naming(world, change.persons)
  }
}

/** Return a world in which strategies also name the persons who will be named; the same world where there are none. */
export function naming<Strategy extends { personIds: readonly string[] }, Of extends { strategies: ReadonlyMap<string, Strategy> }>(
  world: Of,
  persons: readonly Pick<WorldPerson, 'id' | 'strategyIds'>[],
): Of {
  const strategies = new Map(world.strategies)
  for (const { id, strategyIds = [] } of persons)
    for (const strategyId of strategyIds) {
      const strategy = strategies.get(strategyId)
      if (strategy !== undefined && !strategy.personIds.includes(id))
        strategies.set(strategyId, { ...strategy, personIds: [...strategy.personIds, id] })
    }
  return persons.some(({ strategyIds = [] }) => strategyIds.length > 0) ? { ...world, strategies } : world
}

export function resolved({ strategies, accessGroups, ...world }: NamedWorld): World {
  const distinct = (ids: readonly string[]): string[] => [...new Set(ids)]
  return {
    ...world,
    strategies: new Map(
      [...strategies].map(([id, { personGroupIds, accessGroupIds, ...named }]) => {
        const through = accessGroupIds.flatMap((groupId) => accessGroups.get(groupId) ?? [])
        const facts: StrategyFacts = {
          id,
          timeRuleIds: [...named.timeRuleIds].toSorted(),
          methods: [...named.methods],
          validFrom: named.validFrom,
          validTo: named.validTo,
          ...passing(named.authorisedObject),
          personIds: [...named.personIds],
          ...(named.home !== undefined && { home: named.home }),
          groupIds: new Set(withDescendants(world.personTree, personGroupIds)),
          deviceIds: distinct([...named.deviceIds, ...through.flatMap(({ deviceIds }) => deviceIds)]),
          deviceGroupIds: new Set(
            withDescendants(
              world.deviceTree,
              distinct([...named.deviceGroupIds, ...through.flatMap(({ deviceGroupIds }) => deviceGroupIds)]),
            ),
          ),
        }
        return [id, facts]
      }),
    ),
  }
}
