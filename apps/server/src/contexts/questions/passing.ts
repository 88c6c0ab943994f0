/** Who can pass where at a moment. */
import { localTime, openingsAt, type Opening } from '@gatehouse/access-rules'
import type { Way } from '@gatehouse/contract/questions/calls'
import type { Platform } from '../../platform/context.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { isFoundBy, personOrder } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import { withDescendants } from '../../platform/tree.ts'
import { refuseUnknown } from '../strategies/index.ts'
import {
  alike,
  coverageOf,
  doorKey,
  entitled,
  strategiesAtDoors,
  type Standing,
  type StandingDoor,
  type StandingPerson,
  type StandingReader,
} from '../synchronisation/index.ts'
import type { QuestionDependencies } from './dependencies.ts'
import { areAmong } from './drafts.ts'
import { byName, paged } from './pages.ts'
import type { QuestionService } from './service-types.ts'
import { personsOf, seenDoors } from './standing.ts'

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

/** A way to pass, without the names of its strategy and rule. */
interface UnnamedWay extends Opening {
  count: number
}

const distinct = <Key extends 'strategyId' | 'ruleId'>(ways: readonly UnnamedWay[], key: Key): string[] => [
  ...new Set(ways.map((way) => way[key])),
]

/** Return rows whose ways have the current names of strategies and rules. */
async function namedWays<Row extends { ways: UnnamedWay[] }>(
  reading: QuestionDependencies['reading'],
  scope: Scope,
  rows: readonly Row[],
): Promise<(Omit<Row, 'ways'> & { ways: Way[] })[]> {
  const all = rows.flatMap(({ ways }) => ways)
  const [strategies, rules] = await Promise.all([
    reading.findStrategies(scope, distinct(all, 'strategyId')),
    reading.findTimeRules(scope, distinct(all, 'ruleId')),
  ])
  const names = new Map([...strategies, ...rules].map(({ id, name }) => [id, name]))
  const named = (id: string) => ({ id, name: names.get(id) ?? null })
  return rows.map((row) => ({
    ...row,
    ways: row.ways.map(({ strategyId, ruleId, methods, count }) => ({
      strategy: named(strategyId),
      timeRule: named(ruleId),
      methods,
      count,
    })),
  }))
}

/** Return doors with their openings at a moment, grouped where they are the same; doors that nothing opens are left out. */
function openDoors(
  { strategies, timeRules }: Standing,
  doors: readonly StandingDoor[],
  moment: number,
): { same: StandingDoor[]; openings: Opening[] }[] {
  const atDoors = strategiesAtDoors(strategies.values(), new Map(doors.map((door) => [door.id, door])))
  return alike(
    doors.filter(({ id }) => atDoors.has(id)),
    (door) => `${doorKey(door)} ${atDoors.get(door.id)!.join()}`,
  ).flatMap((same) => {
    const [door] = same as [StandingDoor, ...StandingDoor[]]
    const openings = openingsAt(
      atDoors.get(door.id)!.map((id) => strategies.get(id)!),
      door,
      moment,
      timeRules,
    )
    return openings.length === 0 ? [] : [{ same, openings }]
  })
}

/** Add a way. At doors in other time zones another rule may be open: each rule is a way of its own. */
function addWay(ways: Map<string, UnnamedWay>, { strategyId, ruleId, methods }: Opening, count: number): void {
  const key = `${strategyId} ${ruleId}`
  const counted = ways.get(key)
  if (counted === undefined) ways.set(key, { strategyId, ruleId, methods, count })
  else
    ways.set(key, {
      ...counted,
      methods: [...new Set([...counted.methods, ...methods])].toSorted((one, other) => one - other),
      count: counted.count + count,
    })
}

/** Return the ways that a person can use, each with the methods they may use. */
const waysOf = (ways: readonly UnnamedWay[], { methods: own }: Pick<StandingPerson, 'methods'>): UnnamedWay[] =>
  own === undefined
    ? [...ways]
    : ways.flatMap((way) => {
        const methods = way.methods.filter((method) => own.includes(method))
        return methods.length === 0 ? [] : [{ ...way, methods }]
      })

/** Persons whom the same strategies cover and who may use the same methods. */
interface PersonClass extends Pick<StandingPerson, 'methods'> {
  strategyIds: ReadonlySet<string>
  persons: number
}

/** Return the methods of an opening that somebody of these classes can use. */
const usableOf = ({ strategyId, methods }: Opening, classes: readonly PersonClass[]): number[] =>
  methods.filter((method) => classes.some((one) => one.strategyIds.has(strategyId) && (one.methods?.includes(method) ?? true)))

type Passing = Pick<QuestionService, 'whoCanPass' | 'whereCanPass'>

