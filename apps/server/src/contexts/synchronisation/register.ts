/**
 * Which persons should be at which devices of one park, in memory: persons, a bitset of them for each strategy, and the audiences that
 * devices with the same strategies form. The register is derived from the tables of the contexts and can be built again at any time. A
 * change adds to `touched` the persons whose change is to be logged, by audience.
 */
import { CREDENTIAL_KINDS, type CredentialKind } from '@gatehouse/access-rules'
import { DIGEST_BUCKETS, bucketOf } from '@gatehouse/contract/device/protocol'
import type { TimeRuleObject } from '@gatehouse/contract/device/protocol-manifest'
import { audienceIdOf, countFaces, type Audience, type PersonState, type RegisterAudience, type Touched } from './audience.ts'
import { Bits } from './bits.ts'
import type { ContactFacts, DeviceFacts, FaceFacts, PersonFacts, StrategyFacts } from './register-facts.ts'
import { createRegisterPersons } from './register-persons.ts'
import {
  kindsAt,
  kindsOf,
  letAnyContactsPass,
  letsContactsPass,
  takesContacts,
  versionOf,
  type Content,
  type RegisterStrategy,
} from './register-versions.ts'
import { Sums, hexOf, wordOf, type Word } from './words.ts'

export class ParkRegister {
  readonly parkId: string
  readonly #persons = createRegisterPersons()
  readonly #eligible = new Bits()
  readonly #strategies = new Map<string, RegisterStrategy>()
  readonly #audiences = new Map<string, RegisterAudience>()
  #devices = new Map<string, DeviceFacts>()
  #audienceOf = new Map<string, RegisterAudience>()
  #timeRules = new Map<string, TimeRuleObject>()
  /** Home parks of persons of linked parks. A person who was let pass once stays: they may still have to leave a device. */
  readonly #homes = new Map<string, string>()
  readonly #linkedParks = new Set<string>()
  /** Grows with each change of a strategy or a time rule. */
  objectsRevision = 0

  constructor(parkId: string) {
    this.parkId = parkId
  }

