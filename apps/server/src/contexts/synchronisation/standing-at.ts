/** What held at a past moment, from history. */
import type { TimeRule } from '@gatehouse/access-rules'
import type { Platform } from '../../platform/context.ts'
import type { HistoryContent } from '../../platform/database/history.ts'
import { seeingAllDevices } from '../../platform/session/session.ts'
import { withDescendants, type Branch } from '../../platform/tree.ts'
import type { SynchronisationDependencies } from './dependencies.ts'
import { createGuestsAt } from './guests-at.ts'
import type { StrategyFacts } from './register-facts.ts'
import { doorOf, registeredPersons } from './standing-parts.ts'
import type { StandingReader, StandingPerson } from './standing-types.ts'

/** A strategy as recorded in history; its own doors include those of its access groups. */
interface NotedStrategy
  extends HistoryContent, Pick<StrategyFacts, 'timeRuleIds' | 'methods' | 'validFrom' | 'validTo' | 'authorisedObject' | 'deviceIds'> {
  personGroupIds: string[]
  deviceGroupIds: string[]
}

function strategyOf(id: string, content: HistoryContent, personGroups: readonly Branch[], deviceGroups: readonly Branch[]): StrategyFacts {
  const {
    members = [],
    timeRuleIds,
    methods,
    validFrom,
    validTo,
    authorisedObject,
    personGroupIds,
    deviceIds,
    deviceGroupIds,
  } = content as NotedStrategy
  return {
    id,
    timeRuleIds,
    methods,
    validFrom,
    validTo,
    ...(authorisedObject !== undefined && { authorisedObject }),
    personIds: members,
    groupIds: new Set(withDescendants(personGroups, personGroupIds)),
    deviceIds,
    deviceGroupIds: new Set(withDescendants(deviceGroups, deviceGroupIds)),
  }
}

export function createStandingAt(
  { history }: Pick<Platform, 'history'>,
  { people, devices, organisation }: Pick<SynchronisationDependencies, 'people' | 'devices' | 'organisation'>,
): StandingReader['at'] {
  return async (visible, moment) => {
    const scope = seeingAllDevices(visible)
    const all = (entity: Parameters<typeof history.allAt>[1]) => history.allAt(scope, entity, moment)
    const [strategies, rules, doors, personGroupRows, deviceGroupRows, park, registered] = await Promise.all([
      all('strategy'),
      all('timeRule'),
      all('device'),
      all('personGroup'),
      all('deviceGroup'),
      history.at(scope, 'park', scope.parkId, moment),
      devices.register(scope),
    ])
    const branches = (rows: typeof personGroupRows): Branch[] =>
      [...rows].map(([id, { content }]) => ({ id, parentId: content.parentId as string | null }))
    const [personGroups, deviceGroups] = [branches(personGroupRows), branches(deviceGroupRows)]
    // Lists of members are stored apart: `at` reads them, `allAt` does not.
    const whole = await Promise.all(
      [...strategies.keys()].map(async (id) => [id, (await history.at(scope, 'strategy', id, moment))!.content] as const),
    )
    const zone = (park?.content.zone as string | undefined) ?? organisation.park(scope).zone
    const present = new Map(registered.map((device) => [device.id, device]))
    let everybody: ReturnType<typeof all> | undefined
    const guests = createGuestsAt(history, moment)
    const strategyAt = async (id: string, content: HistoryContent): Promise<StrategyFacts> => {
      const facts = strategyOf(id, content, personGroups, deviceGroups)
      const passing = await guests.of(content)
      return passing === null ? facts : { ...facts, ...passing, groupIds: new Set() }
    }
    return {
      strategies: new Map(await Promise.all(whole.map(async ([id, content]) => [id, await strategyAt(id, content)] as const))),
      timeRules: new Map([...rules].map(([id, { content }]) => [id, { id, ...content } as TimeRule])),
      doors: new Map(
        [...doors].flatMap(([id, { content }]) => {
          if (content.released === false) return []
          const { name = null, configuration = null } = present.get(id) ?? {}
          return [[id, doorOf({ id, groupId: content.groupId as string | null, name, configuration }, zone)] as const]
        }),
      ),
      unreleased: new Set([...doors].flatMap(([id, { content }]) => (content.released === false ? [id] : []))),
      personGroups,
      deviceGroups,
      async persons({ ids, groupIds }) {
        const [idsNamed, groupIdsNamed] = [new Set(ids), new Set(groupIds)]
        const own = [...(await (everybody ??= all('person')))].filter(
          ([id, { content }]) => idsNamed.has(id) || groupIdsNamed.has(content.groupId as string),
        )
        const found = [...own, ...(await guests.persons(idsNamed))]
        const { facts, watchList } = await registeredPersons(
          people,
          scope,
          found.map(([id]) => id),
        )
        const named = new Map(facts.map((person) => [person.id, person]))
        return found
          .filter(([id]) => !watchList.has(id))
          .map(([id, { content }]) => {
            const { name = '', workNumber, methods } = named.get(id) ?? {}
            return {
              ...(content as Omit<StandingPerson, 'id' | 'name' | 'workNumber' | 'methods'>),
              ...(methods !== undefined && { methods }),
              id,
              name,
              workNumber: workNumber ?? '',
            }
          })
      },
    }
  }
}