export function createPassing(platform: Platform, needs: QuestionDependencies, standings: StandingReader): Passing {
  const { people, devices, organisation, reading } = needs

  /** Return the state at a moment; for a future moment, the current state. @throws InvalidRequest for a moment before history */
  async function standingAt(scope: Scope, moment: number): Promise<Standing> {
    if (moment >= platform.clock.now()) return standings.now(scope)
    const since = await platform.history.completeSince()
    if (moment >= since) return standings.at(scope, moment)
    const { date, minute } = localTime(since, organisation.park(scope).zone)
    const time = [Math.floor(minute / 60), minute % 60].map((value) => String(value).padStart(2, '0')).join(':')
    throw new InvalidRequest([{ path: 'at', rule: 'beforeHistory', params: { since: `${date} ${time}` } }])
  }

  return {
    async whoCanPass(scope, query) {
      const moment = query.at ?? platform.clock.now()
      if (query.deviceIds.length + query.deviceGroupIds.length === 0) throw new InvalidRequest([{ path: 'deviceIds', rule: 'required' }])
      const standing = await standingAt(scope, moment)
      // Doors that existed then or exist now may be named; nobody can pass a door at a moment at which it did not exist.
      const registered = await devices.names(
        scope,
        query.deviceIds.filter((id) => isUuid(id) && !standing.doors.has(id)),
      )
      const existing = new Set([...standing.doors.keys(), ...registered.map(({ id }) => id)])
      const deviceGroups = [...standing.deviceGroups, ...(await devices.groupRows(scope))]
      refuseUnknown({
        deviceIds: query.deviceIds.every((id) => existing.has(id)),
        deviceGroupIds: areAmong(deviceGroups, query.deviceGroupIds),
      })
      const groupIds = new Set(withDescendants(standing.deviceGroups, query.deviceGroupIds))
      const deviceIds = new Set(query.deviceIds)
      const doors = [...standing.doors.values()].filter(
        ({ id, groupId }) => deviceIds.has(id) || (groupId !== null && groupIds.has(groupId)),
      )

      const ways = new Map<string, UnnamedWay>()
      for (const { same, openings } of openDoors(standing, doors, moment))
        for (const opening of openings) addWay(ways, opening, same.length)
      const byStrategy = Map.groupBy(ways.values(), ({ strategyId }) => strategyId)
      const open = [...byStrategy.keys()].map((id) => standing.strategies.get(id)!)
      const coverOf = coverageOf(open)
      const passing = entitled(open.length === 0 ? [] : await personsOf(standing, open), moment)
      const { name = '' } = query
      const waysFor = (person: StandingPerson) =>
        waysOf(
          coverOf(person).flatMap((id) => byStrategy.get(id)!),
          person,
        )
      const found = passing
        .filter((person) => person.methods === undefined || waysFor(person).length > 0)
        .filter((person) => name === '' || isFoundBy(scope, person.name, name) || contains(person.workNumber, name))
        .toSorted(personOrder(scope))
      const rows = paged(found, query).map((person) => ({
        id: person.id,
        name: person.name,
        workNumber: person.workNumber,
        ways: waysFor(person),
      }))
      return { total: found.length, content: await namedWays(reading, scope, rows), page: query.page, size: query.size }
    },
    async whereCanPass(scope, query) {
      const moment = query.at ?? platform.clock.now()
      if (query.personIds.length + query.personGroupIds.length === 0) throw new InvalidRequest([{ path: 'personIds', rule: 'required' }])
      const standing = await standingAt(scope, moment)
      const persons = await standing.persons({
        ids: query.personIds,
        groupIds: withDescendants(standing.personGroups, query.personGroupIds),
      })
      const registered = await people.facts(scope, query.personIds.filter(isUuid))
      const existing = new Set([...persons.map(({ id }) => id), ...registered.flatMap(({ id, kind }) => (kind === 'special' ? [] : [id]))])
      const { ids: unseen } = await people.unseen(scope)
      const personGroups = [...standing.personGroups, ...(await needs.groups.rows(scope))].filter(({ id }) => !unseen.has(id))
      refuseUnknown({
        personIds: query.personIds.every((id) => existing.has(id)),
        personGroupIds: areAmong(personGroups, query.personGroupIds),
      })

      const coverOf = coverageOf(standing.strategies.values())
      const covered = entitled(persons, moment).map((person) => ({ ids: coverOf(person), methods: person.methods }))
      const classes = alike(covered, ({ ids, methods }) => `${ids.join()} ${methods?.join() ?? 'all'}`).map(
        ([one, ...others]): PersonClass => ({
          strategyIds: new Set(one!.ids),
          ...(one!.methods !== undefined && { methods: one!.methods }),
          persons: 1 + others.length,
        }),
      )
      const { name = '' } = query
      const found = openDoors(standing, await seenDoors(devices, scope, standing), moment).flatMap(({ same, openings }) => {
        const countOf = (some: readonly Opening[]): number =>
          classes.reduce((sum, one) => sum + (some.some((opening) => usableOf(opening, [one]).length > 0) ? one.persons : 0), 0)
        const ways = openings
          .map((opening) => ({ ...opening, methods: usableOf(opening, classes), count: countOf([opening]) }))
          .filter(({ count }) => count > 0)
        const personCount = countOf(openings)
        return ways.length === 0 ? [] : same.map((door) => ({ id: door.id, name: door.name, personCount, ways }))
      })
      const named = found.filter((door) => name === '' || contains(door.name ?? '', name)).toSorted(byName)
      return { total: named.length, content: await namedWays(reading, scope, paged(named, query)), page: query.page, size: query.size }
    },
  }
}
