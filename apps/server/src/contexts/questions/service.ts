/** Who can pass where at a moment, and what a change would do before it is saved: the rules themselves are asked, nothing is written. */
import {
  localTime,
  minutesOf,
  openSpans,
  openingsAt,
  weekDifference,
  weekMinutes,
  without,
  type Opening,
  type Period,
  type Span,
} from '@gatehouse/access-rules'
import type { OutputOf } from '@gatehouse/contract'
import type { ChangeEffect } from '@gatehouse/contract/questions/effects'
import {
  EFFECT_DOORS,
  type AffectedPerson,
  type Effect,
  type PassableDoor,
  type Passer,
  type questionCalls,
  type RuleEffect,
  type Way,
} from '@gatehouse/contract/questions/calls'
import type { Platform } from '../../platform/context.ts'
import { isFoundBy, personOrder } from '../../platform/session/masking.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { seesAllDevices, type Scope } from '../../platform/session/session.ts'
import { withDescendants } from '../../platform/tree.ts'
import { type WorldChange, refuseUnknown } from '../strategies/index.ts'
import { areAmong, ruleDrafted, strategyDrafted, type Drafted, type RuleDraft, type StrategyDraft } from './drafts.ts'
import type { QuestionDependencies } from './dependencies.ts'
import { isUuid } from '../../platform/database/ids.ts'
import type { PassageGuard } from '../approvals/index.ts'
import { changeDrafted } from './changes.ts'
import {
  alike,
  coverageOf,
  doorKey,
  strategiesAtDoors,
  createStandingReader,
  entitled,
  type Standing,
  type StandingDoor,
  type StandingPerson,
  type StrategyFacts,
} from '../synchronisation/index.ts'
import { effectsOf, type AffectedClass, type DoorEffect, type Effects, type Moved } from './effect.ts'

interface Paging {
  page: number
  size: number
}
interface Page<Row> extends Paging {
  total: number
  content: Row[]
}
type PersonsQuery = OutputOf<(typeof questionCalls)['whoCanPass']['body']>
type DevicesQuery = OutputOf<(typeof questionCalls)['whereCanPass']['body']>
interface AffectedQuery extends Paging {
  deviceId?: string | undefined
  what: 'gain' | 'lose'
}

export interface QuestionService {
  /** @throws InvalidRequest where no door is named, one is not of this park, or the moment lies before history */
  whoCanPass(scope: Scope, query: PersonsQuery): Promise<Page<Passer>>
  /** @throws InvalidRequest where no person is named, one is not of this park, or the moment lies before history */
  whereCanPass(scope: Scope, query: DevicesQuery): Promise<Page<PassableDoor>>
  /** @throws as saving it: InvalidRequest; Refusal 300001, 300101, 300206, 900007 */
  strategyEffect(scope: Scope, draft: StrategyDraft): Promise<Effect>
  strategyEffectPersons(scope: Scope, draft: StrategyDraft & AffectedQuery): Promise<Page<AffectedPerson>>
  /** @throws as saving it: InvalidRequest; Refusal 300001, 300203, 300204, 900007 */
  ruleEffect(scope: Scope, draft: RuleDraft): Promise<RuleEffect>
  ruleEffectPersons(scope: Scope, draft: RuleDraft & AffectedQuery): Promise<Page<AffectedPerson>>
  /** Of groups, and of who and what stands in them. Doors that do not exist for the asker are neither named nor counted. */
  changeEffect(scope: Scope, change: WorldChange): Promise<ChangeEffect>
  changeEffectPersons(scope: Scope, change: WorldChange, query: AffectedQuery): Promise<Page<AffectedPerson>>
}

const WEEK = 7 * 86_400_000
/** Doors named of somebody who gains or loses many. */
const NAMED_DOORS = 3

const { compare } = new Intl.Collator()
const byName = (one: { name: string | null; id: string }, other: { name: string | null; id: string }): number =>
  compare(one.name ?? '', other.name ?? '') || compare(one.id, other.id)
