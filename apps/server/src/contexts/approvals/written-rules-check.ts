/**
 * The check of what a change would newly allow against written rules. Only persons whom the change can affect are examined: those
 * covered by changed strategies, those who are changed, and members of groups that move. Equal persons at equal doors are
 * examined once.
 *
 * A rule speaks of persons who pass themselves, by their own face or card. Contacts who come in their place are none of the
 * persons, groups or kinds that a rule can name: a rule that names whom it forbids does not apply to them, and a rule that
 * forbids everybody except those it names also forbids contacts, even those of persons it names. Contacts are reported by the
 * person in whose place they come, whether or not that person has any contact yet: adding a contact later checks no rule.
 */
import { isDeepStrictEqual } from 'node:util'
import { NO_HOURS, isOpenNever, newlyWithin, unionOfHours, wallHours, weekOf, type Period, type WallHours } from '@gatehouse/access-rules'
import { authorisedObject } from '@gatehouse/contract/enums'
import { withDescendants } from '../../platform/tree.ts'
import { alike, coverageOf, strategiesAtDoors, type StrategyFacts } from '../synchronisation/index.ts'
import type { WorldChange, WorldDoor, WorldPerson } from '../strategies/index.ts'
import type { World } from './written-rules-world.ts'

/** The deciding part of a written rule. */
export interface Forbidden {
  everybodyExcept: boolean
  kinds: readonly string[]
  personGroupIds: readonly string[]
  personIds: readonly string[]
  deviceIds: readonly string[]
  deviceGroupIds: readonly string[]
  periods: readonly Period[]
}

/** Who passes by a strategy: the persons it covers, or contacts in their place. */
type By = 'person' | 'contact'

/** Persons who could pass, themselves or by contacts in their place, at doors and hours that are the same for all of them. */
export interface Hit {
  by: By
  persons: readonly WorldPerson[]
  doors: readonly WorldDoor[]
  hours: WallHours
}

export interface Now {
  moment: number
  /** `YYYY-MM-DD`. */
  today: string
}

/**
 * Read persons: of these ids, all directly in these groups, and of linked parks. Persons of the watch list are admitted nowhere
 * and are left out.
 */
export type ReadPersons = (of: {
  ids: ReadonlySet<string>
  groupIds: ReadonlySet<string>
  guests: ReadonlyMap<string, ReadonlySet<string>>
}) => Promise<WorldPerson[]>

/** Both worlds of a change, and the change itself, of which they do not show everything. */
export interface Compared {
  before: World
  after: World
  /** Undefined: there is no world before, and everything is examined. */
  change: WorldChange | undefined
}

/** Whether a rule applies to a person. */
function isAbout(rule: Forbidden, person: WorldPerson, world: World, groupIds: ReadonlySet<string>): boolean {
  const kind = world.visitorGroups.has(person.groupId) ? 'visitor' : person.kind
  const named = rule.kinds.includes(kind) || groupIds.has(person.groupId) || rule.personIds.includes(person.id)
  return named !== rule.everybodyExcept
}

const mayEnter = ({ enabled, validTo }: WorldPerson, { moment }: Now): boolean => enabled && (validTo ?? Infinity) >= moment

/** Return the doors a rule applies to. */
function doorsOf(rule: Forbidden, world: World): Map<string, WorldDoor> {
  const [ids, groupIds] = [new Set(rule.deviceIds), new Set(withDescendants(world.deviceTree, rule.deviceGroupIds))]
  return new Map([...world.doors].filter(([id, { groupId }]) => ids.has(id) || (groupId !== null && groupIds.has(groupId))))
}

/** Return the strategies that differ afterwards, by what they name or by their time rules. */
function changedStrategies({ before, after, change }: Compared): Set<string> {
  if (change === undefined) return new Set(after.strategies.keys())
  // Strategies that name other persons change nothing for those they named before.
  if (change.of === 'persons') return new Set()
  return new Set(
    [...after.strategies].flatMap(([id, facts]) => {
      const same =
        isDeepStrictEqual(before.strategies.get(id), facts) && !(change.of === 'timeRule' && facts.timeRuleIds.includes(change.id))
      return same ? [] : [id]
    }),
  )
}

/** Return the doors that are in another group afterwards, or are new. */
function movedDoors({ after, change }: Compared): Set<string> {
  if (change?.of === 'devices') return new Set(change.devices.map(({ id }) => id))
  if (change?.of !== 'deviceGroup') return new Set()
  const groupIds = new Set(withDescendants(after.deviceTree, [change.id]))
  return new Set([...after.doors.values()].flatMap(({ id, groupId }) => (groupId !== null && groupIds.has(groupId) ? [id] : [])))
}

/**
 * Return who could newly pass where a rule forbids it.
 * @param read reads persons as they are now
 */
