/**
 * Stands before every change that could let somebody pass somewhere. Where a park has no written rule it costs one question to an
 * index; where it has, changes of the park are made one after the other, so that two together cannot do what neither may. What a
 * linked park changes of its own persons is its own: it shows in who stands against a rule.
 */
import type { WrittenRuleTables } from './written-rules-schema.ts'
import { localDate, unionOfHours, weekPeriods, type WallHours } from '@gatehouse/access-rules'
import type { Breach, Breaker } from '@gatehouse/contract/approvals/written-rules'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { createSemaphore } from '../../platform/async/semaphore.ts'
import { personOrder } from '../../platform/session/masking.ts'
import { Conflict, Hindered, NotFound, refuse } from '../../platform/http/refusal.ts'
import { inPark, seeingAll, seesAllDevices, type Scope } from '../../platform/session/session.ts'
import type { Guarding, WorldChange, WorldPerson, NewPassage } from '../strategies/index.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { isWithin, newPassages } from './written-rules-agreed.ts'
import { newHits, type Compared, type Forbidden, type Hit, type Now, type ReadPersons } from './written-rules-check.ts'
import { findEnabledRules, findWrittenRule, lockPark, type WrittenRuleRow } from './written-rules-data.ts'
import { changedWorld, readWorld, resolved, type NamedWorld, type World } from './written-rules-world.ts'

export interface Paging {
  page: number
  size: number
}
export interface Page<Row> extends Paging {
  total: number
  content: Row[]
}

/** A breach, and what it is made of. */
interface Found {
  hits: readonly Hit[]
  breach: Breach
  passages: NewPassage[]
}

/** What a change goes against; `breaches` are those nobody has agreed to. */
export class AgainstWrittenRules extends Hindered {
  readonly breaches: Breach[]
  /** The same to the person, the door and the hour, by rule. */
  readonly passages: Record<string, NewPassage[]>
  constructor(found: readonly Found[], field: string) {
    const breaches = found.map(({ breach }) => breach)
    const refused = breaches.filter(({ reaction }) => reaction === 'refuse')
    const [rule, named] = refused.length > 0 ? (['writtenRule', refused] as const) : (['writtenRuleAsks', breaches] as const)
    super(
      // At doors that do not exist for whoever is refused.
      named.map((one) => ({ path: field, rule: one.deviceCount === 0 ? 'writtenRuleElsewhere' : rule, params: breachParams(one) })),
      { breaches },
    )
    this.breaches = breaches
    this.passages = Object.fromEntries(found.map(({ breach, passages }) => [breach.rule.id, passages]))
  }
}

/** What a sentence on a breach is made of. */
export const breachParams = ({ rule, personCount, deviceCount, deviceNames, periods, dates }: Breach): Record<string, string | number> => {
  const spans = [...new Set(periods.map(({ start, end }) => `${start}–${end}`)), ...dates]
  const shortened = (some: readonly string[], all: number): string => `${some.slice(0, NAMED).join(', ')}${all > NAMED ? ' …' : ''}`
  return {
    name: rule.name,
    persons: personCount,
    doors: shortened(deviceNames, deviceCount),
    hours: shortened(spans, spans.length),
    sentence: rule.sentence,
  }
}

export interface PassageGuard extends Guarding {
  /** What a change would newly go against, as somebody is told who is refused it. */
  breaches(scope: Scope, change: () => Promise<WorldChange>): Promise<Breach[]>
  /** Those who newly would stand against one of the rules, by name. @throws NotFound */
  breachers(scope: Scope, ruleId: string, change: () => Promise<WorldChange>, paging: Paging): Promise<Page<Breaker>>
  /** Those who stand against a rule as it is given, whatever anybody changes. */
  standing(scope: Scope, rule: Forbidden, paging: Paging): Promise<Page<Breaker>>
}

/** Doors that are named of several. */
const NAMED = 3
/** What decides who passes where, but for the persons themselves. */
const DECIDING = ['strategy', 'timeRule', 'device', 'deviceGroup', 'personGroup'] as const
/** Parks whose worlds are remembered. */
const WORLDS = 3
/** Parks whose changes are made at a time: each holds a connection while others do its work. */
const AT_ONCE = 3
const WAITING = 10_000

const { compare } = new Intl.Collator()
const byName = (one: { name: string }, other: { name: string }): number => compare(one.name, other.name)

