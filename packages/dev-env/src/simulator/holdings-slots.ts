/** Versions of the persons that a simulated device stores: a number per person in one array. */
import type { Catalogue, StoredPerson } from './catalogue.ts'

export interface Slots {
  /** Return the number of the stored version of a person plus one; 0 where none is stored. */
  slotOf(personId: string): number
  put(personId: string, slot: number): void
  everybody(): Generator<StoredPerson>
  /** Return the first suitable person from a place on. @param place 0 to below 1 */
  firstFrom(place: number, suits: (person: StoredPerson) => boolean): StoredPerson | undefined
  /** Return the number of persons. */
  count(): number
  /** Return the number of their templates. */
  templates(): number
}

const FIRST_LENGTH = 64

export function createSlots(catalogue: Catalogue): Slots {
  /** By number of the person: the number of the stored version plus one, 0 where none is stored. */
  let stored = new Int32Array(FIRST_LENGTH)
  let count = 0
  let templates = 0

  const templatesAt = (slot: number): number => (slot === 0 ? 0 : catalogue.entry(slot - 1).templates)

  return {
    slotOf: (personId) => stored[catalogue.numberOf(personId)] ?? 0,
    put(personId, slot) {
      const number = catalogue.numberOf(personId)
      if (number >= stored.length) {
        const longer = new Int32Array(Math.max(number + 1, stored.length * 2))
        longer.set(stored)
        stored = longer
      }
      count += Number(slot !== 0) - Number(stored[number] !== 0)
      templates += templatesAt(slot) - templatesAt(stored[number]!)
      stored[number] = slot
    },
    *everybody() {
      for (const slot of stored) if (slot !== 0) yield catalogue.entry(slot - 1)
    },
    firstFrom(place, suits) {
      const from = Math.floor(place * stored.length)
      for (let step = 0; step < stored.length; step++) {
        const slot = stored[(from + step) % stored.length]!
        if (slot === 0) continue
        const person = catalogue.entry(slot - 1)
        if (suits(person)) return person
      }
    },
    count: () => count,
    templates: () => templates,
  }
}
