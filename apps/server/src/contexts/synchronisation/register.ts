/**
 * Who should be at which devices of one park, in memory: persons, a bitset of them for each strategy, and the audiences
 * that devices with the same strategies make. It is derived from the tables of the contexts and can be made anew any time.
 * Changes are told as the persons each audience must hear of.
 */
import { createHash } from 'node:crypto'
import { CREDENTIAL_KINDS, credentialsOf, type CredentialKind } from '@gatehouse/access-rules'
import { authorisedObject } from '@gatehouse/contract/enums'
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'
import {
  DIGEST_BUCKETS,
  bucketOf,
  type DeviceSettings,
  type StrategyObject,
  type TimeRuleObject,
} from '@gatehouse/contract/device/protocol'
import type { PersonFacts as RegisteredPerson } from '../people/index.ts'
import { Bits } from './bits.ts'
import { Sums, hexOf, mixed, wordOf, type Word } from './words.ts'

/** A person enters a device so long before the validity begins, and leaves when it is over. */
export const ENTERS_BEFORE_MS = 7 * 86_400_000

/** What the register keeps of a person. */
export type PersonFacts = Omit<RegisteredPerson, 'kind' | 'version' | 'active'>
/** How a person is compared: without templates, which come and go with models. */
export interface FaceFacts {
  faceIds: readonly string[]
  /** Raw score doors ask for where it is more than they ask of everybody; null: what they ask. */
  threshold: number | null
  /** It holds where it is less, too. */
  loosens?: boolean
  /** Persons this one has been taken for, ascending. */
  lookAlikes: readonly string[]
}
/** Somebody who may come in a person's place. */
export interface ContactFacts {
  id: string
  name: string
  faceId: string
  /** Equal for whoever is the same human; absent where nothing is known of that. */
  human?: string
}
export interface StrategyFacts extends StrategyObject {
  personIds: readonly string[]
  /** The park whose persons these are; absent: the park's own. */
  home?: string
  /** Groups named, and those below them. */
  groupIds: ReadonlySet<string>
  deviceIds: readonly string[]
  /** Groups named, and those below them. */
  deviceGroupIds: ReadonlySet<string>
}
export interface DeviceFacts {
  id: string
  code: string
  name: string
  direction: number
  groupId: string | null
  /** Of its face engine; empty or absent where it has not said. */
  modelId?: string
  /** What it is set to; null where nobody has set anything. */
  configuration?: TerminalSettings | null
  secretsRevision?: string
  /** How it asks the server before it opens; null or absent where it decides alone. */
  secondVerification?: DeviceSettings['secondVerification']
  /** Whether somebody who may say who passes has let persons go to it: until then it holds nobody. */
  released: boolean
}

interface HeldStrategy {
  facts: StrategyFacts
  word: Word
  persons: ReadonlySet<string>
  /** Doors at which it holds know contacts of the persons it covers. */
  takesContacts: boolean
  /** Kinds of credentials its methods ask for, as bits. */
  kinds: number
  bits: Bits
}

export interface Audience {
  readonly id: string
  readonly strategyIds: readonly string[]
  /** What belongs together in time: the newest change that was logged, and the persons' sum at it. */
  published: { head: number; compareSeq: number; digest: string; updatedAt: number }
}

interface HeldAudience extends Audience {
  strategies: HeldStrategy[]
  bits: Bits
  count: number
  /** Photographs a person has, with how many of its persons have so many; and those of contacts who pass there. */
  faces: Map<number, number>
  contactFaces: number
  sums: Sums
}

/** Persons each audience must hear of. */
export type Touched = Map<string, Set<string>>