const paged = <Row>(rows: readonly Row[], { page, size }: Paging): Row[] => rows.slice((page - 1) * size, page * size)
const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

/** A way before its strategy and rule have names. */
interface UnnamedWay extends Opening {
  count: number
}

export function createQuestions(platform: Platform, needs: QuestionDependencies, guard: Pick<PassageGuard, 'breaches'>): QuestionService {
  const standings = createStandingReader(platform, needs)
  const { people, devices, organisation, reading } = needs

  /** What held at a moment; what is to come is told by what holds now. @throws InvalidRequest for one before history */
  async function standingAt(scope: Scope, moment: number): Promise<Standing> {
    if (moment >= platform.clock.now()) return standings.now(scope)
    const since = await platform.history.completeSince()
    if (moment >= since) return standings.at(scope, moment)
    const { date, minute } = localTime(since, organisation.park(scope).zone)
    const time = [Math.floor(minute / 60), minute % 60].map((value) => String(value).padStart(2, '0')).join(':')
    throw new InvalidRequest([{ path: 'at', rule: 'beforeHistory', params: { since: `${date} ${time}` } }])
  }

  /** Ways by which something can be passed, as strategies and rules are called now. */
  async function namedWays<Row extends { ways: UnnamedWay[] }>(
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

  /** All whom these strategies cover. */
  const personsOf = (standing: Standing, strategies: readonly StrategyFacts[]): Promise<StandingPerson[]> =>
    standing.persons({
      ids: new Set(strategies.flatMap(({ personIds }) => personIds)),
      groupIds: new Set(strategies.flatMap(({ groupIds }) => [...groupIds])),
    })

  /** What of the seven days from now on would be another. @param doors those the asker may hear of; all unless told */
  async function effectsOfDraft(
    before: Standing,
    drafted: Drafted & Moved,
    doors: readonly StandingDoor[] = [...before.doors.values()],
  ): Promise<Effects> {
    const { after, changed, ...moved } = drafted
    const from = platform.clock.now()
    const strategies = [...changed].flatMap((id) => [before.strategies.get(id) ?? [], after.strategies.get(id) ?? []].flat())
    // Of who stands elsewhere nobody else is concerned.
    const persons = await (moved.persons === undefined
      ? personsOf(before, strategies)
      : before.persons({ ids: moved.persons.keys(), groupIds: [] }))
    return effectsOf({ before, ...drafted }, new Map(doors.map((door) => [door.id, door])), persons, { from, to: from + WEEK })
  }

  async function changeEffects(scope: Scope, change: WorldChange): Promise<Effects> {
    const standing = await standings.now(scope)
    const drafted = await changeDrafted(platform, scope, needs, standing, change)
    const seen = await seenDoors(scope, standing)
    return effectsOfDraft(standing, drafted, drafted.doors === undefined ? seen : seen.filter(({ id }) => drafted.doors!.has(id)))
  }

  async function strategyEffects(scope: Scope, draft: StrategyDraft): Promise<Effects> {
    const standing = await standings.now(scope)
    const said = { now: platform.clock.now(), zone: organisation.park(scope).zone }
    return effectsOfDraft(standing, await strategyDrafted(scope, reading, standing, draft, said))
  }

  /** Doors that exist for the asker; those deleted since do for whoever is shown every device. */
  async function seenDoors(scope: Scope, { doors }: Standing): Promise<StandingDoor[]> {
    const all = [...doors.values()]
    if (seesAllDevices(scope)) return all
    const seen = new Set(
      (
        await devices.names(
          scope,
          all.map(({ id }) => id),
        )
      ).map(({ id }) => id),
    )
    return all.filter(({ id }) => seen.has(id))
  }

  return {
    async whoCanPass(scope, query) {
      const moment = query.at ?? platform.clock.now()
      if (query.deviceIds.length + query.deviceGroupIds.length === 0) throw new InvalidRequest([{ path: 'deviceIds', rule: 'required' }])
      const standing = await standingAt(scope, moment)
      // What was there then, or is now, may be asked about; at a moment without it nobody could pass it.
      const registered = await devices.names(
        scope,
        query.deviceIds.filter((id) => isUuid(id) && !standing.doors.has(id)),
      )
      const known = new Set([...standing.doors.keys(), ...registered.map(({ id }) => id)])
      const deviceGroups = [...standing.deviceGroups, ...(await devices.groupRows(scope))]
      refuseUnknown({
        deviceIds: query.deviceIds.every((id) => known.has(id)),
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
      const found = passing
        .filter((person) => name === '' || isFoundBy(scope, person.name, name) || contains(person.workNumber, name))
        .toSorted(personOrder(scope))
      const rows = paged(found, query).map((person) => ({
        id: person.id,
        name: person.name,
        workNumber: person.workNumber,
        ways: coverOf(person).flatMap((id) => byStrategy.get(id)!),
      }))
      return { total: found.length, content: await namedWays(scope, rows), page: query.page, size: query.size }
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
      const known = new Set([...persons.map(({ id }) => id), ...registered.flatMap(({ id, kind }) => (kind === 'special' ? [] : [id]))])
      const { ids: unseen } = await people.unseen(scope)
      const personGroups = [...standing.personGroups, ...(await needs.groups.rows(scope))].filter(({ id }) => !unseen.has(id))
      refuseUnknown({
        personIds: query.personIds.every((id) => known.has(id)),
        personGroupIds: areAmong(personGroups, query.personGroupIds),
      })

      const coverOf = coverageOf(standing.strategies.values())
      const covered = entitled(persons, moment).map((person) => coverOf(person))
      const classes = alike(covered, (ids) => ids.join()).map((members) => ({ strategyIds: new Set(members[0]), persons: members.length }))
      const { name = '' } = query
      const found = openDoors(standing, await seenDoors(scope, standing), moment).flatMap(({ same, openings }) => {
        const countOf = (some: readonly Opening[]): number =>
          classes.reduce(
            (sum, { strategyIds, persons: count }) => sum + (some.some(({ strategyId }) => strategyIds.has(strategyId)) ? count : 0),
            0,
          )
        const ways = openings.map((opening) => ({ ...opening, count: countOf([opening]) })).filter(({ count }) => count > 0)
        const personCount = countOf(openings)
        return ways.length === 0 ? [] : same.map((door) => ({ id: door.id, name: door.name, personCount, ways }))
      })
      const wanted = found.filter((door) => name === '' || contains(door.name ?? '', name)).toSorted(byName)
      return { total: wanted.length, content: await namedWays(scope, paged(wanted, query)), page: query.page, size: query.size }
    },
    async strategyEffect(scope, draft) {
      return present(await strategyEffects(scope, draft))
    },
    async strategyEffectPersons(scope, { page, size, deviceId, what, ...draft }) {
      return affectedPage(scope, await strategyEffects(scope, draft), { page, size, deviceId, what })
    },
    async ruleEffect(scope, draft) {
      const standing = await standings.now(scope)
      const drafted = ruleDrafted(standing, draft)
      const { gained, lost } = weekDifference(standing.timeRules.get(draft.id)!.periods, drafted.rule.periods)
      const from = platform.clock.now()
      return {
        ...present(await effectsOfDraft(standing, drafted)),
        strategyCount: drafted.changed.size,
        week: { gained: mutable(gained), lost: mutable(lost), minutesGained: weekMinutes(gained), minutesLost: weekMinutes(lost) },
        sevenDays: ruleMinutes(standing, drafted, { from, to: from + WEEK }, organisation.park(scope).zone),
      }
    },
    async changeEffect(scope, change) {
      const [effects, breaches] = await Promise.all([changeEffects(scope, change), guard.breaches(scope, async () => change)])
      return { ...present(effects), breaches }
    },
    changeEffectPersons: async (scope, change, query) => affectedPage(scope, await changeEffects(scope, change), query),
    async ruleEffectPersons(scope, { page, size, deviceId, what, ...draft }) {
      const standing = await standings.now(scope)
      return affectedPage(scope, await effectsOfDraft(standing, ruleDrafted(standing, draft)), { page, size, deviceId, what })
    },
  }
}

const distinct = <Key extends 'strategyId' | 'ruleId'>(ways: readonly UnnamedWay[], key: Key): string[] => [
  ...new Set(ways.map((way) => way[key])),
]
const mutable = (periods: readonly Period[]): Period[] => periods.map((period) => ({ ...period }))

/** Doors with what opens them at a moment, those that open alike together; those that nothing opens are left out. */
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

/** At doors of other zones another rule may be the one that is open: each is a way of its own. */
function addWay(ways: Map<string, UnnamedWay>, { strategyId, ruleId, methods }: Opening, count: number): void {
  const key = `${strategyId} ${ruleId}`
  const known = ways.get(key)
  if (known === undefined) ways.set(key, { strategyId, ruleId, methods, count })
  else
    ways.set(key, {
      ...known,
      methods: [...new Set([...known.methods, ...methods])].toSorted((one, other) => one - other),
      count: known.count + count,
    })
}

/** What the rule itself gains and loses within the window, dates that are otherwise included. */
function ruleMinutes(
  { timeRules }: Standing,
  { rule }: ReturnType<typeof ruleDrafted>,
  { from, to }: Span,
  zone: string,
): Pick<Effects, 'minutesGained' | 'minutesLost'> {
  const [was, will] = [openSpans(timeRules.get(rule.id)!, from, to, zone), openSpans(rule, from, to, zone)]
  return { minutesGained: minutesOf(without(will, was)), minutesLost: minutesOf(without(was, will)) }
}

function present({ classes, doors, minutesGained, minutesLost }: Effects): Effect {
  const countOf = (which: (counts: AffectedClass['counts']) => boolean): number =>
    classes.reduce((sum, { counts, persons }) => sum + (which(counts) ? persons.length : 0), 0)
  const most = doors.toSorted((one, other) => concernedAt(other) - concernedAt(one) || compare(one.door.name ?? '', other.door.name ?? ''))
  return {
    gain: countOf(({ gain }) => gain > 0),
    lose: countOf(({ lose }) => lose > 0),
    otherHours: countOf(({ gain, lose, otherHours }) => otherHours > 0 && gain + lose === 0),
    minutesGained,
    minutesLost,
    deviceCount: doors.length,
    devices: most.slice(0, EFFECT_DOORS).map(({ door, counts: { gain, lose, otherHours } }) => ({
      id: door.id,
      name: door.name ?? '',
      gain,
      lose,
      changedHours: otherHours > 0,
    })),
  }
}

const concernedAt = ({ counts }: DoorEffect): number => counts.gain + counts.lose

function affectedPage(scope: Scope, { classes }: Effects, { page, size, deviceId, what }: AffectedQuery): Page<AffectedPerson> {
  const affected = classes.flatMap((one) => {
    const concerns = one.counts[what] > 0 && (deviceId === undefined || one.doorsOf(what).some(({ id }) => id === deviceId))
    return concerns ? one.persons.map((person) => ({ person, doorsOf: one.doorsOf })) : []
  })
  const inOrder = personOrder(scope)
  const rows = paged(
    affected.toSorted((one, other) => inOrder(one.person, other.person)),
    { page, size },
  )
  return {
    total: affected.length,
    content: rows.map(({ person: { id, name, workNumber }, doorsOf }) => {
      const doors = doorsOf(what).filter((door) => deviceId === undefined || door.id === deviceId)
      return {
        id,
        name,
        workNumber,
        deviceCount: doors.length,
        deviceNames: doors
          .toSorted(byName)
          .slice(0, NAMED_DOORS)
          .map((door) => door.name ?? ''),
      }
    }),
    page,
    size,
  }
}
