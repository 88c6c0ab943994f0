/**
 * Persons as devices store them, each version once for all devices of a process. Equal versions have equal content, so a device only notes
 * which version of which person it stores. Templates are measured and discarded.
 */
import type { AccessPerson } from '@gatehouse/access-rules'
import type { TakenPerson } from '@gatehouse/terminal/device/store'

export interface StoredPerson extends AccessPerson {
  version: string
  name: string
  workNumber: string
  strategyIds: readonly string[]
  /** Templates of the person and of contacts. */
  templates: number
  /** Bytes of all templates, as the device would store them. */
  templateBytes: number
}

/** Return the bytes of a template that came as base64. */
const bytesOf = (template: string): number => Buffer.byteLength(template, 'base64')

export class Catalogue {
  readonly #persons = new Map<string, number>()
  readonly #numbers = new Map<string, number>()
  readonly #entries: StoredPerson[] = []
  /** Lists of ids that many persons have in common, each stored once. */
  readonly #lists = new Map<string, readonly string[]>()

  /** Return the number of a person, assigned at the first request. */
  numberOf(personId: string): number {
    const cached = this.#persons.get(personId)
    if (cached !== undefined) return cached
    this.#persons.set(personId, this.#persons.size)
    return this.#persons.size - 1
  }

  /** Return the number of a person in this version. */
  enter({ faces, contacts = [], ...person }: TakenPerson): number {
    const key = `${person.id}/${person.version}`
    const cached = this.#numbers.get(key)
    if (cached !== undefined) return cached
    const { id, version, name, workNumber, enabled, validFrom, validTo, faceThreshold, faceThresholdLoosens = false, ...rest } = person
    const { lookAlikes, methods } = rest
    const templateBytes = faces.reduce((total, { template }) => total + bytesOf(template), 0)
    return this.#add(key, {
      id,
      version,
      name,
      workNumber,
      enabled,
      validFrom,
      validTo,
      strategyIds: this.#shared(person.strategyIds),
      faceThreshold,
      faceThresholdLoosens,
      lookAlikes: this.#shared(lookAlikes),
      ...(methods && { methods }),
      templates: faces.length + contacts.reduce((total, contact) => total + contact.faces.length, 0),
      templateBytes,
    })
  }

  /** The same for a person of whom only the version is stored. */
  enterUnrecognisable(id: string, version: string): number {
    const key = `${id}/${version}/unrecognisable`
    const blank = {
      id,
      version,
      name: '',
      workNumber: '',
      enabled: false,
      validFrom: null,
      validTo: null,
      strategyIds: this.#shared([]),
      templates: 0,
      templateBytes: 0,
    }
    return this.#numbers.get(key) ?? this.#add(key, blank)
  }

  entry(number: number): StoredPerson {
    return this.#entries[number]!
  }

  /** Return the number of persons, and of versions of them. */
  size(): { persons: number; versions: number } {
    return { persons: this.#persons.size, versions: this.#entries.length }
  }

  #add(key: string, person: StoredPerson): number {
    const number = this.#entries.push(person) - 1
    this.#numbers.set(key, number)
    return number
  }

  #shared(ids: readonly string[]): readonly string[] {
    const key = ids.join()
    const cached = this.#lists.get(key)
    if (cached === undefined) this.#lists.set(key, ids)
    return cached ?? ids
  }
}