/** The id of the audience of these strategies in a park: the same whoever works it out. */
export function audienceIdOf(parkId: string, strategyIds: readonly string[]): string {
  const hex = createHash('sha256').update(`${parkId}/${strategyIds.join()}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

/** What a device holds of a person, but the strategies, as 64 bits. */
const contentWordOf = (person: PersonFacts, { faceIds, threshold, loosens = false, lookAlikes }: FaceFacts): Word =>
  wordOf(
    JSON.stringify([
      person.id,
      person.name,
      person.workNumber ?? '',
      person.enabled,
      person.validFrom,
      person.validTo,
      faceIds,
      // Only who has them carries them: most persons do not.
      ...(threshold === null && lookAlikes.length === 0 ? [] : [threshold, lookAlikes]),
      ...(loosens ? [{ loosens }] : []),
      ...(person.credentialsMark === undefined ? [] : [{ credentials: person.credentialsMark }]),
    ]),
  )

/** What a device that lets a person's contacts pass holds of them, as 64 bits; null where there are none. */
const contactsWordOf = (contacts: readonly ContactFacts[]): Word | null =>
  contacts.length === 0
    ? null
    : wordOf(JSON.stringify(contacts.map(({ id, name, faceId, human }) => [id, name, faceId, ...(human === undefined ? [] : [human])])))

/** By what devices know that a person is one of the contacts there, as 64 bits; null where nothing is known of that. */
const humanWordOf = ({ human }: Pick<PersonFacts, 'human'>): Word | null => (human === undefined ? null : wordOf(human))

export class ParkRegister {
  readonly parkId: string
  readonly #index = new Map<string, number>()
  readonly #ids: string[] = []
  readonly #groups: string[] = []
  readonly #words: Word[] = []
  /** Of contacts, apart: some audiences hold them and others do not. */
  readonly #contactWords: (Word | null)[] = []
  readonly #humanWords: (Word | null)[] = []
  /** Photographs of each person, and of each one's contacts. */
  readonly #faces: number[] = []
  readonly #contactFaces: number[] = []
  /** Who has credentials: only they are others to a device that holds fewer kinds of them. */
  readonly #credentialed = new Bits()
  readonly #validity: { from: number; to: number }[] = []
  /** Persons of each bucket, as indexes; those that are gone stay out of every bitset. */
  readonly #buckets: number[][] = Array.from({ length: DIGEST_BUCKETS }, () => [])
  readonly #eligible = new Bits()
  readonly #strategies = new Map<string, HeldStrategy>()
  readonly #audiences = new Map<string, HeldAudience>()
  #devices = new Map<string, DeviceFacts>()
  #audienceOf = new Map<string, HeldAudience>()
  #timeRules = new Map<string, TimeRuleObject>()
  /** Of persons of linked parks, the park that has them. Who is or was let pass stays: he may still have to leave a device. */
  readonly #homes = new Map<string, string>()
  readonly #linkedParks = new Set<string>()
  /** Another number whenever a strategy or a time rule is another. */
  objectsRevision = 0

  constructor(parkId: string) {
    this.parkId = parkId
  }

  /** Puts persons in, or brings them up to date; ids without facts are gone. */
  putPersons(
    ids: readonly string[],
    facts: ReadonlyMap<string, { person: PersonFacts; faces: FaceFacts; contacts: readonly ContactFacts[] }>,
    now: number,
    touched: Touched,
  ): void {
    const indexes = ids.flatMap((id) => {
      const known = this.#index.get(id)
      if (known !== undefined || !facts.has(id)) return known ?? []
      return this.#enter(id)
    })
    this.#change(indexes, touched, () => {
      for (const index of indexes) {
        const found = facts.get(this.#ids[index]!)
        if (found === undefined) this.#validity[index] = NEVER
        else {
          const { person, faces, contacts } = found
          this.#groups[index] = person.groupId
          this.#words[index] = contentWordOf(person, faces)
          this.#contactWords[index] = contactsWordOf(contacts)
          this.#humanWords[index] = humanWordOf(person)
          this.#faces[index] = faces.faceIds.length
          this.#contactFaces[index] = contacts.length
          this.#credentialed.set(index, hasCredentials(person))
          this.#validity[index] = { from: person.validFrom ?? -Infinity, to: person.validTo ?? Infinity }
        }
        this.#judge(index, now)
      }
    })
  }

  /** Persons who enter or leave because time has passed. */
  passTime(now: number, touched: Touched): void {
    const moved = [...this.#ids.keys()].filter((index) => this.#isInTime(index, now) !== this.#eligible.has(index))
    this.#change(moved, touched, () => {
      for (const index of moved) this.#judge(index, now)
    })
  }

  /** Puts strategies in or brings them up to date; ids without facts are gone. Devices are assigned by `assign`. */
  putStrategies(ids: readonly string[], facts: ReadonlyMap<string, StrategyFacts>, touched: Touched): void {
    if (ids.length > 0) this.objectsRevision++
    for (const id of ids) {
      const found = facts.get(id)
      const known = this.#strategies.get(id)
      if (found === undefined) {
        this.#strategies.delete(id)
        continue
      }
      const next: HeldStrategy = {
        facts: found,
        word: wordOf(id),
        persons: new Set(found.personIds),
        takesContacts: takesContacts(found),
        kinds: kindsOf(found.methods),
        bits: new Bits(this.#ids.length),
      }
      this.#ids.forEach((_, index) => {
        if (this.#isNamed(next, index)) next.bits.set(index, true)
      })
      if (known === undefined) {
        this.#strategies.set(id, next)
        continue
      }
      // Where contacts pass from now on, or no longer, everybody may be another one to a device: those covered have contacts, the others may be one.
      // Where other methods do, whoever has a card or a number is, even one whom another strategy covers there.
      const isSame = known.takesContacts === next.takesContacts && known.kinds === next.kinds
      const concerned = isSame ? known.bits.differences(next.bits) : [...this.#ids.keys()]
      this.#change(concerned, touched, () => Object.assign(known, next), known)
    }
  }

  /** Says of persons that they are another park's. */
  putHomes(homes: ReadonlyMap<string, string>): void {
    for (const [id, home] of homes) {
      this.#homes.set(id, home)
      this.#linkedParks.add(home)
    }
  }

  /** The park that has a person: this one, unless he is of a linked park. */
  homeOf(personId: string): string {
    return this.#homes.get(personId) ?? this.parkId
  }

  /** Linked parks whose persons are or were let pass here. */
  homes(): string[] {
    return [...this.#linkedParks]
  }

  /** Persons of a linked park who are or were let pass here. */
  personsFrom(home: string): string[] {
    return [...this.#homes].flatMap(([id, own]) => (own === home ? [id] : []))
  }

  putTimeRules(timeRules: Map<string, TimeRuleObject>): void {
    this.objectsRevision++
    this.#timeRules = timeRules
  }

  timeRule(id: string): TimeRuleObject | undefined {
    return this.#timeRules.get(id)
  }

  putDevices(devices: readonly DeviceFacts[]): void {
    this.#devices = new Map(devices.map((device) => [device.id, device]))
  }

  /** Gives every device its audience. Answers the devices that have another one than before. */
  assign(): string[] {
    const strategyIds = new Map<string, string[]>([...this.#devices.keys()].map((id) => [id, []]))
    for (const id of [...this.#strategies.keys()].toSorted()) for (const deviceId of this.devicesOf(id)) strategyIds.get(deviceId)!.push(id)
    const next = new Map<string, HeldAudience>()
    for (const [deviceId, ids] of strategyIds) next.set(deviceId, this.#audience(ids))
    const moved = [...next]
      .filter(([deviceId, audience]) => this.#audienceOf.get(deviceId)?.id !== audience.id)
      .map(([deviceId]) => deviceId)
    this.#audienceOf = next
    const used = new Set([...next.values()].map((audience) => audience.id))
    for (const id of this.#audiences.keys()) if (!used.has(id)) this.#audiences.delete(id)
    return moved
  }

  device(id: string): DeviceFacts | undefined {
    return this.#devices.get(id)
  }

  devices(): DeviceFacts[] {
    return [...this.#devices.values()]
  }

  audiences(): readonly Audience[] {
    return [...this.#audiences.values()]
  }

  audienceOf(deviceId: string): Audience | undefined {
    return this.#audienceOf.get(deviceId)
  }

  audience(id: string): Audience | undefined {
    return this.#audiences.get(id)
  }

  strategy(id: string): StrategyFacts | undefined {
    return this.#strategies.get(id)?.facts
  }

  strategyIds(): string[] {
    return [...this.#strategies.keys()]
  }

  /** Strategies about persons of a linked park. */
  strategiesAbout(home: string): string[] {
    return [...this.#strategies.values()].flatMap(({ facts }) => (facts.home === home ? [facts.id] : []))
  }

  personCount(audienceId: string): number {
    return this.#audiences.get(audienceId)?.count ?? 0
  }

  /**
   * Templates devices of an audience compare a face with.
   * @param joins whether so many photographs of a person are one template to the model of the device
   */
  templateCount(audienceId: string, joins: (photographs: number) => boolean): number {
    const audience = this.#audiences.get(audienceId)
    if (audience === undefined) return 0
    let templates = audience.contactFaces
    for (const [photographs, persons] of audience.faces) templates += persons * (joins(photographs) ? 1 : photographs)
    return templates
  }

  sumsOf(audienceId: string): Sums {
    return this.#audiences.get(audienceId)!.sums
  }

  /** Devices at which a strategy holds, but those that may not have persons yet. */
  devicesOf(strategyId: string): string[] {
    const { deviceIds = [], deviceGroupIds = new Set<string>() } = this.#strategies.get(strategyId)?.facts ?? {}
    const reached = new Set(deviceIds.filter((id) => this.#devices.get(id)?.released === true))
    if (deviceGroupIds.size > 0)
      for (const { id, groupId, released } of this.#devices.values())
        if (released && groupId !== null && deviceGroupIds.has(groupId)) reached.add(id)
    return [...reached]
  }

  personsOf(strategyId: string): string[] {
    return (this.#strategies.get(strategyId)?.bits.members() ?? []).map((index) => this.#ids[index]!)
  }

  /** Whether the person is, or was, of the park. */
  knows(personId: string): boolean {
    return this.#index.has(personId)
  }

  covers(strategyId: string, personId: string): boolean {
    const index = this.#index.get(personId)
    return index !== undefined && this.#strategies.get(strategyId)?.bits.has(index) === true
  }

  /** Whether any strategy covers the person. */
  isCovered(personId: string): boolean {
    const index = this.#index.get(personId)
    return index !== undefined && [...this.#strategies.values()].some(({ bits }) => bits.has(index))
  }

  personsOfAudience(audienceId: string): string[] {
    return (this.#audiences.get(audienceId)?.bits.members() ?? []).map((index) => this.#ids[index]!).toSorted()
  }

  holds(audienceId: string, personId: string): boolean {
    const index = this.#index.get(personId)
    return index !== undefined && this.#audiences.get(audienceId)?.bits.has(index) === true
  }

  /** Members of a range of buckets. */
  personsOfBuckets(audienceId: string, buckets: readonly number[]): string[] {
    const bits = this.#audiences.get(audienceId)?.bits
    if (bits === undefined) return []
    return buckets.flatMap((bucket) => (this.#buckets[bucket] ?? []).filter((index) => bits.has(index)).map((index) => this.#ids[index]!))
  }

  /** Version of a person within an audience, as it stands in the register. */
  versionOf(audienceId: string, personId: string): string {
    const audience = this.#audiences.get(audienceId)!
    return hexOf(this.#version(audience, this.#index.get(personId)!))
  }

  /** Version and strategies of a person whose content was just read. */
  entitlementOf(audienceId: string, personId: string, content: Content): { version: string; strategyIds: string[] } {
    const audience = this.#audiences.get(audienceId)!
    const index = this.#index.get(personId)!
    const strategyIds = audience.strategies.filter(({ bits }) => bits.has(index)).map(({ facts }) => facts.id)
    return { version: hexOf(versionOf(audience, index, content)), strategyIds }
  }

  /** What devices of the audience have to know of persons besides their faces, for the methods that hold there. */
  credentialsOf(audienceId: string): ReadonlySet<CredentialKind> {
    const kinds = kindsAt(this.#audiences.get(audienceId)?.strategies ?? [])
    return new Set(CREDENTIAL_KINDS.filter((_, place) => (kinds & (1 << place)) !== 0))
  }

  /** Whether a strategy of the audience that covers the person lets contacts pass. */
  knowsContacts(audienceId: string, personId: string): boolean {
    const [audience, index] = [this.#audiences.get(audienceId), this.#index.get(personId)]
    return audience !== undefined && index !== undefined && letsContactsPass(audience.strategies, index)
  }

  /** Whether devices of the audience have to know who of the persons is a contact, too: some strategy there lets contacts pass. */
  tellsHumans(audienceId: string): boolean {
    const audience = this.#audiences.get(audienceId)
    return audience !== undefined && letAnyContactsPass(audience.strategies)
  }

  /** Bytes of the bitsets and sums, and how many persons and audiences they stand for. */
  size(): { persons: number; strategies: number; audiences: number; bytes: number } {
    const bitsets = [...this.#strategies.values(), ...this.#audiences.values()].reduce((total, { bits }) => total + bits.byteLength, 0)
    return {
      persons: this.#index.size,
      strategies: this.#strategies.size,
      audiences: this.#audiences.size,
      bytes: bitsets + this.#audiences.size * DIGEST_BUCKETS * 8,
    }
  }

  #enter(id: string): number {
    const index = this.#ids.push(id) - 1
    this.#index.set(id, index)
    this.#buckets[bucketOf(id)]!.push(index)
    return index
  }

  #isInTime(index: number, now: number): boolean {
    const { from, to } = this.#validity[index]!
    return from <= now + ENTERS_BEFORE_MS && to >= now
  }

  /** Decides anew where a person belongs. */
  #judge(index: number, now: number): void {
    this.#eligible.set(index, this.#isInTime(index, now))
    for (const strategy of this.#strategies.values()) strategy.bits.set(index, this.#isNamed(strategy, index))
  }

  #isNamed({ persons, facts }: HeldStrategy, index: number): boolean {
    if (!this.#eligible.has(index)) return false
    return persons.has(this.#ids[index]!) || facts.groupIds.has(this.#groups[index]!)
  }

  #version(audience: HeldAudience, index: number): Word {
    return versionOf(audience, index, {
      person: this.#words[index]!,
      contacts: this.#contactWords[index] ?? null,
      human: this.#humanWords[index] ?? null,
      hasCredentials: this.#credentialed.has(index),
    })
  }

  /** What an audience holds of a person: who has another number of photographs has another version, too. */
  #state(audience: HeldAudience, index: number): PersonState {
    const contactFaces = letsContactsPass(audience.strategies, index) ? (this.#contactFaces[index] ?? 0) : 0
    return { version: this.#version(audience, index), faces: this.#faces[index] ?? 0, contactFaces }
  }

  /** Makes a change to these persons and brings all audiences, or those of a strategy, along. */
  #change(indexes: readonly number[], touched: Touched, make: () => void, strategy?: HeldStrategy): void {
    const audiences = [...this.#audiences.values()].filter((audience) => strategy === undefined || audience.strategies.includes(strategy))
    const before = audiences.map((audience) => indexes.map((index) => (audience.bits.has(index) ? this.#state(audience, index) : null)))
    make()
    audiences.forEach((audience, place) => {
      indexes.forEach((index, at) => {
        const old = before[place]![at]!
        const member = audience.strategies.some(({ bits }) => bits.has(index))
        const next = member ? this.#state(audience, index) : null
        if (old?.version.hi === next?.version.hi && old?.version.lo === next?.version.lo) return
        const id = this.#ids[index]!
        const bucket = bucketOf(id)
        if (old !== null) audience.sums.take(bucket, old.version)
        if (next !== null) audience.sums.add(bucket, next.version)
        if (old !== null) countFaces(audience, old, -1)
        if (next !== null) countFaces(audience, next, 1)
        audience.count += Number(member) - Number(old !== null)
        audience.bits.set(index, member)
        const persons = touched.get(audience.id)
        if (persons === undefined) touched.set(audience.id, new Set([id]))
        else persons.add(id)
      })
    })
  }

  #audience(strategyIds: readonly string[]): HeldAudience {
    const id = audienceIdOf(this.parkId, strategyIds)
    const known = this.#audiences.get(id)
    if (known !== undefined) return known
    const strategies = strategyIds.map((strategyId) => this.#strategies.get(strategyId)!)
    const bits = strategies.reduce((all, strategy) => all.or(strategy.bits), new Bits(this.#ids.length))
    const made: HeldAudience = {
      id,
      strategyIds,
      strategies,
      bits,
      count: bits.count(),
      faces: new Map(),
      contactFaces: 0,
      sums: new Sums(DIGEST_BUCKETS),
      published: { head: 0, compareSeq: 0, digest: '', updatedAt: 0 },
    }
    for (const index of bits.members()) {
      const state = this.#state(made, index)
      made.sums.add(bucketOf(this.#ids[index]!), state.version)
      countFaces(made, state, 1)
    }
    this.#audiences.set(id, made)
    return made
  }
}

/** A person as an audience holds him. */
interface PersonState {
  version: Word
  faces: number
  contactFaces: number
}

function countFaces(audience: Pick<HeldAudience, 'faces' | 'contactFaces'>, { faces, contactFaces }: PersonState, by: 1 | -1): void {
  audience.contactFaces += by * contactFaces
  if (faces > 0) audience.faces.set(faces, (audience.faces.get(faces) ?? 0) + by)
}

const takesContacts = ({ authorisedObject: whom }: StrategyFacts): boolean =>
  whom === authorisedObject.contact || whom === authorisedObject.both

const letAnyContactsPass = (strategies: readonly HeldStrategy[]): boolean => strategies.some((strategy) => strategy.takesContacts)

const letsContactsPass = (strategies: readonly HeldStrategy[], index: number): boolean =>
  strategies.some((strategy) => strategy.takesContacts && strategy.bits.has(index))

/**
 * Whether an audience is for a device whose release was looked up with its secret: the register hears a moment later that a
 * release was taken back, and until then still has it among the devices that know somebody.
 */
export const mayHear = ({ released }: { released: boolean }, { strategyIds }: Pick<Audience, 'strategyIds'>): boolean =>
  released || strategyIds.length === 0

/** What an audience can hold of a person. */
export interface Content {
  person: Word
  contacts: Word | null
  human: Word | null
  hasCredentials: boolean
}

/** All that is read of a person and whoever comes in his place. */
export const contentOf = (person: PersonFacts, faces: FaceFacts, contacts: readonly ContactFacts[]): Content => ({
  person: contentWordOf(person, faces),
  contacts: contactsWordOf(contacts),
  human: humanWordOf(person),
  hasCredentials: hasCredentials(person),
})

const hasCredentials = ({ credentialsMark }: PersonFacts): boolean => credentialsMark !== undefined

const kindsOf = (methods: readonly number[]): number => {
  const kinds = credentialsOf(methods)
  return CREDENTIAL_KINDS.reduce((bits, kind, place) => (kinds.has(kind) ? bits | (1 << place) : bits), 0)
}
const kindsAt = (strategies: readonly HeldStrategy[]): number => strategies.reduce((all, { kinds }) => all | kinds, 0)
/** Of each set of kinds, for the versions of whoever has credentials. */
const KIND_WORDS = Array.from({ length: 1 << CREDENTIAL_KINDS.length }, (_, kinds) => wordOf(`credentials ${kinds}`))

/** What an audience holds of a person, contacts among it only where one of them can pass, who is one only where anybody's can, and of credentials the kinds that count there. */
function versionOf({ strategies }: HeldAudience, index: number, { person, contacts, human, hasCredentials: has }: Content): Word {
  const held = contacts !== null && letsContactsPass(strategies, index) ? mixed(person, contacts) : person
  const told = human !== null && letAnyContactsPass(strategies) ? mixed(held, human) : held
  return mixed(has ? mixed(told, KIND_WORDS[kindsAt(strategies)]!) : told, combined(strategies, index))
}

/** Of a person who was deleted: the index stays, and is in no bitset. */
const NEVER = { from: Infinity, to: -Infinity }

/** The strategies of an audience that cover a person, as one word; their order does not matter. */
function combined(strategies: readonly HeldStrategy[], index: number): Word {
  let hi = 0
  let lo = 0
  for (const { bits, word } of strategies) {
    if (!bits.has(index)) continue
    hi ^= word.hi
    lo ^= word.lo
  }
  return { hi: hi >>> 0, lo: lo >>> 0 }
}
