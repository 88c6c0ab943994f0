/**
 * Computation of what another set of strategies and rules would change for persons at doors, without examining each pair of the
 * two. Persons covered by the same strategies form one class, and so do doors named by the same strategies. The effect of the
 * changed strategies alone is computed once for each kind of doors and bucket of persons; only persons whom other strategies also
 * let pass at the same doors are examined again.
 */
import { during, minutesOf, strategyHours, unionOf, without, type Span } from '@gatehouse/access-rules'
import {
  alike,
  coverageOf,
  doorKey,
  strategiesAtDoors,
  type Rules,
  type StandingDoor,
  type StandingPerson,
} from '../synchronisation/index.ts'

/** `otherHours`: the door stays open to the person, but at other times. */
export type Outcome = 'gain' | 'lose' | 'otherHours'

/** Persons with the same effects. */
export interface AffectedClass {
  persons: readonly StandingPerson[]
  /** Number of doors by effect. */
  counts: Readonly<Record<Outcome, number>>
  doorsOf(outcome: Outcome): StandingDoor[]
}

export interface DoorEffect {
  door: StandingDoor
  /** Number of persons by effect. */
  counts: Readonly<Record<Outcome, number>>
}

export interface Effects {
  /** Disjoint classes. */
  classes: AffectedClass[]
  /** Doors where anything changes. */
  doors: DoorEffect[]
  /** The most minutes that any person gains, or loses, at one door. */
  minutesGained: number
  minutesLost: number
}

/** Persons and doors that move, each with its new group. */
export interface Moved {
  persons?: ReadonlyMap<string, string>
  doors?: ReadonlyMap<string, string | null>
}

interface Change extends Moved {
  before: Rules
  after: Rules
  /** Strategies that the change affects: changed, added, deleted, with a changed rule, or reaching a person or door that moved. */
  changed: ReadonlySet<string>
}

interface Verdict {
  what: Outcome | 'same'
  gained: number
  lost: number
}

/** Ids of strategies before and after. */
interface Pair {
  before: string[]
  after: string[]
}

interface Validity {
  validFrom: number | null
  validTo: number | null
}

/** Persons covered by the same changed strategies, with the same validity. */
interface Bucket extends Validity {
  changed: Pair
  classes: PersonClass[]
  size: number
}
interface PersonClass {
  bucket: Bucket
  /** Unchanged strategies that cover them. */
  others: string[]
  persons: StandingPerson[]
  counts: Record<Outcome, number>
  /** Verdicts at doors that an unchanged strategy also opens to them. */
  special: Map<DoorClass, Verdict>
}

/** Doors with the same changed strategies. */
interface DoorKind {
  changed: Pair
  classes: DoorClass[]
  size: number
  /** Effect of the changed strategies alone, by bucket. */
  verdicts: Map<Bucket, { verdict: Verdict; spans: Record<keyof Pair, Span[]>; exceptions: number }>
}
interface DoorClass {
  kind: DoorKind
  doors: StandingDoor[]
  /** Unchanged strategies that name them. */
  others: string[]
}

const noCounts = (): Record<Outcome, number> => ({ gain: 0, lose: 0, otherHours: 0 })

/**
 * Return what a change does at doors.
 * @param doors the doors to examine
 * @param persons all persons covered by a changed strategy, before or after, or those of them who moved; others are ignored
 */
export function effectsOf(
  change: Change,
  doors: ReadonlyMap<string, StandingDoor>,
  persons: readonly StandingPerson[],
  window: Span,
): Effects {
  const kinds = kindsOf(change, doors)
  const buckets = bucketsOf(change, kinds, persons, window)
  const hours = { before: hoursOf(change.before, window), after: hoursOf(change.after, window) }
  judgeKinds(kinds, buckets, hours)
  const classes = buckets.flatMap((bucket) => bucket.classes)
  const corrections = judgeSpecial(kinds, classes, hours.before)
  return { ...summed(kinds, buckets, corrections), classes: classes.map(affected(kinds)) }
}