/** What a park has written down holds for everybody, and its world is remembered for all who ask: nobody of the watch list is a breaker. */
export function createPassageGuard(
  platform: Platform,
  {
    people,
    groups,
    devices,
    organisation,
    sharing,
    reading,
  }: Pick<ApprovalDependencies, 'people' | 'groups' | 'devices' | 'organisation' | 'sharing' | 'reading'>,
): PassageGuard {
  const db = platform.db as unknown as Database<WrittenRuleTables>
  const semaphore = createSemaphore(AT_ONCE, WAITING)
  const turns = new Map<string, Promise<unknown>>()
  const worlds = new Map<string, { stamp: string; world: World }>()

  const world = (scope: Scope): Promise<NamedWorld> => readWorld(scope, { groups, devices, sharing, reading })
  const nowOf = (scope: Scope): Now => ({
    moment: platform.clock.now(),
    today: localDate(platform.clock.now(), organisation.park(scope).zone),
  })

  const persons =
    (scope: Scope): ReadPersons =>
    async ({ ids, groupIds, guests }) => {
      const wanted = new Set(ids)
      for (const id of await people.idsInGroups(scope, [...groupIds])) wanted.add(id)
      const known = async (parkId: string, some: Iterable<string>): Promise<WorldPerson[]> =>
        (await people.facts(inPark(scope, parkId), [...some].filter(isUuid))).flatMap(({ id, groupId, kind, enabled, validTo }) =>
          kind === 'special' ? [] : [{ id, groupId, kind, enabled, validTo, ...(parkId !== scope.parkId && { home: parkId }) }],
        )
      return (await Promise.all([known(scope.parkId, wanted), ...[...guests].map(([home, some]) => known(home, some))])).flat()
    }

  /** Both sides of a change. */
  async function compared(scope: Scope, wanted: WorldChange): Promise<{ before: World; after: World; change: WorldChange }> {
    const named = await world(scope)
    const before = resolved(named)
    return { before, after: wanted.of === 'persons' ? before : resolved(changedWorld(named, wanted)), change: wanted }
  }

  /** The world of a park as it stands, read again only where history says that something of it is another. */
  async function remembered(scope: Scope): Promise<World> {
    const stamp = await platform.history.stamp(scope, DECIDING)
    const known = worlds.get(scope.parkId)
    worlds.delete(scope.parkId)
    const entry = known?.stamp === stamp ? known : { stamp, world: resolved(await world(scope)) }
    worlds.set(scope.parkId, entry)
    for (const parkId of [...worlds.keys()].slice(0, -WORLDS)) worlds.delete(parkId)
    return entry.world
  }

  async function breachesOf(scope: Scope, rules: readonly WrittenRuleRow[], change: () => Promise<WorldChange>): Promise<Found[]> {
    const wanted = rules.length === 0 ? undefined : await change()
    if (
      wanted === undefined ||
      (wanted.of === 'persons' && wanted.persons.length === 0) ||
      (wanted.of === 'devices' && wanted.devices.length === 0)
    )
      return []
    const look = async (both: Compared): Promise<Found[]> => {
      const found: Found[] = []
      for (const rule of rules) {
        const hits = await newHits(forbiddenBy(rule), both, nowOf(scope), persons(scope))
        if (hits.length > 0) found.push({ hits, breach: breachOf(rule, hits), passages: newPassages(hits) })
      }
      return found
    }
    if (wanted.of === 'persons') {
      // An import saves thousands one by one. Who is refused is told with names, which history does not follow.
      const standing = await remembered(scope)
      if ((await look({ before: standing, after: standing, change: wanted })).length === 0) return []
    }
    return look(await compared(scope, wanted))
  }

  /** What of it somebody is told: doors that do not exist for them are neither named nor counted. */
  async function toldTo(asked: Scope, found: readonly Found[]): Promise<readonly Found[]> {
    if (seesAllDevices(asked)) return found
    const doors = new Set(found.flatMap(({ hits }) => hits.flatMap((hit) => hit.doors.map(({ id }) => id))))
    const seen = new Set((await devices.names(asked, [...doors])).map(({ id }) => id))
    return found.map(({ hits, breach, ...one }) => {
      const shown = hits.map((hit) => ({ ...hit, doors: hit.doors.filter(({ id }) => seen.has(id)) })).filter((hit) => hit.doors.length > 0)
      return { ...one, hits: shown, breach: { ...breach, ...toldOf(shown) } }
    })
  }

  async function pageOf(asked: Scope, hits: readonly Hit[], { page, size }: Paging): Promise<Page<Breaker>> {
    const scope = seeingAll(asked)
    const byPerson = Map.groupBy(
      hits.flatMap((hit) => hit.persons.map(({ id, home }) => ({ id, home, hit }))),
      ({ id }) => id,
    )
    const byHome = Map.groupBy(
      [...byPerson.values()].map(([first]) => first!),
      ({ home }) => home,
    )
    const named = async (home: string | undefined, some: readonly { id: string }[]) => {
      const parkName = home === undefined ? null : (organisation.parks().find(({ id }) => id === home)?.name ?? '')
      return (await people.facts(inPark(scope, home ?? scope.parkId), some.map(({ id }) => id).filter(isUuid))).map((person) => ({
        ...person,
        parkName,
      }))
    }
    const facts = (await Promise.all([...byHome].map(([home, some]) => named(home, some)))).flat()
    const content = facts.toSorted(personOrder(asked)).slice((page - 1) * size, page * size)
    return {
      total: facts.length,
      content: content.map(({ id, name, workNumber, parkName }) => ({
        id,
        name,
        workNumber: workNumber ?? '',
        parkName,
        ...toldOf(byPerson.get(id)!.map(({ hit }) => hit)),
        contactsOnly: byPerson.get(id)!.every(({ hit }) => hit.by === 'contact'),
      })),
      page,
      size,
    }
  }

  /** One change of a park after the other. */
  function inTurn<T>(parkId: string, work: () => Promise<T>): Promise<T> {
    const mine = (turns.get(parkId) ?? Promise.resolve()).catch(() => {}).then(work)
    turns.set(parkId, mine)
    void mine.catch(() => {}).finally(() => turns.get(parkId) === mine && turns.delete(parkId))
    return mine
  }

  return {
    async during(asked, change, work, { field = '', approved } = {}) {
      const scope = seeingAll(asked)
      if ((await findEnabledRules(scope, db)).length === 0) return work()
      return inTurn(scope.parkId, async () => {
        const leave = await semaphore.enter().catch(() => refuse(900000))
        try {
          return await db.transaction().execute(async (tx) => {
            // Other nodes make changes too.
            await lockPark(scope, tx)
            const open = (await breachesOf(scope, await findEnabledRules(scope, db), change)).filter(
              ({ breach: { rule, reaction }, passages }) => reaction === 'refuse' || !isWithin(approved?.get(rule.id) ?? [], passages),
            )
            // Nobody agrees unawares to what came later, and nobody is asked a second time by the same change.
            if (approved !== undefined && open.length > 0 && open.every(({ breach }) => breach.reaction === 'ask')) throw new Conflict([])
            if (open.length > 0) throw new AgainstWrittenRules(await toldTo(asked, open), field)
            return work()
          })
        } finally {
          leave()
        }
      })
    },
    breaches: async (asked, change) =>
      (await toldTo(asked, await breachesOf(seeingAll(asked), await findEnabledRules(asked, db), change))).map(({ breach }) => breach),
    async breachers(asked, ruleId, change, paging) {
      const scope = seeingAll(asked)
      const rule = isUuid(ruleId) ? await findWrittenRule(scope, db, ruleId) : undefined
      if (rule === undefined) throw new NotFound()
      return pageOf(asked, await newHits(forbiddenBy(rule), await compared(scope, await change()), nowOf(scope), persons(scope)), paging)
    },
    async standing(asked, rule, paging) {
      const scope = seeingAll(asked)
      const after = resolved(await world(scope))
      const nothing: World = { ...after, strategies: new Map() }
      return pageOf(asked, await newHits(rule, { before: nothing, after, change: undefined }, nowOf(scope), persons(scope)), paging)
    },
  }
}

const forbiddenBy = ({ periods, ...rule }: WrittenRuleRow): Forbidden => ({ ...rule, periods: periods as Forbidden['periods'] })

/** At which doors and when, of hits together. */
function toldOf(hits: readonly Hit[]) {
  const doors = [...new Map(hits.flatMap((hit) => hit.doors.map((door) => [door.id, door] as const))).values()].toSorted(byName)
  const { week, dates }: WallHours = unionOfHours(hits.map(({ hours }) => hours))
  return { deviceCount: doors.length, deviceNames: doors.slice(0, NAMED).map(({ name }) => name), periods: weekPeriods(week), dates }
}

function breachOf({ id, name, sentence, reaction }: WrittenRuleRow, hits: readonly Hit[]): Breach {
  return {
    rule: { id, name, sentence },
    reaction,
    personCount: new Set(hits.flatMap((hit) => hit.persons.map((person) => person.id))).size,
    ...toldOf(hits),
  }
}