  /** Add persons or update them; ids without facts were deleted. */
  putPersons(
    ids: readonly string[],
    facts: ReadonlyMap<string, { person: PersonFacts; faces: FaceFacts; contacts: readonly ContactFacts[] }>,
    now: number,
    touched: Touched,
  ): void {
    const indexes = ids.flatMap((id) => {
      const index = this.#persons.indexOf(id)
      if (index !== undefined || !facts.has(id)) return index ?? []
      return this.#persons.add(id)
    })
    this.#change(indexes, touched, () => {
      for (const index of indexes) {
        const found = facts.get(this.#persons.idAt(index))
        if (found === undefined) this.#persons.remove(index)
        else this.#persons.put(index, found.person, found.faces, found.contacts)
        this.#judge(index, now)
      }
    })
  }

  /** Let persons enter or leave because time has passed. */
  passTime(now: number, touched: Touched): void {
    const moved = this.#indexes().filter((index) => this.#persons.isInTime(index, now) !== this.#eligible.has(index))
    this.#change(moved, touched, () => {
      for (const index of moved) this.#judge(index, now)
    })
  }

  /** Add strategies or update them; ids without facts were deleted. Devices are assigned by `assign`. */
  putStrategies(ids: readonly string[], facts: ReadonlyMap<string, StrategyFacts>, touched: Touched): void {
    if (ids.length > 0) this.objectsRevision++
    for (const id of ids) {
      const found = facts.get(id)
      const before = this.#strategies.get(id)
      if (found === undefined) {
        this.#strategies.delete(id)
        continue
      }
      const next: RegisterStrategy = {
        facts: found,
        word: wordOf(id),
        persons: new Set(found.personIds),
        takesContacts: takesContacts(found),
        kinds: kindsOf(found.methods),
        bits: new Bits(this.#persons.count()),
      }
      for (let index = 0; index < this.#persons.count(); index++) if (this.#isNamed(next, index)) next.bits.set(index, true)
      if (before === undefined) {
        this.#strategies.set(id, next)
        continue
      }
      // If contacts start or stop passing, the version of every person may change: those covered have contacts, the others may be contacts.
      // If other methods are accepted, so may that of every person with credentials, even of those whom another strategy covers.
      const isSame = before.takesContacts === next.takesContacts && before.kinds === next.kinds
      const concerned = isSame ? before.bits.differences(next.bits) : this.#indexes()
      this.#change(concerned, touched, () => Object.assign(before, next), before)
    }
  }

  /** Record the home parks of persons of linked parks. */
  putHomes(homes: ReadonlyMap<string, string>): void {
    for (const [id, home] of homes) {
      this.#homes.set(id, home)
      this.#linkedParks.add(home)
    }
  }

  /** Return the home park of a person: this one, unless they are of a linked park. */
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

  /** Assign an audience to every device; return the devices whose audience changed. */
  assign(): string[] {
    const strategyIds = new Map<string, string[]>([...this.#devices.keys()].map((id) => [id, []]))
    for (const id of [...this.#strategies.keys()].toSorted()) for (const deviceId of this.devicesOf(id)) strategyIds.get(deviceId)!.push(id)
    const next = new Map<string, RegisterAudience>()
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
   * Return the number of templates with which devices of an audience compare a face.
   * @param joins returns whether this many photographs of a person form one template in the model of the device
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

  /** Return the devices at which a strategy holds, without those that are not released. */
  devicesOf(strategyId: string): string[] {
    const { deviceIds = [], deviceGroupIds = new Set<string>() } = this.#strategies.get(strategyId)?.facts ?? {}
    const reached = new Set(deviceIds.filter((id) => this.#devices.get(id)?.released === true))
    if (deviceGroupIds.size > 0)
      for (const { id, groupId, released } of this.#devices.values())
        if (released && groupId !== null && deviceGroupIds.has(groupId)) reached.add(id)
    return [...reached]
  }

  personsOf(strategyId: string): string[] {
    return (this.#strategies.get(strategyId)?.bits.members() ?? []).map((index) => this.#persons.idAt(index))
  }

  /** Whether the person is, or was, of the park. */
  knows(personId: string): boolean {
    return this.#persons.indexOf(personId) !== undefined
  }

  covers(strategyId: string, personId: string): boolean {
    const index = this.#persons.indexOf(personId)
    return index !== undefined && this.#strategies.get(strategyId)?.bits.has(index) === true
  }

  /** Whether any strategy covers the person. */
  isCovered(personId: string): boolean {
    const index = this.#persons.indexOf(personId)
    return index !== undefined && [...this.#strategies.values()].some(({ bits }) => bits.has(index))
  }

  personsOfAudience(audienceId: string): string[] {
    return (this.#audiences.get(audienceId)?.bits.members() ?? []).map((index) => this.#persons.idAt(index)).toSorted()
  }

  holds(audienceId: string, personId: string): boolean {
    const index = this.#persons.indexOf(personId)
    return index !== undefined && this.#audiences.get(audienceId)?.bits.has(index) === true
  }

  /** Members of a range of buckets. */
  personsOfBuckets(audienceId: string, buckets: readonly number[]): string[] {
    const bits = this.#audiences.get(audienceId)?.bits
    if (bits === undefined) return []
    return buckets.flatMap((bucket) =>
      this.#persons
        .inBucket(bucket)
        .filter((index) => bits.has(index))
        .map((index) => this.#persons.idAt(index)),
    )
  }

  /** Version of a person within an audience, from the register. */
  versionOf(audienceId: string, personId: string): string {
    const audience = this.#audiences.get(audienceId)!
    return hexOf(this.#version(audience, this.#persons.indexOf(personId)!))
  }

  /** Version and strategies of a person whose content was just read. */
  entitlementOf(audienceId: string, personId: string, content: Content): { version: string; strategyIds: string[] } {
    const audience = this.#audiences.get(audienceId)!
    const index = this.#persons.indexOf(personId)!
    const strategyIds = audience.strategies.filter(({ bits }) => bits.has(index)).map(({ facts }) => facts.id)
    return { version: hexOf(versionOf(audience, index, content)), strategyIds }
  }

  /** Kinds of credentials that are sent to devices of the audience: those that its methods require. */
  credentialsOf(audienceId: string): ReadonlySet<CredentialKind> {
    const kinds = kindsAt(this.#audiences.get(audienceId)?.strategies ?? [])
    return new Set(CREDENTIAL_KINDS.filter((_, place) => (kinds & (1 << place)) !== 0))
  }

  /** Whether a strategy of the audience that covers the person lets contacts pass. */
  knowsContacts(audienceId: string, personId: string): boolean {
    const [audience, index] = [this.#audiences.get(audienceId), this.#persons.indexOf(personId)]
    return audience !== undefined && index !== undefined && letsContactsPass(audience.strategies, index)
  }

  /** Whether devices of the audience are sent which persons are contacts too: some strategy there lets contacts pass. */
  sendsHumans(audienceId: string): boolean {
    const audience = this.#audiences.get(audienceId)
    return audience !== undefined && letAnyContactsPass(audience.strategies)
  }

  /** Bytes of the bitsets and sums, and numbers of persons, strategies and audiences. */
  size(): { persons: number; strategies: number; audiences: number; bytes: number } {
    const bitsets = [...this.#strategies.values(), ...this.#audiences.values()].reduce((total, { bits }) => total + bits.byteLength, 0)
    return {
      persons: this.#persons.count(),
      strategies: this.#strategies.size,
      audiences: this.#audiences.size,
      bytes: bitsets + this.#audiences.size * DIGEST_BUCKETS * 8,
    }
  }

  #indexes(): number[] {
    return Array.from({ length: this.#persons.count() }, (_, index) => index)
  }

  #version(audience: RegisterAudience, index: number): Word {
    return versionOf(audience, index, this.#persons.contentAt(index))
  }

  /** Compute whether a person is within their validity, and the strategies that cover them. */
  #judge(index: number, now: number): void {
    this.#eligible.set(index, this.#persons.isInTime(index, now))
    for (const strategy of this.#strategies.values()) strategy.bits.set(index, this.#isNamed(strategy, index))
  }

  #isNamed({ persons, facts }: RegisterStrategy, index: number): boolean {
    if (!this.#eligible.has(index)) return false
    return persons.has(this.#persons.idAt(index)) || facts.groupIds.has(this.#persons.groupAt(index)!)
  }

  /** Return the state of a person within an audience. The version differs whenever a number of photographs does. */
  #state(audience: RegisterAudience, index: number): PersonState {
    const contactFaces = letsContactsPass(audience.strategies, index) ? this.#persons.contactFacesAt(index) : 0
    return { version: this.#version(audience, index), faces: this.#persons.facesAt(index), contactFaces }
  }

  /** Make a change to these persons and update all audiences, or those of a strategy. */
  #change(indexes: readonly number[], touched: Touched, make: () => void, strategy?: RegisterStrategy): void {
    const audiences = [...this.#audiences.values()].filter((audience) => strategy === undefined || audience.strategies.includes(strategy))
    const before = audiences.map((audience) => indexes.map((index) => (audience.bits.has(index) ? this.#state(audience, index) : null)))
    make()
    audiences.forEach((audience, place) => {
      indexes.forEach((index, at) => {
        const old = before[place]![at]!
        const isMember = audience.strategies.some(({ bits }) => bits.has(index))
        const next = isMember ? this.#state(audience, index) : null
        if (old?.version.hi === next?.version.hi && old?.version.lo === next?.version.lo) return
        const id = this.#persons.idAt(index)
        const bucket = bucketOf(id)
        if (old !== null) audience.sums.take(bucket, old.version)
        if (next !== null) audience.sums.add(bucket, next.version)
        if (old !== null) countFaces(audience, old, -1)
        if (next !== null) countFaces(audience, next, 1)
        audience.count += Number(isMember) - Number(old !== null)
        audience.bits.set(index, isMember)
        const persons = touched.get(audience.id)
        if (persons === undefined) touched.set(audience.id, new Set([id]))
        else persons.add(id)
      })
    })
  }

  #audience(strategyIds: readonly string[]): RegisterAudience {
    const id = audienceIdOf(this.parkId, strategyIds)
    const existing = this.#audiences.get(id)
    if (existing !== undefined) return existing
    const strategies = strategyIds.map((strategyId) => this.#strategies.get(strategyId)!)
    const bits = strategies.reduce((all, strategy) => all.or(strategy.bits), new Bits(this.#persons.count()))
    const created: RegisterAudience = {
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
      const state = this.#state(created, index)
      created.sums.add(bucketOf(this.#persons.idAt(index)), state.version)
      countFaces(created, state, 1)
    }
    this.#audiences.set(id, created)
    return created
  }
}