/** Return the doors that a changed strategy names, before or after. */
function kindsOf({ before, after, changed, doors: moved }: Change, doors: ReadonlyMap<string, StandingDoor>): DoorKind[] {
  const movedTo = ({ id, groupId }: StandingDoor): string | null => (moved?.has(id) ? moved.get(id)! : groupId)
  const standing = moved === undefined ? doors : new Map([...doors].map(([id, door]) => [id, { id, groupId: movedTo(door) }]))
  const at = { before: strategiesAtDoors(before.strategies.values(), doors), after: strategiesAtDoors(after.strategies.values(), standing) }
  const split = [...doors.values()].flatMap((door) => {
    const [was, will] = [at.before.get(door.id) ?? [], at.after.get(door.id) ?? []]
    const pair: Pair = { before: was.filter((id) => changed.has(id)), after: will.filter((id) => changed.has(id)) }
    return pair.before.length + pair.after.length === 0 ? [] : [{ door, pair, others: was.filter((id) => !changed.has(id)) }]
  })
  return alike(split, ({ door, pair }) => `${doorKey(door)} ${pair.before.join()} ${pair.after.join()}`).map((members) => {
    const kind: DoorKind = { changed: members[0]!.pair, classes: [], size: members.length, verdicts: new Map() }
    kind.classes = alike(members, ({ others }) => others.join()).map((same) => ({
      kind,
      doors: same.map(({ door }) => door),
      others: same[0]!.others,
    }))
    return kind
  })
}

/** Return the persons who can be affected within the window, in their classes. */
function bucketsOf(
  { before, after, changed, persons: moved }: Change,
  kinds: readonly DoorKind[],
  persons: readonly StandingPerson[],
  window: Span,
): Bucket[] {
  // Only unchanged strategies at these doors matter.
  const others = new Set(kinds.flatMap(({ classes }) => classes.flatMap((one) => one.others)))
  const among = ({ strategies }: Rules, isIncluded: (id: string) => boolean) =>
    coverageOf([...strategies.values()].filter(({ id }) => isIncluded(id)))
  const covers = {
    before: among(before, (id) => changed.has(id)),
    after: among(after, (id) => changed.has(id)),
    others: among(before, (id) => others.has(id)),
  }
  const short = shortNames()
  const concerned = persons.flatMap((person) => {
    const { id, groupId } = person
    const pair = { before: covers.before(person), after: covers.after({ id, groupId: moved?.get(id) ?? groupId }) }
    const validFrom = (person.validFrom ?? -Infinity) <= window.from ? null : person.validFrom
    const validTo = (person.validTo ?? Infinity) >= window.to ? null : person.validTo
    const passes =
      person.enabled &&
      pair.before.length + pair.after.length > 0 &&
      (validFrom ?? -Infinity) < window.to &&
      (validTo ?? Infinity) >= window.from
    return passes ? [{ person, pair, validFrom, validTo, others: covers.others(person) }] : []
  })
  return alike(concerned, ({ pair, validFrom, validTo }) => `${short(pair.before)} ${short(pair.after)} ${validFrom} ${validTo}`).map(
    (members) => {
      const { pair, validFrom, validTo } = members[0]!
      const bucket: Bucket = {
        changed: { before: [...pair.before], after: [...pair.after] },
        validFrom,
        validTo,
        classes: [],
        size: members.length,
      }
      bucket.classes = alike(members, (one) => short(one.others)).map((same) => ({
        bucket,
        others: [...same[0]!.others],
        persons: same.map(({ person }) => person),
        counts: noCounts(),
        special: new Map(),
      }))
      return bucket
    },
  )
}

/** The hours of a strategy at a door; equal hours are the same object. */
type Hours = (id: string, door: StandingDoor) => Span[]

