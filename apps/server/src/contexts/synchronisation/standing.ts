/**
 * What held at a moment: strategies with their groups resolved, rules, doors and persons. The present is read from the tables, the past
 * from history. All doors are included, since a group above those the caller sees may open a door; callers return only doors that their
 * user sees.
 */
import { isEntitled } from '@gatehouse/access-rules'
import type { Platform } from '../../platform/context.ts'
import { seeingAllDevices } from '../../platform/session/session.ts'
import type { SynchronisationDependencies } from './dependencies.ts'
import { readStrategies, readTimeRules } from './sources.ts'
import { createStandingAt } from './standing-at.ts'
import { doorOf, registeredPersons } from './standing-parts.ts'
import type { StandingPerson, StandingReader } from './standing-types.ts'

export type { StrategyFacts } from './register-facts.ts'

type Needs = Pick<SynchronisationDependencies, 'people' | 'groups' | 'devices' | 'organisation' | 'sharing' | 'reading'>

export function createStandingReader(
  platform: Platform,
  { people, groups, devices, organisation, sharing, reading }: Needs,
): StandingReader {
  return {
    at: createStandingAt(platform, { people, devices, organisation }),
    async now(visible) {
      const scope = seeingAllDevices(visible)
      const [strategyIds, timeRules, registered, personGroups, deviceGroups] = await Promise.all([
        reading.findStrategyIds(scope),
        readTimeRules(scope, reading),
        devices.register(scope),
        groups.rows(scope),
        devices.groupRows(scope),
      ])
      const { zone } = organisation.park(scope)
      return {
        strategies: await readStrategies(scope, { persons: { groupRows: groups.rows }, devices, sharing, reading }, strategyIds),
        timeRules,
        doors: new Map(registered.filter(({ released }) => released).map((device) => [device.id, doorOf(device, zone)])),
        unreleased: new Set(registered.filter(({ released }) => !released).map(({ id }) => id)),
        personGroups,
        deviceGroups,
        async persons({ ids, groupIds }) {
          const personIds = new Set(ids)
          for (const id of await people.idsInGroups(scope, [...groupIds])) personIds.add(id)
          const { facts, watchList } = await registeredPersons(people, scope, [...personIds])
          return facts
            .filter(({ id }) => !watchList.has(id))
            .map(({ id, groupId, enabled, validFrom, validTo, methods, name, workNumber }) => ({
              id,
              groupId,
              enabled,
              validFrom,
              validTo,
              ...(methods !== undefined && { methods }),
              name,
              workNumber: workNumber ?? '',
            }))
        },
      }
    },
  }
}

/** Return those of these persons who are enabled and within their validity. */
export const entitled = (persons: readonly StandingPerson[], moment: number): StandingPerson[] =>
  persons.filter((person) => isEntitled(person, moment))