export async function newHits(rule: Forbidden, compared: Compared, now: Now, read: ReadPersons): Promise<Hit[]> {
  const { before, after, change } = compared
  /** Evaluate for both worlds; once where they are the same. */
  const ofBoth = <Of>(of: (when: 'before' | 'after') => Of): Record<'before' | 'after', Of> => {
    const then = of('after')
    return { before: before === after ? then : of('before'), after: then }
  }
  const doors = ofBoth((when) => (when === 'before' && change === undefined ? new Map<string, WorldDoor>() : doorsOf(rule, compared[when])))
  if (doors.after.size === 0) return []
  const at = ofBoth((when) => strategiesAtDoors(compared[when].strategies.values(), doors[when]))
  const here = new Set([...at.after.values()].flat())
  const moved = movedDoors(compared)
  const concerning = new Set([...changedStrategies(compared)].filter((id) => here.has(id)))
  for (const id of moved) for (const strategyId of at.after.get(id) ?? []) concerning.add(strategyId)
  const movedGroups = change?.of === 'personGroup' ? withDescendants(after.personTree, [change.id]) : []
  if (here.size === 0 || (concerning.size === 0 && movedGroups.length === 0 && change?.of !== 'persons')) return []

  const facts = [...concerning].map((id) => after.strategies.get(id)!)
  const changed = new Map(change?.of === 'persons' ? change.persons.map((person) => [person.id, person]) : [])
  const ofHomes = Map.groupBy(facts, ({ home }) => home)
  const idsOf = (some: readonly { personIds: readonly string[] }[] = []): Set<string> => new Set(some.flatMap(({ personIds }) => personIds))
  const persons = await read({
    ids: new Set([...idsOf(ofHomes.get(undefined)), ...changed.keys()]),
    guests: new Map([...ofHomes].flatMap(([home, some]) => (home === undefined ? [] : [[home, idsOf(some)] as const]))),
    groupIds: new Set([...facts.flatMap(({ groupIds }) => [...groupIds]), ...movedGroups]),
  })
  const standing = new Map(persons.map((person) => [person.id, person]))
  const covers = ofBoth((when) => coverageOf([...new Set([...at[when].values()].flat())].map((id) => compared[when].strategies.get(id)!)))
  const groups = ofBoth((when) => new Set(withDescendants(compared[when].personTree, rule.personGroupIds)))
  const week = weekOf(rule.periods)
  const concerned = (by: By) =>
    [...new Map([...standing, ...changed]).values()].flatMap((person) => {
      const was = standing.get(person.id)
      const isForbidden = (one: WorldPerson, when: 'before' | 'after'): boolean =>
        mayEnter(one, now) && (by === 'contact' ? rule.everybodyExcept : isAbout(rule, one, compared[when], groups[when]))
      if (person.kind === 'special' || !isForbidden(person, 'after')) return []
      const stoodAgainst = change !== undefined && was !== undefined && isForbidden(was, 'before')
      return [{ person, after: covers.after(person), before: stoodAgainst ? covers.before(was) : [] }]
    })
  const doorClasses = alike(
    [...doors.after.values()].flatMap((door) =>
      at.after.has(door.id) ? [{ door, after: at.after.get(door.id)!, before: at.before.get(door.id) ?? [] }] : [],
    ),
    (one) => `${one.after.join()} ${one.before.join()}`,
  )
  return (['person', 'contact'] as const).flatMap((by) => {
    const hours = ofBoth((when) => hoursOf(compared[when], by, now))
    return alike(concerned(by), (one) => `${one.after.join()} ${one.before.join()}`).flatMap((people) =>
      doorClasses.flatMap((same): Hit[] => {
        const both = (when: 'before' | 'after'): WallHours =>
          unionOfHours(people[0]![when].filter((id) => same[0]![when].includes(id)).map(hours[when]))
        const found = newlyWithin(week, both('before'), both('after'))
        return isOpenNever(found)
          ? []
          : [{ by, persons: people.map(({ person }) => person), doors: same.map(({ door }) => door), hours: found }]
      }),
    )
  })
}

/** Return a function for the hours at which each strategy lets these pass, computed once. */
function hoursOf({ strategies, timeRules }: World, by: By, now: Now): (id: string) => WallHours {
  const hoursByStrategy = new Map<string, WallHours>()
  const hoursNow = (strategy: StrategyFacts | undefined): WallHours =>
    strategy !== undefined && letsPass(strategy, by) ? wallHours(strategy, timeRules, now) : NO_HOURS
  return (id) => {
    const found = hoursByStrategy.get(id) ?? hoursNow(strategies.get(id))
    hoursByStrategy.set(id, found)
    return found
  }
}

const letsPass = ({ authorisedObject: authorised = authorisedObject.person }: StrategyFacts, by: By): boolean =>
  authorised === authorisedObject.both || authorised === by