/** Compute the effect of the changed strategies alone, for each kind of doors and the persons covered there. */
function judgeKinds(kinds: readonly DoorKind[], buckets: readonly Bucket[], hours: Record<keyof Pair, Hours>): void {
  const covering = { before: indexOf(buckets, ({ changed }) => changed.before), after: indexOf(buckets, ({ changed }) => changed.after) }
  for (const kind of kinds) {
    const pairs = new Map<Bucket, Pair>()
    for (const when of ['before', 'after'] as const)
      for (const id of kind.changed[when])
        for (const bucket of covering[when].get(id) ?? []) {
          const pair = pairs.get(bucket) ?? { before: [], after: [] }
          pair[when].push(id)
          pairs.set(bucket, pair)
        }
    const door = doorOf(kind)
    for (const [bucket, pair] of pairs) {
      const spans = {
        before: unionOf(pair.before.flatMap((id) => hours.before(id, door))),
        after: unionOf(pair.after.flatMap((id) => hours.after(id, door))),
      }
      const verdict = compare(during(spans.before, bucket), during(spans.after, bucket))
      if (verdict.what !== 'same') kind.verdicts.set(bucket, { verdict, spans, exceptions: 0 })
    }
  }
}

/** Differences of the counts of doors from those of their kind. */
type Corrections = Map<DoorClass, { persons: Record<Outcome, number>; verdicts: Verdict[] }>

/** Examine again the persons whom other strategies let pass at the same doors: for them less changes, or nothing. */
function judgeSpecial(kinds: readonly DoorKind[], classes: readonly PersonClass[], hoursOfStrategy: Hours): Corrections {
  const covered = indexOf(classes, ({ others }) => others)
  const corrections: Corrections = new Map()
  const numberOf = numbers<readonly Span[]>()
  for (const kind of kinds) {
    const door = doorOf(kind)
    const verdictsByBucket = new Map<Bucket, Map<string, Verdict>>()
    for (const doorClass of kind.classes) {
      // Many strategies share few different hours.
      const through = new Map<PersonClass, Set<Span[]>>()
      for (const [hours, ids] of Map.groupBy(doorClass.others, (id) => hoursOfStrategy(id, door)))
        for (const id of ids)
          for (const one of covered.get(id) ?? []) {
            const all = through.get(one)
            if (all === undefined) through.set(one, new Set([hours]))
            else all.add(hours)
          }
      const correction = { persons: noCounts(), verdicts: [] as Verdict[] }
      for (const [one, others] of through) {
        const usual = kind.verdicts.get(one.bucket)
        if (usual === undefined) continue
        const { before, after } = usual.spans
        const verdicts = getOrAdd(verdictsByBucket, one.bucket, () => new Map<string, Verdict>())
        const verdict = getOrAdd(
          verdicts,
          [...others]
            .map(numberOf)
            .toSorted((a, b) => a - b)
            .join(),
          () => {
            const open = [...others].flat()
            return compare(during(unionOf([...before, ...open]), one.bucket), during(unionOf([...after, ...open]), one.bucket))
          },
        )
        usual.exceptions += doorClass.doors.length
        one.special.set(doorClass, verdict)
        if (usual.verdict.what !== 'same') correction.persons[usual.verdict.what] -= one.persons.length
        if (verdict.what !== 'same') correction.persons[verdict.what] += one.persons.length
        correction.verdicts.push(verdict)
      }
      if (correction.verdicts.length > 0) corrections.set(doorClass, correction)
    }
  }
  return corrections
}

