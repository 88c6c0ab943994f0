/** What a simulated device decides by: persons, whose content all devices share, strategies and settings. */
import type { AccessStrategy, TimeRule } from '@gatehouse/access-rules'
import type { DeviceSettings, Manifest } from '@gatehouse/contract/device/protocol-manifest'
import type { PersonException } from '@gatehouse/contract/device/protocol-persons'
import type { Holdings, HoldingsChange, PersonFailure, Position } from '@gatehouse/terminal/device/store'
import type { Catalogue, StoredPerson } from './catalogue.ts'
import { createSlots } from './holdings-slots.ts'
import type { Journal } from './journal.ts'

export interface SimulatedHoldings extends Holdings {
  /** Return a stored person, also one who cannot be recognised. */
  person(id: string): StoredPerson | undefined
  strategiesOf(personId: string): AccessStrategy[]
  timeRules(): ReadonlyMap<string, TimeRule>
  /** Return a stored person who can be recognised, the first from a place on. @param place 0 to below 1 */
  somebody(place: number): StoredPerson | undefined
  /** Return the number of stored templates, of persons and of contacts. */
  templates(): number
  /** Return the bytes that the stored templates would take on a real device. */
  templateBytes(): number
  /** Return the number of persons delivered so far, repeated deliveries included. */
  deliveries(): number
  /** Change the stored persons without the device's knowledge, as a broken disk would. The change is durable. */
  tamper(change: { drop?: readonly string[]; hold?: readonly { id: string; version: string }[] }): void
}

export interface HoldingsOptions {
  catalogue: Catalogue
  journal: Journal
  /** Most persons the device has room for, not counting those that cannot be recognised. */
  capacity?: number
  /** Return why the device cannot accept a person in a version; null where it can. */
  refuses?: (personId: string, version: string) => PersonFailure | null
}

/** State that changes as a whole. */
interface Standing {
  settings: DeviceSettings | null
  revision: string
  strategies: ReadonlyMap<string, AccessStrategy>
  timeRules: ReadonlyMap<string, TimeRule>
  position: Position | null
}

const byId = <T extends { id: string }>(objects: readonly T[]) => new Map(objects.map((object) => [object.id, object]))

export function createHoldings({ catalogue, journal, capacity = Infinity, refuses = () => null }: HoldingsOptions): SimulatedHoldings {
  const slots = createSlots(catalogue)
  const { slotOf, put, everybody } = slots
  let deliveries = 0
  let exceptions = new Map<string, PersonException>()
  let standing: Standing = { settings: null, revision: '', strategies: new Map(), timeRules: new Map(), position: null }

  const recognisable = (): number => slots.count() - exceptions.size

  /** Split delivered persons into those that the device has room for and can accept, and exceptions. */
  function sorted({ persons, exceptions: failed, removed }: HoldingsChange) {
    const leaving = [...removed, ...persons.map(({ id }) => id), ...failed.map(({ personId }) => personId)]
    let room = capacity - recognisable() + leaving.filter((id) => slotOf(id) !== 0 && !exceptions.has(id)).length
    const refused: PersonException[] = failed.map(({ personId, version, reason }) => ({ personId, version, reason }))
    const accepted = persons.filter(({ id, version }) => {
      const reason = refuses(id, version) ?? (room > 0 ? null : 'noRoom')
      if (reason === null) room--
      else refused.push({ personId: id, version, reason })
      return reason === null
    })
    return { accepted, refused, touched: [...new Set(leaving)] }
  }

  return {
    settings: () => standing.settings,
    revision: () => standing.revision,
    position: () => standing.position,
    version: (personId) => {
      const slot = slotOf(personId)
      return slot === 0 ? undefined : catalogue.entry(slot - 1).version
    },
    *versions() {
      for (const { id, version } of everybody()) yield [id, version]
    },
    exceptions: () => exceptions,
    counts: () => ({ persons: recognisable(), failed: exceptions.size }),
    // In memory, where nobody else changes anything.
    tampering: () => null,
    verify: () => Promise.resolve(null),
    person(id) {
      const slot = slotOf(id)
      return slot === 0 ? undefined : catalogue.entry(slot - 1)
    },
    strategiesOf(personId) {
      const slot = slotOf(personId)
      return slot === 0 ? [] : catalogue.entry(slot - 1).strategyIds.flatMap((id) => standing.strategies.get(id) ?? [])
    },
    timeRules: () => standing.timeRules,
    somebody: (place) => slots.firstFrom(place, ({ id }) => !exceptions.has(id)),
    templates: () => slots.templates(),
    templateBytes() {
      let total = 0
      for (const { templateBytes } of everybody()) total += templateBytes
      return total
    },

    deliveries: () => deliveries,

    apply(manifest: Manifest) {
      const before = standing
      const { settings, revision } = manifest
      const next = { ...before, settings, revision, strategies: byId(manifest.strategies), timeRules: byId(manifest.timeRules) }
      journal.write(
        () => (standing = next),
        () => (standing = before),
        { flush: false },
      )
    },

    take(change) {
      const { accepted, refused, touched } = sorted(change)
      const before = { standing, exceptions, slots: touched.map((id): [string, number] => [id, slotOf(id)]) }
      function make(): void {
        const next = new Map(exceptions)
        for (const id of touched) {
          put(id, 0)
          next.delete(id)
        }
        for (const person of accepted) put(person.id, catalogue.enter(person) + 1)
        for (const exception of refused) {
          put(exception.personId, catalogue.enterUnrecognisable(exception.personId, exception.version) + 1)
          next.set(exception.personId, exception)
        }
        if (next.size > 0 || exceptions.size > 0) exceptions = next
        standing = { ...standing, position: change.position ?? standing.position }
      }
      function unmake(): void {
        for (const [id, slot] of before.slots) put(id, slot)
        ;({ standing, exceptions } = before)
      }
      journal.write(make, unmake, { flush: false })
      deliveries += accepted.length + refused.length
    },

    tamper({ drop = [], hold = [] }) {
      for (const id of drop) put(id, 0)
      for (const { id, version } of hold) {
        const blank = {
          id,
          version,
          name: '',
          workNumber: '',
          enabled: false,
          validFrom: null,
          validTo: null,
          strategyIds: [],
          faceThreshold: null,
          lookAlikes: [],
          faces: [],
        }
        put(id, catalogue.enter(blank) + 1)
      }
      journal.flush()
    },
  }
}
