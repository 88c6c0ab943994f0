/**
 * What held at a moment: strategies with their groups resolved, rules, doors and persons. Now from the tables, before now from history.
 * Of all doors, since a door is opened by groups that stand above those the asker is shown; whoever answers names only doors that are.
 */
import { isEntitled, type Door, type TimeRule } from '@gatehouse/access-rules'
import type { Platform } from '../../platform/context.ts'
import type { HistoryContent } from '../../platform/database/history.ts'
import { seeingAll, seeingAllDevices, type Scope } from '../../platform/session/session.ts'
import { withDescendants, type Branch } from '../../platform/tree.ts'
import type { SynchronisationDependencies } from './dependencies.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { zoneOfOffset } from './manifest.ts'
import type { DeviceFacts, StrategyFacts } from './register.ts'
import { readStrategies, readTimeRules } from './sources.ts'
import { createGuestsAt } from './guests-at.ts'

export type { StrategyFacts } from './register.ts'

/** A door by which strategies are asked. What the device itself is set to, its zone and methods, no history keeps: it is as it is now. */
export interface StandingDoor extends Door {
  id: string
  groupId: string | null
  /** As it is called now; null: deleted since. */
  name: string | null
}

export interface StandingPerson {
  id: string
  groupId: string
  enabled: boolean
  validFrom: number | null
  validTo: number | null
  /** As it is now; empty where the person was deleted since. */
  name: string
  workNumber: string
}

/** What decides beside doors and persons. */
export interface Rules {
  strategies: ReadonlyMap<string, StrategyFacts>
  timeRules: ReadonlyMap<string, TimeRule>
}

export interface Standing extends Rules {
  doors: ReadonlyMap<string, StandingDoor>
  /** Doors that are there and let nobody pass: persons may not go to their devices yet. */
  unreleased: ReadonlySet<string>
  personGroups: readonly Branch[]
  deviceGroups: readonly Branch[]
  /** Persons of these ids, and all directly in these groups. Whom to look out for is let in nowhere, and is not there. */
  persons(of: { ids: Iterable<string>; groupIds: Iterable<string> }): Promise<StandingPerson[]>
}

export interface StandingReader {
  now(scope: Scope): Promise<Standing>
  /** What held at a moment that is over, since `platform.history.completeSince()`. */
  at(scope: Scope, moment: number): Promise<Standing>
}

type Needs = Pick<SynchronisationDependencies, 'people' | 'groups' | 'devices' | 'organisation' | 'sharing' | 'reading'>

export function createStandingReader(
  platform: Platform,
  { people, groups, devices, organisation, sharing, reading }: Needs,
): StandingReader {
  const { history } = platform

  const doorOf = (
    { configuration, ...device }: Pick<DeviceFacts, 'id' | 'groupId' | 'configuration'> & { name: string | null },
    zone: string,
  ): StandingDoor => ({
    id: device.id,
    groupId: device.groupId,
    name: device.name,
    zone: configuration?.timeZone == null ? zone : zoneOfOffset(configuration.timeZone),
    methods: configuration?.verificationMode ?? [],
  })

  /** Whoever is or was registered, but nobody to look out for: whoever asks, who is one of them must be known to be left out. */
  async function known(scope: Scope, ids: readonly string[]) {
    const facts = await people.facts(seeingAll(scope), ids.filter(isUuid))
    return { facts, special: new Set(facts.filter(({ kind }) => kind === 'special').map(({ id }) => id)) }
  }

  return {
    async now(asked) {
      const scope = seeingAllDevices(asked)
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
          const wanted = new Set(ids)
          for (const id of await people.idsInGroups(scope, [...groupIds])) wanted.add(id)
          const { facts, special } = await known(scope, [...wanted])
          return facts
            .filter(({ id }) => !special.has(id))
            .map(({ id, groupId, enabled, validFrom, validTo, name, workNumber }) => ({
              id,
              groupId,
              enabled,
              validFrom,
              validTo,
              name,
              workNumber: workNumber ?? '',
            }))
        },
      }
    },
    async at(asked, moment) {
      const scope = seeingAllDevices(asked)
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
      // Lists of members are kept apart from the rest.
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
        timeRules: new Map([...rules].map(([id, { content }]) => [id, { id, ...content } as unknown as TimeRule])),
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
          const [wanted, wantedGroups] = [new Set(ids), new Set(groupIds)]
          const own = [...(await (everybody ??= all('person')))].filter(
            ([id, { content }]) => wanted.has(id) || wantedGroups.has(content.groupId as string),
          )
          const found = [...own, ...(await guests.persons(wanted))]
          const { facts, special } = await known(
            scope,
            found.map(([id]) => id),
          )
          const named = new Map(facts.map((person) => [person.id, person]))
          return found
            .filter(([id]) => !special.has(id))
            .map(([id, { content }]) => ({
              ...(content as unknown as Omit<StandingPerson, 'id' | 'name' | 'workNumber'>),
              id,
              name: named.get(id)?.name ?? '',
              workNumber: named.get(id)?.workNumber ?? '',
            }))
        },
      }
    },
  }
}

/** A strategy as it was noted; doors of access groups stand among its own. */
interface NotedStrategy extends Pick<
  StrategyFacts,
  'timeRuleIds' | 'methods' | 'validFrom' | 'validTo' | 'authorisedObject' | 'deviceIds'
> {
  members?: string[]
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
  } = content as unknown as NotedStrategy
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

/** Those of these persons who are enabled and within their validity. */
export const entitled = (persons: readonly StandingPerson[], moment: number): StandingPerson[] =>
  persons.filter((person) => isEntitled(person, moment))
