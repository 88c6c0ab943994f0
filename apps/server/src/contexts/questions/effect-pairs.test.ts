/**
 * The effect computed by classes of persons and doors equals that computed pair by pair.
 * @module-tag extended
 */
import { expect, test } from 'vitest'
import { during, minutesOf, strategyHours, unionOf, without, type Span, type TimeRule } from '@gatehouse/access-rules'
import { effectsOf, type Moved, type Outcome } from './effect.ts'
import type { Rules, StandingDoor, StandingPerson, StrategyFacts } from '../synchronisation/index.ts'

/** A Monday. */
const FROM = Date.parse('2027-03-01T00:00:00Z')
const DAY = 86_400_000
const WINDOW: Span = { from: FROM, to: FROM + 7 * DAY }

/** Return a generator of pseudo-random numbers, the same for the same seed. */
function dice(seed: number) {
  let state = seed * 2_654_435_761
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
  return {
    below,
    some: <T>(things: readonly T[], share = 2): T[] => things.filter(() => below(share) === 0),
    one: <T>(things: readonly T[]): T => things[below(things.length)]!,
  }
}
const names = (kind: string, count: number): string[] => Array.from({ length: count }, (_, number) => `${kind}${number}`)

function scene(seed: number): {
  doors: StandingDoor[]
  persons: StandingPerson[]
  before: Rules
  after: Rules
  changed: Set<string>
  moved?: Moved
} {
  const { below, some, one } = dice(seed)
  const [groups, deviceGroups, ruleIds] = [names('group', 3), names('doors', 3), names('rule', 4)]
  const doors = names('door', 6).map((id): StandingDoor => ({
    id,
    name: id,
    groupId: one([...deviceGroups, null]),
    zone: one(['UTC', 'Asia/Shanghai']),
    methods: one([[], [1]]),
  }))
  const bound = (): number | null => (below(3) === 0 ? FROM + below(9) * DAY - DAY : null)
  const persons = names('person', 9).map((id): StandingPerson => ({
    id,
    groupId: one(groups),
    enabled: below(6) > 0,
    validFrom: bound(),
    validTo: bound(),
    name: id,
    workNumber: '',
  }))
  const rule = (id: string): TimeRule => ({
    id,
    periods: some([1, 2, 3, 4]).map((weekday) => ({ weekday, start: one(['00:00', '08:00']), end: one(['12:00', '24:00']) })),
    allowedExceptionDates: [],
    forbiddenExceptionDates: some(['2027-03-02'], 4),
  })
  const strategy = (id: string): StrategyFacts => ({
    id,
    timeRuleIds: some([...ruleIds, 'absent'], 3),
    methods: one([[1, 4], [4]]),
    validFrom: bound(),
    validTo: bound(),
    personIds: some(persons, 4).map((person) => person.id),
    groupIds: new Set(some(groups, 3)),
    deviceIds: some(doors, 4).map((door) => door.id),
    deviceGroupIds: new Set(some(deviceGroups, 3)),
  })
  const rulesOf = (ids: readonly string[]) => new Map(ids.map((id) => [id, rule(id)]))
  const before: Rules = { strategies: new Map(names('strategy', 5).map((id) => [id, strategy(id)])), timeRules: rulesOf(ruleIds) }
  function reaching(
    of: 'groupIds' | 'deviceGroupIds',
    things: readonly { id: string; groupId: string | null }[],
    moved: ReadonlyMap<string, string | null>,
  ) {
    const differing = [...before.strategies.values()].filter((facts) =>
      things.some(({ id, groupId }) => moved.has(id) && facts[of].has(groupId ?? '') !== facts[of].has(moved.get(id) ?? '')),
    )
    return { before, after: before, changed: new Set(differing.map(({ id }) => id)) }
  }
  // A strategy changed, added or deleted; a rule, with every strategy that uses it; or persons or doors that move.
  const kind = one(['strategy', 'added', 'deleted', 'rule', 'persons', 'doors'])
  if (kind === 'persons') {
    const moved = new Map(some(persons).map(({ id }) => [id, one(groups)]))
    return { ...reaching('groupIds', persons, moved), doors, persons: persons.filter(({ id }) => moved.has(id)), moved: { persons: moved } }
  }
  if (kind === 'doors') {
    const moved = new Map(some(doors).map(({ id }) => [id, one([...deviceGroups, null])]))
    return { ...reaching('deviceGroupIds', doors, moved), doors: doors.filter(({ id }) => moved.has(id)), persons, moved: { doors: moved } }
  }
  if (kind === 'rule') {
    const changed = new Set([...before.strategies.values()].filter(({ timeRuleIds }) => timeRuleIds.includes('rule0')).map(({ id }) => id))
    return { doors, persons, before, after: { ...before, timeRules: new Map([...before.timeRules, ['rule0', rule('rule0')]]) }, changed }
  }
  const id = kind === 'added' ? 'strategy9' : 'strategy0'
  const strategies = new Map([...before.strategies, [id, strategy(id)]])
  if (kind === 'deleted') strategies.delete(id)
  return { doors, persons, before, after: { ...before, strategies }, changed: new Set([id]) }
}

