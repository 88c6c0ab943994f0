/** Worlds by which changes are checked: the current one of a park, and the one after a change. */
import { localDate } from '@gatehouse/access-rules'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { WorldChange, WorldPerson } from '../strategies/index.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import type { Now, ReadPersons } from './written-rules-check.ts'
import { changedWorld, naming, readWorld, resolved, type NamedWorld, type World } from './written-rules-world.ts'

/** Entities that decide who passes where, except persons. */
const DECIDING = ['strategy', 'timeRule', 'device', 'deviceGroup', 'personGroup'] as const
/** Largest number of cached worlds. */
const WORLDS = 3

export interface Worlds {
  /** Return the current world of a park. */
  current(scope: Scope, within?: Transaction): Promise<World>
  /**
   * Return the current world of a park, read again only where the stamp of history has changed.
   * @param within a transaction that has written nothing yet: what is rolled back must not be cached
   */
  cached(scope: Scope, within?: Transaction): Promise<World>
  /** Return the worlds before and after a change. */
  compared(scope: Scope, change: WorldChange, within?: Transaction): Promise<{ before: World; after: World; change: WorldChange }>
  now(scope: Scope): Now
  persons(scope: Scope, within?: Transaction): ReadPersons
}

export type WorldNeeds = Pick<ApprovalDependencies, 'people' | 'groups' | 'devices' | 'organisation' | 'sharing' | 'reading'>

export function createWorlds(platform: Platform, { people, groups, devices, organisation, sharing, reading }: WorldNeeds): Worlds {
  const worlds = new Map<string, { stamp: string; world: World }>()

  const world = (scope: Scope, within?: Transaction): Promise<NamedWorld> => readWorld(scope, { groups, devices, sharing, reading }, within)
  const now = (scope: Scope): Now => ({
    moment: platform.clock.now(),
    today: localDate(platform.clock.now(), organisation.park(scope).zone),
  })

  const persons =
    (scope: Scope, within?: Transaction): ReadPersons =>
    async ({ ids, groupIds, guests }) => {
      const personIds = new Set(ids)
      for (const id of await people.idsInGroups(scope, [...groupIds], within)) personIds.add(id)
      const readIn = async (parkId: string, some: Iterable<string>): Promise<WorldPerson[]> =>
        (await people.facts(inPark(scope, parkId), [...some].filter(isUuid), within)).flatMap(({ id, groupId, kind, enabled, validTo }) =>
          kind === 'special' ? [] : [{ id, groupId, kind, enabled, validTo, ...(parkId !== scope.parkId && { home: parkId }) }],
        )
      return (await Promise.all([readIn(scope.parkId, personIds), ...[...guests].map(([home, some]) => readIn(home, some))])).flat()
    }

  async function compared(
    scope: Scope,
    change: WorldChange,
    within?: Transaction,
  ): Promise<{ before: World; after: World; change: WorldChange }> {
    const named = await world(scope, within)
    const before = resolved(named)
    return { before, after: change.of === 'persons' ? naming(before, change.persons) : resolved(changedWorld(named, change)), change }
  }

  async function cached(scope: Scope, within?: Transaction): Promise<World> {
    const stamp = await platform.history.stamp(scope, DECIDING, within)
    const last = worlds.get(scope.parkId)
    worlds.delete(scope.parkId)
    const entry = last?.stamp === stamp ? last : { stamp, world: resolved(await world(scope, within)) }
    worlds.set(scope.parkId, entry)
    for (const parkId of [...worlds.keys()].slice(0, -WORLDS)) worlds.delete(parkId)
    return entry.world
  }

  return { current: async (scope, within) => resolved(await world(scope, within)), cached, compared, now, persons }
}