/** Return the doors with their counts, and the most that any person gains or loses. */
function summed(kinds: readonly DoorKind[], buckets: readonly Bucket[], corrections: Corrections): Omit<Effects, 'classes'> {
  const doors: DoorEffect[] = []
  let [minutesGained, minutesLost] = [0, 0]
  const most = ({ gained, lost }: Verdict): void => {
    minutesGained = Math.max(minutesGained, gained)
    minutesLost = Math.max(minutesLost, lost)
  }
  for (const kind of kinds) {
    const usual = noCounts()
    for (const [bucket, { verdict, exceptions }] of kind.verdicts) {
      if (verdict.what === 'same') continue
      usual[verdict.what] += bucket.size
      // Where every class of the bucket is an exception at every door, the verdict applies to nobody.
      if (exceptions < kind.size * bucket.classes.length) most(verdict)
    }
    for (const one of kind.classes) {
      const { persons = noCounts(), verdicts = [] } = corrections.get(one) ?? {}
      verdicts.forEach(most)
      const counts = { gain: usual.gain + persons.gain, lose: usual.lose + persons.lose, otherHours: usual.otherHours + persons.otherHours }
      if (counts.gain + counts.lose + counts.otherHours > 0) doors.push(...one.doors.map((door) => ({ door, counts })))
    }
  }
  for (const bucket of buckets)
    for (const one of bucket.classes) {
      for (const kind of kinds) {
        const usual = kind.verdicts.get(bucket)?.verdict.what ?? 'same'
        if (usual !== 'same') one.counts[usual] += kind.size
      }
      for (const [{ kind, doors: there }, { what }] of one.special) {
        const usual = kind.verdicts.get(bucket)!.verdict.what
        if (usual !== 'same') one.counts[usual] -= there.length
        if (what !== 'same') one.counts[what] += there.length
      }
    }
  return { doors, minutesGained, minutesLost }
}

const affected =
  (kinds: readonly DoorKind[]) =>
  ({ bucket, persons, counts, special }: PersonClass): AffectedClass => ({
    persons,
    counts,
    doorsOf: (outcome) =>
      kinds.flatMap((kind) => {
        const usual = kind.verdicts.get(bucket)?.verdict.what
        return kind.classes.flatMap((one) => ((special.get(one)?.what ?? usual) === outcome ? one.doors : []))
      }),
  })

/** Return the things by each of their ids. */
function indexOf<Thing>(things: readonly Thing[], idsOf: (thing: Thing) => readonly string[]): Map<string, Thing[]> {
  const index = new Map<string, Thing[]>()
  for (const thing of things)
    for (const id of idsOf(thing)) {
      const existing = index.get(id)
      if (existing === undefined) index.set(id, [thing])
      else existing.push(thing)
    }
  return index
}

function getOrAdd<Key, Value>(cache: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = cache.get(key)
  if (value === undefined) cache.set(key, (value = make()))
  return value
}

/** Return a function that numbers things in the order of the first call with each. */
function numbers<Thing>(): (thing: Thing) => number {
  const numberByThing = new Map<Thing, number>()
  return (thing) => getOrAdd(numberByThing, thing, () => numberByThing.size)
}

/** Return a function that gives each list of ids a short name, equal for equal lists. */
function shortNames(): (ids: readonly string[]) => string {
  const nameByIds = new WeakMap<readonly string[], string>()
  const numberOf = numbers<string>()
  return (ids) => {
    let name = nameByIds.get(ids)
    if (name === undefined) nameByIds.set(ids, (name = ids.map(numberOf).join()))
    return name
  }
}

/** Return the hours of each strategy, computed once for doors that are alike. */
function hoursOf({ strategies, timeRules }: Rules, window: Span): Hours {
  const hoursByDoor = new Map<string, Span[]>()
  const equal = new Map<string, Span[]>()
  return (id, door) =>
    getOrAdd(hoursByDoor, `${id} ${doorKey(door)}`, () => {
      const hours = strategyHours(strategies.get(id)!, door, timeRules, window)
      return getOrAdd(equal, JSON.stringify(hours), () => hours)
    })
}

const doorOf = ({ classes: [first] }: DoorKind): StandingDoor => first!.doors[0]!

function compare(was: readonly Span[], will: readonly Span[]): Verdict {
  const [gained, lost] = [without(will, was), without(was, will)]
  if (gained.length + lost.length === 0) return { what: 'same', gained: 0, lost: 0 }
  const what = was.length === 0 ? 'gain' : will.length === 0 ? 'lose' : 'otherHours'
  return { what, gained: minutesOf(gained), lost: minutesOf(lost) }
}
