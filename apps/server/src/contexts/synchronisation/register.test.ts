/** The register follows changes as if it were built again, and logs exactly the changes of each audience. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { Bits } from './bits.ts'
import type { Touched } from './audience.ts'
import { ParkRegister } from './register.ts'
import type { ContactFacts, DeviceFacts, FaceFacts, PersonFacts, StrategyFacts } from './register-facts.ts'
import { ENTERS_BEFORE_MS } from './register-persons.ts'
import { Sums, hexOf, mixed, wordOf } from './words.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 20)
const PARK = randomUUID()

/** A park as its tables would store it. */
interface Model {
  persons: Map<string, { person: PersonFacts; faces: FaceFacts; contacts: readonly ContactFacts[] }>
  strategies: Map<string, StrategyFacts>
  devices: DeviceFacts[]
  now: number
}

const GROUPS = ['group-a', 'group-b', 'group-c']
const DOORS = ['doors-a', 'doors-b']
const PERSONS = Array.from({ length: 12 }, (): string => randomUUID())
const STRATEGIES = Array.from({ length: 4 }, (): string => randomUUID())
const DEVICES = Array.from({ length: 5 }, (): string => randomUUID())

const person = fc.record({
  id: fc.constantFrom(...PERSONS),
  name: fc.constantFrom('Li', 'Wang'),
  enabled: fc.boolean(),
  groupId: fc.constantFrom(...GROUPS),
  from: fc.constantFrom(null, NOW - DAY, NOW + 3 * DAY, NOW + 20 * DAY),
  to: fc.constantFrom(null, NOW + 2 * DAY, NOW + 40 * DAY),
  faces: fc.subarray(['face-1', 'face-2', 'face-5']),
  threshold: fc.constantFrom(null, 80),
  lookAlikes: fc.subarray(['twin']),
  human: fc.constantFrom(undefined, 'wang fang', 'li lei'),
  card: fc.constantFrom(undefined, '175'),
  contacts: fc.subarray([
    { id: 'mother', name: 'Wang Fang', faceId: 'face-3', human: 'wang fang' },
    { id: 'father', name: 'Li Lei', faceId: 'face-4' },
  ]),
})
const strategy = fc.record({
  id: fc.constantFrom(...STRATEGIES),
  personIds: fc.subarray(PERSONS),
  groupIds: fc.subarray(GROUPS),
  deviceIds: fc.subarray(DEVICES),
  deviceGroupIds: fc.subarray(DOORS),
  authorisedObject: fc.constantFrom(undefined, 'contact' as const, 'both' as const),
  methods: fc.subarray([1, 4, 14]),
})
const step = fc.oneof(
  person.map((values) => ({ kind: 'person' as const, ...values })),
  fc.constantFrom(...PERSONS).map((id) => ({ kind: 'personGone' as const, id })),
  strategy.map((values) => ({ kind: 'strategy' as const, ...values })),
  fc.constantFrom(...STRATEGIES).map((id) => ({ kind: 'strategyGone' as const, id })),
  fc
    .record({ id: fc.constantFrom(...DEVICES), groupId: fc.constantFrom(null, ...DOORS), released: fc.boolean() })
    .map((values) => ({ kind: 'device' as const, ...values })),
  fc.constantFrom(...DEVICES).map((id) => ({ kind: 'deviceGone' as const, id })),
  fc.integer({ min: 1, max: 20 }).map((days) => ({ kind: 'time' as const, days })),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Return a person of a group, with a photo and nothing else. */
const plainPerson = (id: string): Extract<Step, { kind: 'person' }> => ({
  kind: 'person',
  id,
  name: 'Li',
  enabled: true,
  groupId: 'group-a',
  from: null,
  to: null,
  faces: ['face-1'],
  threshold: null,
  lookAlikes: [],
  human: undefined,
  card: undefined,
  contacts: [],
})

/** Return a strategy that lets the group of plain persons pass at a device by their faces. */
const plainStrategy = (id: string, deviceId: string): Extract<Step, { kind: 'strategy' }> => ({
  kind: 'strategy',
  id,
  personIds: [],
  groupIds: ['group-a'],
  deviceIds: [deviceId],
  deviceGroupIds: [],
  authorisedObject: undefined,
  methods: [1],
})

/** Make one change to the model and notify the register of it, as the events would. */
function take(model: Model, register: ParkRegister, change: Step): Touched {
  const touched: Touched = new Map()
  switch (change.kind) {
    case 'person': {
      const { id, name, enabled, groupId, from, to, faces, threshold, lookAlikes, human, card, contacts } = change
      model.persons.set(id, {
        person: {
          id,
          name,
          workNumber: null,
          enabled,
          groupId,
          validFrom: from,
          validTo: to,
          ...(human !== undefined && { human }),
          ...(card !== undefined && { credentialsMark: card }),
        },
        faces: { faceIds: faces, threshold, lookAlikes },
        contacts,
      })
      register.putPersons([id], model.persons, model.now, touched)
      break
    }
    case 'personGone':
      model.persons.delete(change.id)
      register.putPersons([change.id], model.persons, model.now, touched)
      break
    case 'strategy': {
      const { id, personIds, groupIds, deviceIds, deviceGroupIds, authorisedObject, methods } = change
      model.strategies.set(id, {
        id,
        timeRuleIds: [],
        methods,
        validFrom: null,
        validTo: null,
        ...(authorisedObject !== undefined && { authorisedObject }),
        personIds,
        groupIds: new Set(groupIds),
        deviceIds,
        deviceGroupIds: new Set(deviceGroupIds),
      })
      register.putStrategies([id], model.strategies, touched)
      register.assign()
      break
    }
    case 'strategyGone':
      model.strategies.delete(change.id)
      register.putStrategies([change.id], model.strategies, touched)
      register.assign()
      break
    case 'device':
      model.devices = [
        ...model.devices.filter(({ id }) => id !== change.id),
        { id: change.id, code: change.id, name: 'Door', direction: 1, groupId: change.groupId, released: change.released },
      ]
      register.putDevices(model.devices)
      register.assign()
      break
    case 'deviceGone':
      model.devices = model.devices.filter(({ id }) => id !== change.id)
      register.putDevices(model.devices)
      register.assign()
      break
    case 'time':
      model.now += change.days * DAY
      register.passTime(model.now, touched)
  }
  return touched
}

function rebuilt(model: Model): ParkRegister {
  const register = new ParkRegister(PARK)
  register.putPersons([...model.persons.keys()], model.persons, model.now, new Map())
  register.putStrategies([...model.strategies.keys()], model.strategies, new Map())
  register.putDevices(model.devices)
  register.assign()
  return register
}

const holdingsOf = (register: ParkRegister, audienceId: string) =>
  new Map(register.personsOfAudience(audienceId).map((id) => [id, register.versionOf(audienceId, id)]))

/** Return the strategies that apply at a device, computed directly from the definition. */
const strategiesAt = (model: Model, device: DeviceFacts): StrategyFacts[] =>
  [...model.strategies.values()].filter(
    ({ deviceIds, deviceGroupIds }) => deviceIds.includes(device.id) || (device.groupId !== null && deviceGroupIds.has(device.groupId)),
  )

const covers = ({ personIds, groupIds }: StrategyFacts, { id, groupId }: PersonFacts): boolean =>
  personIds.includes(id) || groupIds.has(groupId)

/** Models that compare each photo by itself, and those that compare with the mean of several. */
const JOINING = [() => false, (photographs: number) => photographs > 1]

/**
 * Return the number of templates a face should be compared with at a device: the photos of the persons there, and of contacts who pass in
 * their place.
 */
function shouldCompare(model: Model, device: DeviceFacts, joins: (photographs: number) => boolean): number {
  const letting = strategiesAt(model, device).filter(({ authorisedObject }) => authorisedObject !== undefined)
  return shouldHold(model, device)
    .map((id) => model.persons.get(id)!)
    .reduce((sum, { person: member, faces: { faceIds }, contacts }) => {
      const own = joins(faceIds.length) ? 1 : faceIds.length
      return sum + own + (letting.some((one) => covers(one, member)) ? contacts.length : 0)
    }, 0)
}

/** Return the persons who should be stored on a device, computed directly from the definition. */
function shouldHold(model: Model, device: DeviceFacts): string[] {
  if (!device.released) return []
  const covering = strategiesAt(model, device)
  return [...model.persons.values()]
    .filter(({ person: { validFrom, validTo } }) => (validFrom ?? 0) <= model.now + ENTERS_BEFORE_MS && (validTo ?? Infinity) >= model.now)
    .filter(({ person: found }) => covering.some((one) => covers(one, found)))
    .map(({ person: { id } }) => id)
    .toSorted()
}

describe('the register of a park', () => {
  test('is after any changes what it would be made anew, and what it tells is enough to follow', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const model: Model = { persons: new Map(), strategies: new Map(), devices: [], now: NOW }
        const register = new ParkRegister(PARK)
        /** What a device of each audience would store that reads only the persons that were touched. */
        const followers = new Map<string, Map<string, string>>()
        for (const change of steps) {
          const touched = take(model, register, change)
          for (const { id } of register.audiences()) {
            const follower = followers.get(id)
            if (follower === undefined) {
              followers.set(id, holdingsOf(register, id))
              continue
            }
            for (const personId of touched.get(id) ?? []) {
              if (register.holds(id, personId)) follower.set(personId, register.versionOf(id, personId))
              else follower.delete(personId)
            }
            expect(new Map([...follower].toSorted())).toEqual(holdingsOf(register, id))
          }
          for (const id of followers.keys()) if (register.audience(id) === undefined) followers.delete(id)
        }
        const fresh = rebuilt(model)
        for (const device of model.devices) {
          const audience = register.audienceOf(device.id)!
          expect(audience.id).toBe(fresh.audienceOf(device.id)!.id)
          expect(holdingsOf(register, audience.id)).toEqual(holdingsOf(fresh, audience.id))
          expect(register.sumsOf(audience.id).words()).toEqual(fresh.sumsOf(audience.id).words())
          expect(register.personCount(audience.id)).toBe(fresh.personCount(audience.id))
          expect(register.personsOfAudience(audience.id)).toEqual(shouldHold(model, device))
          for (const joins of JOINING) {
            expect(register.templateCount(audience.id, joins)).toBe(fresh.templateCount(audience.id, joins))
            expect(register.templateCount(audience.id, joins)).toBe(shouldCompare(model, device, joins))
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('gives devices with the same strategies one audience, whatever their groups', () => {
    const model: Model = { persons: new Map(), strategies: new Map(), devices: [], now: NOW }
    const register = new ParkRegister(PARK)
    const [direct, grouped, none] = DEVICES as [string, string, string]
    for (const [id, groupId] of [
      [direct, null],
      [grouped, 'doors-a'],
      [none, null],
    ] as const)
      take(model, register, { kind: 'device', id, groupId, released: true })
    take(model, register, {
      kind: 'strategy',
      id: STRATEGIES[0]!,
      personIds: [],
      groupIds: [],
      deviceIds: [direct],
      deviceGroupIds: ['doors-a'],
      authorisedObject: undefined,
      methods: [1],
    })
    expect(register.audienceOf(direct)!.id).toBe(register.audienceOf(grouped)!.id)
    expect(register.audienceOf(none)!.id).not.toBe(register.audienceOf(direct)!.id)
  })
})

describe('credentials', () => {
  const [ann, bob] = PERSONS as [string, string]
  const [own, beside] = STRATEGIES as [string, string]
  const [door, gate] = DEVICES as [string, string]

  /** Create two persons, of whom one has a card, at a door and a gate. */
  function site() {
    const model: Model = { persons: new Map(), strategies: new Map(), devices: [], now: NOW }
    const register = new ParkRegister(PARK)
    const enter = (id: string, card: '175' | undefined) => take(model, register, { ...plainPerson(id), card })
    enter(ann, '175')
    enter(bob, undefined)
    const at = (id: string, deviceId: string, methods: number[]) => take(model, register, { ...plainStrategy(id, deviceId), methods })
    for (const id of [door, gate]) take(model, register, { kind: 'device', id, groupId: null, released: true })
    const kindsAt = (deviceId: string) => [...register.credentialsOf(register.audienceOf(deviceId)!.id)].toSorted()
    return { model, register, at, kindsAt }
  }

  test('are known where a method asks for them; another method is another version of whoever has any, and of nobody else', () => {
    const { at, kindsAt } = site()
    at(own, door, [1])
    at(beside, gate, [1, 4])
    expect([kindsAt(door), kindsAt(gate)]).toEqual([[], ['cards']])
    expect([...at(own, door, [1, 4]).values()].map((ids) => [...ids])).toEqual([[ann]])
    expect([...at(own, door, [14]).values()].map((ids) => [...ids])).toEqual([[ann]])
    expect(kindsAt(door)).toEqual(['cardPassword', 'cards', 'personalPassword'])
    expect(at(own, door, [4, 14]).size).toBe(0)
  })

  test('and nobody at all where the device has not been released, nor any longer where that was taken back', () => {
    const { model, register, at } = site()
    at(own, door, [1])
    const personsAtDoor = () => register.personsOfAudience(register.audienceOf(door)!.id)
    expect(personsAtDoor()).toEqual([ann, bob].toSorted())
    take(model, register, { kind: 'device', id: door, groupId: null, released: false })
    expect([personsAtDoor(), register.devicesOf(own)]).toEqual([[], []])
    take(model, register, { kind: 'device', id: door, groupId: null, released: true })
    expect([personsAtDoor(), register.devicesOf(own)]).toEqual([[ann, bob].toSorted(), [door]])
  })
})

describe('contacts of a person', () => {
  const [ann, other] = PERSONS as [string, string]
  const [own, inPlace] = STRATEGIES as [string, string]
  const [door, gate] = DEVICES as [string, string]
  const mother: ContactFacts = { id: 'mother', name: 'Wang Fang', faceId: 'face-3' }

  /** Create a door where persons pass, and a gate with a strategy of its own; both cover two persons, of whom one has contacts. */
  function site() {
    const model: Model = { persons: new Map(), strategies: new Map(), devices: [], now: NOW }
    const register = new ParkRegister(PARK)
    const enter = (id: string, contacts: ContactFacts[], human?: 'wang fang' | 'li lei') =>
      take(model, register, { ...plainPerson(id), human, contacts })
    const at = (id: string, deviceId: string, authorisedObject: 'contact' | 'both' | undefined) =>
      take(model, register, { ...plainStrategy(id, deviceId), authorisedObject })
    for (const id of [door, gate]) take(model, register, { kind: 'device', id, groupId: null, released: true })
    enter(ann, [mother])
    enter(other, [])
    at(own, door, undefined)
    at(inPlace, gate, undefined)
    const versionAt = (deviceId: string, id = ann) => register.versionOf(register.audienceOf(deviceId)!.id, id)
    const hearing = (touched: Touched) =>
      new Map(
        [...touched].map(([audience, ids]) => [
          register.devices().find(({ id }) => register.audienceOf(id)!.id === audience)!.id,
          [...ids],
        ]),
      )
    return { enter, at, versionAt, hearing }
  }

  test('come to the devices of a strategy that lets them pass, and to no others; who has none is not sent again', () => {
    const { enter, at, versionAt, hearing } = site()
    const before = [versionAt(door), versionAt(gate), versionAt(gate, other)]
    expect(enter(ann, [mother, { id: 'father', name: 'Li Lei', faceId: 'face-4' }]).size).toBe(0)
    expect(hearing(at(inPlace, gate, 'both'))).toEqual(new Map([[gate, [ann]]]))
    expect([versionAt(door), versionAt(gate, other)]).toEqual([before[0], before[2]])
    expect(versionAt(gate)).not.toBe(before[1])
    // What is stored of Ann is the same: the authorised object belongs to the strategy.
    expect(at(inPlace, gate, 'contact').size).toBe(0)
    expect(hearing(at(inPlace, gate, undefined))).toEqual(new Map([[gate, [ann]]]))
    expect([versionAt(door), versionAt(gate), versionAt(gate, other)]).toEqual(before)
  })

  test('another name, another photograph and one less are each another version there', () => {
    const { enter, at, versionAt, hearing } = site()
    at(inPlace, gate, 'contact')
    const versions = [versionAt(gate)]
    for (const contacts of [
      [{ ...mother, name: 'Wang Lan' }],
      [{ ...mother, faceId: 'face-9' }],
      [{ ...mother, human: 'wang fang' }],
      [],
    ]) {
      expect(hearing(enter(ann, contacts))).toEqual(new Map([[gate, [ann]]]))
      versions.push(versionAt(gate))
    }
    expect(new Set(versions).size).toBe(5)
  })

  test('who may be one of them is another version where contacts pass, be it those of others, and the same elsewhere', () => {
    const { enter, at, versionAt, hearing } = site()
    const before = [versionAt(door, other), versionAt(gate, other)]
    expect(enter(other, [], 'wang fang').size).toBe(0)
    expect(hearing(at(inPlace, gate, 'contact'))).toEqual(new Map([[gate, [ann, other]]]))
    expect(versionAt(door, other)).toBe(before[0])
    expect(hearing(enter(other, [], 'li lei'))).toEqual(new Map([[gate, [other]]]))
    expect(hearing(enter(other, []))).toEqual(new Map([[gate, [other]]]))
    expect(versionAt(gate, other)).toBe(before[1])
  })
})

describe('sums of 64 bits', () => {
  test('are those of whole numbers modulo 2^64', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })), { maxLength: 50 }), (operations) => {
        const sums = new Sums(1)
        let expected = 0n
        for (const [add, value] of operations) {
          const word = { hi: Number(value >> 32n), lo: Number(value & 0xffff_ffffn) }
          if (add) sums.add(0, word)
          else sums.take(0, word)
          expected = BigInt.asUintN(64, add ? expected + value : expected - value)
        }
        expect(sums.words()).toEqual([expected.toString(16).padStart(16, '0')])
        expect(sums.bytes().readBigUInt64BE(0)).toBe(expected)
      }),
    )
  })

  test('total over all buckets', () => {
    const sums = new Sums(2)
    sums.add(0, { hi: 0xffff_ffff, lo: 0xffff_ffff })
    sums.add(1, { hi: 0, lo: 2 })
    expect(sums.total()).toBe('0000000000000001')
  })

  test('are of words that differ when anything they are drawn from does', () => {
    const words = Array.from({ length: 2_000 }, (_, index) =>
      hexOf(mixed(wordOf(`person ${index % 200}`), wordOf(`strategies ${Math.floor(index / 200)}`))),
    )
    expect(new Set(words).size).toBe(2_000)
  })
})

describe('a set of bits', () => {
  test('behaves as a set of numbers', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 60 })
    fc.assert(
      fc.property(numbers, numbers, (ones, others) => {
        const [bits, more] = [new Bits(), new Bits(10)]
        for (const one of ones) bits.set(one, true)
        for (const other of others) more.set(other, true)
        const sorted = (values: Iterable<number>) => [...values].toSorted((one, other) => one - other)
        expect(bits.members()).toEqual(sorted(ones))
        expect(bits.count()).toBe(ones.length)
        expect(bits.or(more).members()).toEqual(sorted(new Set([...ones, ...others])))
        expect(bits.differences(more)).toEqual(
          sorted(new Set([...ones, ...others].filter((one) => ones.includes(one) !== others.includes(one)))),
        )
        for (const one of ones) bits.set(one, false)
        expect(bits.members()).toEqual([])
      }),
    )
  })
})
