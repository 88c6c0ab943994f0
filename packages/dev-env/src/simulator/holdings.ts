/** What a simulated device decides by: a number per person in one array, the content of which all devices share. */
import type { AccessStrategy, TimeRule } from '@gatehouse/access-rules'
import type { DeviceSettings, Manifest, PersonException } from '@gatehouse/contract/device/protocol'
import type { Holdings, HoldingsChange, PersonFailure, Position } from '@gatehouse/terminal/device/store'
import type { Catalogue, HeldPerson } from './catalogue.ts'
import type { Journal } from './journal.ts'

export interface SimulatedHoldings extends Holdings {
  /** A person held, also one who cannot be recognised. */
  person(id: string): HeldPerson | undefined
  strategiesOf(personId: string): AccessStrategy[]
  timeRules(): ReadonlyMap<string, TimeRule>
  /** Somebody held, whoever comes first from a place on. @param place 0 to below 1 */
  somebody(place: number): HeldPerson | undefined
  /** Templates held, of persons and of contacts. */
  templates(): number
  /** Bytes the templates held would take on a real device. */
  templateBytes(): number
  /** Persons that were delivered so far, again or for the first time. */
  deliveries(): number
  /** Changes what is held behind the device's back, as a broken disk would; it is durable. */
  tamper(change: { drop?: readonly string[]; hold?: readonly { id: string; version: string }[] }): void
}

export interface HoldingsOptions {
  catalogue: Catalogue
  journal: Journal
  /** Persons there is room for, without those that cannot be recognised. */
  capacity?: number
  /** Why the device cannot take a person in a version; null where it can. */
  refuses?: (personId: string, version: string) => PersonFailure | null
}

/** What changes as one. */
interface Standing {
  settings: DeviceSettings | null
  revision: string
  strategies: ReadonlyMap<string, AccessStrategy>
  timeRules: ReadonlyMap<string, TimeRule>
  position: Position | null
}

const FIRST_LENGTH = 64
const byId = <T extends { id: string }>(objects: readonly T[]) => new Map(objects.map((object) => [object.id, object]))

export function createHoldings({ catalogue, journal, capacity = Infinity, refuses = () => null }: HoldingsOptions): SimulatedHoldings {
  /** By number of the person: the number of the version held plus one, 0 for nobody. */
  let held = new Int32Array(FIRST_LENGTH)
  let count = 0
  let templates = 0
  let deliveries = 0
  let exceptions = new Map<string, PersonException>()
  let standing: Standing = { settings: null, revision: '', strategies: new Map(), timeRules: new Map(), position: null }

  const slotOf = (personId: string): number => held[catalogue.numberOf(personId)] ?? 0

  const templatesAt = (slot: number): number => (slot === 0 ? 0 : catalogue.entry(slot - 1).templates)

  function put(personId: string, slot: number): void {
    const number = catalogue.numberOf(personId)
    if (number >= held.length) {
      const longer = new Int32Array(Math.max(number + 1, held.length * 2))
      longer.set(held)
      held = longer
    }
    count += Number(slot !== 0) - Number(held[number] !== 0)
    templates += templatesAt(slot) - templatesAt(held[number]!)
    held[number] = slot
  }

  function* everybody(): Generator<HeldPerson> {
    for (const slot of held) if (slot !== 0) yield catalogue.entry(slot - 1)
  }

  const recognisable = (): number => count - exceptions.size

  /** What there is room for, and what the device itself can take; the rest are exceptions. */
  function sorted({ persons, exceptions: failed, gone }: HoldingsChange) {
    const leaving = [...gone, ...persons.map(({ id }) => id), ...failed.map(({ personId }) => personId)]
    let room = capacity - recognisable() + leaving.filter((id) => slotOf(id) !== 0 && !exceptions.has(id)).length
    const refused: PersonException[] = failed.map(({ personId, version, reason }) => ({ personId, version, reason }))
    const taken = persons.filter(({ id, version }) => {
      const reason = refuses(id, version) ?? (room > 0 ? null : 'noRoom')
      if (reason === null) room--
      else refused.push({ personId: id, version, reason })
      return reason === null
    })
    return { taken, refused, touched: [...new Set(leaving)] }
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
    // In memory, where others change nothing.
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
    somebody(place) {
      const from = Math.floor(place * held.length)
      for (let step = 0; step < held.length; step++) {
        const slot = held[(from + step) % held.length]!
        if (slot === 0) continue
        const person = catalogue.entry(slot - 1)
        if (!exceptions.has(person.id)) return person
      }
    },
    templates: () => templates,
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
      const { taken, refused, touched } = sorted(change)
      const before = { standing, exceptions, slots: touched.map((id): [string, number] => [id, slotOf(id)]) }
      function make(): void {
        const next = new Map(exceptions)
        for (const id of touched) {
          put(id, 0)
          next.delete(id)
        }
        for (const person of taken) put(person.id, catalogue.enter(person) + 1)
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
      deliveries += taken.length + refused.length
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