/** Return when a person can pass a door, computed from every strategy. */
function hoursOf({ strategies, timeRules }: Rules, person: StandingPerson, door: StandingDoor): Span[] {
  if (!person.enabled) return []
  const covering = [...strategies.values()].filter(
    ({ personIds, groupIds, deviceIds, deviceGroupIds }) =>
      (personIds.includes(person.id) || groupIds.has(person.groupId)) &&
      (deviceIds.includes(door.id) || deviceGroupIds.has(door.groupId ?? '')),
  )
  return during(unionOf(covering.flatMap((strategy) => strategyHours(strategy, door, timeRules, WINDOW))), person)
}

test('for whatever changes', () => {
  const seen: Record<Outcome | 'same', number> = { gain: 0, lose: 0, otherHours: 0, same: 0 }
  for (let seed = 1; seed <= 250; seed++) {
    const { doors, persons, before, after, changed, moved = {} } = scene(seed)
    const expected = { pairs: [] as string[], minutes: [0, 0] }
    for (const person of persons)
      for (const door of doors) {
        const personAfter = { ...person, groupId: moved.persons?.get(person.id) ?? person.groupId }
        const doorAfter = { ...door, groupId: moved.doors?.has(door.id) ? moved.doors.get(door.id)! : door.groupId }
        const [was, will] = [hoursOf(before, person, door), hoursOf(after, personAfter, doorAfter)]
        const [gained, lost] = [without(will, was), without(was, will)]
        const what = gained.length + lost.length === 0 ? 'same' : was.length === 0 ? 'gain' : will.length === 0 ? 'lose' : 'otherHours'
        seen[what]++
        if (what !== 'same') expected.pairs.push(`${person.id} ${door.id} ${what}`)
        expected.minutes = [Math.max(expected.minutes[0]!, minutesOf(gained)), Math.max(expected.minutes[1]!, minutesOf(lost))]
      }
    const effects = effectsOf({ before, after, changed, ...moved }, new Map(doors.map((door) => [door.id, door])), persons, WINDOW)
    const outcomes = ['gain', 'lose', 'otherHours'] as const
    const pairs = effects.classes.flatMap((one) =>
      outcomes.flatMap((what) => one.doorsOf(what).flatMap((door) => one.persons.map((person) => `${person.id} ${door.id} ${what}`))),
    )
    expect(pairs.toSorted(), `seed ${seed}`).toEqual(expected.pairs.toSorted())
    expect([effects.minutesGained, effects.minutesLost], `seed ${seed}`).toEqual(expected.minutes)
    for (const one of effects.classes) for (const what of outcomes) expect(one.counts[what], `seed ${seed}`).toBe(one.doorsOf(what).length)
    const atDoors = (what: Outcome): string[] =>
      effects.doors.flatMap(({ door, counts }) => (counts[what] > 0 ? [`${door.id} ${counts[what]}`] : []))
    for (const what of outcomes) {
      const counted = Map.groupBy(
        expected.pairs.filter((pair) => pair.endsWith(` ${what}`)),
        (pair) => pair.split(' ')[1]!,
      )
      expect(atDoors(what).toSorted(), `seed ${seed}`).toEqual([...counted].map(([id, all]) => `${id} ${all.length}`).toSorted())
    }
  }
  // With too few cases of each kind the comparison would prove little.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(150)
})
