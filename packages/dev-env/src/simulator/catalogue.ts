/**
 * Persons as devices hold them, each version once for all devices of a process: equal versions mean equal content, so a
 * device need only note which version of whom it holds. Templates are weighed and thrown away.
 */
import type { AccessPerson } from '@gatehouse/access-rules'
import type { TakenPerson } from '@gatehouse/terminal/device/store'

export interface HeldPerson extends AccessPerson {
  version: string
  name: string
  workNumber: string
  strategyIds: readonly string[]
  /** Templates of the person and of contacts. */
  templates: number
  /** Of all templates, as the device would keep them. */
  templateBytes: number
}

/** Bytes of a template that came as base64. */
const bytesOf = (template: string): number => Buffer.byteLength(template, 'base64')

export class Catalogue {
  readonly #persons = new Map<string, number>()
  readonly #numbers = new Map<string, number>()
  readonly #entries: HeldPerson[] = []
  /** Lists of ids that many persons have alike, each once. */
  readonly #lists = new Map<string, readonly string[]>()

  /** The number of a person, given at the first question. */
  numberOf(personId: string): number {
    const known = this.#persons.get(personId)
    if (known !== undefined) return known
    this.#persons.set(personId, this.#persons.size)
    return this.#persons.size - 1
  }

  /** The number of a person in this version. */
  enter({ faces, contacts = [], ...person }: TakenPerson): number {
    const key = `${person.id}/${person.version}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const { id, version, name, workNumber, enabled, validFrom, validTo, faceThreshold, faceThresholdLoosens = false, lookAlikes } = person
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
      templates: faces.length + contacts.reduce((total, contact) => total + contact.faces.length, 0),
      templateBytes,
    })
  }

  /** The same for somebody of whom nothing is kept but the version. */
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

  entry(number: number): HeldPerson {
    return this.#entries[number]!
  }

  /** Persons, and versions of them. */
  size(): { persons: number; versions: number } {
    return { persons: this.#persons.size, versions: this.#entries.length }
  }

  #add(key: string, person: HeldPerson): number {
    const number = this.#entries.push(person) - 1
    this.#numbers.set(key, number)
    return number
  }

  #shared(ids: readonly string[]): readonly string[] {
    const key = ids.join()
    const known = this.#lists.get(key)
    if (known === undefined) this.#lists.set(key, ids)
    return known ?? ids
  }
}
