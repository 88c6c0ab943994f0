/**
 * The people registered at this terminal itself. They are stored sealed in tables of their own, do not depend on a server and outlive every
 * synchronisation. They are read whole at the start, like the people the server sent.
 */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { GalleryMatch } from '@gatehouse/face-engine'
import type { Model } from '../store/holdings.ts'
import type { Vault } from '../store/vault.ts'
import { createLocalGallery } from './local-gallery.ts'
import { createLocalRows } from './local-rows.ts'
import type { LocalEntry, LocalFace } from './local-people-types.ts'

export interface LocalPerson extends LocalEntry {
  id: string
  /** Ids of the faces, in order. */
  faces: readonly string[]
  /** Number of faces that the running engine can compare. */
  recognisable: number
}

export interface LocalPeople {
  size(): number
  /** Return people sorted by name, then work number. @param search part of name, work number or card; empty: everybody */
  find(search: string): LocalPerson[]
  get(id: string): LocalPerson | undefined
  byWorkNumber(workNumber: string): LocalPerson | undefined
  byCard(card: string): LocalPerson | undefined
  byPassword(password: string): LocalPerson | undefined
  /** @throws when the person cannot be written; nothing has changed then */
  add(entry: LocalEntry, faces: readonly LocalFace[]): LocalPerson
  /**
   * @param faces the faces after the change: those kept by their id, new ones whole
   * @throws as `add`
   */
  change(id: string, entry: LocalEntry, faces: readonly (string | LocalFace)[]): LocalPerson
  /** @returns whether the person existed @throws as `add` */
  remove(id: string): boolean
  /** Remove everybody. @throws as `add` */
  clear(): void
  picture(faceId: string): Uint8Array | null
  /** Return the embedding of a face; null if the running engine has made none. */
  embedding(faceId: string): Float32Array | null
  /** Return the two nearest persons. */
  nearest(embedding: Float32Array): GalleryMatch[]
  /** Return the distance of the person's nearest face; null for a person without a comparable face. */
  distanceTo(personId: string, embedding: Float32Array): number | null
  /** Return the number of faces that can be recognised. */
  faces(): number
  /**
   * Make embeddings again for faces whose stored ones come from another engine, until all are made or the signal aborts.
   * @param embed returns null if the engine finds no face
   */
  renew(embed: (picture: Uint8Array) => Promise<Float32Array | null>, signal: AbortSignal): Promise<void>
}

/** A person in memory, with the ids of their faces in order. */
interface StoredPerson extends LocalEntry {
  id: string
  faces: string[]
}

/** Read the people of an opened store. Rows sealed under another key cannot be read; they are skipped and logged. */
export function openLocalPeople(database: DatabaseSync, vault: Vault, model: Model, log: (sentence: string) => void): LocalPeople {
  const rows = createLocalRows(database, vault, model)
  const gallery = createLocalGallery(model)
  const people = new Map<string, StoredPerson>()

  load()

  function load(): void {
    const { entries, unreadable } = rows.people()
    for (const { id, entry } of entries) people.set(id, { ...entry, id, faces: [] })
    let displaced = 0
    for (const { id, personId, embedding } of rows.faces((owner) => people.has(owner))) {
      people.get(personId)!.faces.push(id)
      if (embedding === 'displaced') displaced++
      else if (embedding) gallery.add(personId, id, embedding)
    }
    if (unreadable > 0) log(`${unreadable} people registered at this terminal cannot be read: its key is another.`)
    if (displaced > 0)
      log(`${displaced} faces of people registered at this terminal were changed in the store or given to others: they open no door.`)
  }

  const shown = (person: StoredPerson): LocalPerson => ({
    ...person,
    faces: [...person.faces],
    recognisable: person.faces.filter((id) => gallery.embedding(id) !== null).length,
  })

  function write(id: string, entry: LocalEntry, faces: readonly (string | LocalFace)[]): LocalPerson {
    const before = people.get(id)?.faces ?? []
    const after = faces.map((face) => (typeof face === 'string' ? { id: face, made: null } : { id: randomUUID(), made: face }))
    const removed = before.filter((face) => !after.some((remaining) => remaining.id === face))
    const { name, workNumber, card, password, validFrom, validTo } = entry
    const values = { name, workNumber, card, password, validFrom, validTo }
    const person: StoredPerson = { id, ...values, faces: after.map((face) => face.id) }
    rows.write(id, values, { removed, after })
    people.set(id, person)
    for (const face of removed) gallery.remove(id, face)
    for (const { id: faceId, made } of after) if (made?.embedding) gallery.add(id, faceId, made.embedding)
    return shown(person)
  }

  function firstOf(fits: (person: StoredPerson) => boolean): LocalPerson | undefined {
    for (const person of people.values()) if (fits(person)) return shown(person)
    return undefined
  }

  return {
    size: () => people.size,
    find(search) {
      const part = search.trim().toLowerCase()
      const found = [...people.values()].filter(({ name, workNumber, card }) =>
        [name, workNumber, card].some((text) => text.toLowerCase().includes(part)),
      )
      return found.toSorted((one, other) => one.name.localeCompare(other.name) || one.workNumber.localeCompare(other.workNumber)).map(shown)
    },
    get(id) {
      const person = people.get(id)
      return person && shown(person)
    },
    byWorkNumber: (workNumber) => firstOf((person) => person.workNumber === workNumber),
    byCard: (card) => (card === '' ? undefined : firstOf((person) => person.card === card)),
    byPassword: (password) => (password === '' ? undefined : firstOf((person) => person.password === password)),
    add: (entry, faces) => write(randomUUID(), entry, faces),
    change: (id, entry, faces) => write(id, entry, faces),
    remove(id) {
      const person = people.get(id)
      if (!person) return false
      rows.remove(id)
      people.delete(id)
      for (const face of person.faces) gallery.remove(id, face)
      return true
    },
    clear() {
      rows.clear()
      people.clear()
      gallery.clear()
    },
    picture: rows.picture,
    embedding: gallery.embedding,
    nearest: gallery.nearest,
    distanceTo: (personId, embedding) => gallery.distanceTo(people.get(personId)?.faces ?? [], embedding),
    faces: gallery.size,
    async renew(embed, signal) {
      for (const person of people.values()) {
        for (const face of person.faces.filter((id) => gallery.embedding(id) === null)) {
          const picture = rows.picture(face)
          if (signal.aborted) return
          const embedding = picture && (await embed(picture))
          if (signal.aborted || !embedding || !people.get(person.id)?.faces.includes(face)) continue
          rows.renewFace(person.id, face, embedding)
          gallery.add(person.id, face, embedding)
        }
      }
    },
  }
}
