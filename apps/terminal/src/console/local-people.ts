/**
 * The people registered at this terminal itself. They lie sealed in tables of their own, know no server and outlive every
 * synchronisation; who they are is read whole at the start, like everybody who is held.
 */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { bytesOfEmbedding, distanceToAll, FaceGallery, type GalleryMatch } from '@gatehouse/face-engine'
import { transaction } from '../store/database.ts'
import type { Model } from '../store/holdings.ts'
import { localFaceOf, localPersonOf } from '../store/local-seals.ts'
import { embeddingOf } from '../store/template.ts'
import type { Vault } from '../store/vault.ts'

/** What somebody at the console says of a person; no card or password is an empty text, a card its number in decimal digits. Bounds as everywhere: inclusive, null unbounded. */
export interface LocalEntry {
  name: string
  workNumber: string
  card: string
  password: string
  validFrom: number | null
  validTo: number | null
}

export interface LocalPerson extends LocalEntry {
  id: string
  /** Ids of the faces, in their order. */
  faces: readonly string[]
  /** Faces that are found again by the engine that runs. */
  recognisable: number
}

/** A face as it is kept: small, upright, and what the engine made of it. */
export interface LocalFace {
  /** A JPEG of the face and what surrounds it. */
  picture: Uint8Array
  /** Null where the engine that runs could make none. */
  embedding: Float32Array | null
}

export interface LocalPeople {
  size(): number
  /** By name, then work number. @param search part of name, work number or card; empty: everybody */
  find(search: string): LocalPerson[]
  get(id: string): LocalPerson | undefined
  byWorkNumber(workNumber: string): LocalPerson | undefined
  byCard(card: string): LocalPerson | undefined
  byPassword(password: string): LocalPerson | undefined
  /** @throws when it cannot be written; nothing has changed then */
  add(entry: LocalEntry, faces: readonly LocalFace[]): LocalPerson
  /**
   * @param faces what is to be there afterwards: those kept by their id, new ones whole
   * @throws as `add`
   */
  change(id: string, entry: LocalEntry, faces: readonly (string | LocalFace)[]): LocalPerson
  /** @returns whether there was such a person @throws as `add` */
  remove(id: string): boolean
  /** Removes everybody. @throws as `add` */
  clear(): void
  picture(faceId: string): Uint8Array | null
  /** The embedding of a face; null where the engine that runs has made none. */
  embedding(faceId: string): Float32Array | null
  /** The two persons who come nearest. */
  nearest(embedding: Float32Array): GalleryMatch[]
  /** How far the nearest face of one person is; null for somebody without. */
  distanceTo(personId: string, embedding: Float32Array): number | null
  /** Faces that can be recognised. */
  faces(): number
  /**
   * Makes embeddings anew where another engine made those on the disk, until it is done or broken off.
   * @param embed null where the engine finds no face
   */
  renew(embed: (picture: Uint8Array) => Promise<Float32Array | null>, signal: AbortSignal): Promise<void>
}

const SEGMENT = 'local'
/** The best, and whom he has to lead. */
const NEAREST = 2

interface PersonRow {
  id: string
  body: Uint8Array
}

interface FaceRow {
  id: string
  person_id: string
  model_id: string | null
  template: Uint8Array | null
}

interface Kept extends LocalEntry {
  id: string
  faces: string[]
}

/** Reads the people of an opened store. What another key sealed cannot be read by anybody: it is passed over, and said. */
export function openLocalPeople(database: DatabaseSync, vault: Vault, model: Model, log: (sentence: string) => void): LocalPeople {
  const gallery = new FaceGallery(model)
  const people = new Map<string, Kept>()
  const embeddings = new Map<string, Float32Array>()

  const putPerson = database.prepare(
    'INSERT INTO local_person (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
  )
  const putFace = database.prepare('INSERT INTO local_face (id, person_id, place, picture, model_id, template) VALUES (?, ?, ?, ?, ?, ?)')
  const placeFace = database.prepare('UPDATE local_face SET place = ? WHERE id = ?')
  const renewFace = database.prepare('UPDATE local_face SET model_id = ?, template = ? WHERE id = ?')
  const dropFace = database.prepare('DELETE FROM local_face WHERE id = ?')
  const dropPerson = database.prepare('DELETE FROM local_person WHERE id = ?')
  const readPicture = database.prepare('SELECT person_id AS personId, picture FROM local_face WHERE id = ?')

  load()

  function load(): void {
    let lost = 0
    let displaced = 0
    for (const { id, body } of database.prepare('SELECT id, body FROM local_person').all() as unknown as PersonRow[]) {
      const entry = opened(body, localPersonOf(id))
      if (entry) people.set(id, { ...(JSON.parse(entry.toString('utf8')) as LocalEntry), id, faces: [] })
      else lost++
    }
    for (const row of database
      .prepare('SELECT id, person_id, model_id, template FROM local_face ORDER BY person_id, place')
      .all() as unknown as FaceRow[]) {
      const person = people.get(row.person_id)
      if (!person) continue
      person.faces.push(row.id)
      const isReadable = row.template !== null && row.model_id === model.modelId
      const bytes = isReadable ? opened(row.template!, localFaceOf(person.id, row.id)) : null
      if (isReadable && bytes === null) displaced++
      const embedding = bytes && embeddingOf(bytes, model.dimensions)
      if (embedding) recognise(person.id, row.id, embedding)
    }
    if (lost > 0) log(`${lost} people registered at this terminal cannot be read: its key is another.`)
    if (displaced > 0)
      log(`${displaced} faces of people registered at this terminal were changed in the store or given to others: they open no door.`)
  }

  function opened(sealed: Uint8Array, bound: string): Buffer | null {
    try {
      return Buffer.from(vault.open(sealed, bound))
    } catch {
      return null
    }
  }

  function recognise(personId: string, photoId: string, embedding: Float32Array): void {
    embeddings.set(photoId, embedding)
    gallery.add(SEGMENT, { modelId: model.modelId, personId, photoId, embedding })
  }

  function forgetFace(personId: string, faceId: string): void {
    embeddings.delete(faceId)
    gallery.remove(SEGMENT, personId, faceId)
  }

  const shown = (kept: Kept): LocalPerson => ({
    ...kept,
    faces: [...kept.faces],
    recognisable: kept.faces.filter((id) => embeddings.has(id)).length,
  })
  const sealedTemplate = (personId: string, faceId: string, embedding: Float32Array | null) =>
    embedding === null ? null : vault.seal(bytesOfEmbedding(embedding), localFaceOf(personId, faceId))

  function write(id: string, entry: LocalEntry, faces: readonly (string | LocalFace)[]): LocalPerson {
    const before = people.get(id)?.faces ?? []
    const after = faces.map((face) => (typeof face === 'string' ? { id: face, made: null } : { id: randomUUID(), made: face }))
    const gone = before.filter((face) => !after.some((kept) => kept.id === face))
    const { name, workNumber, card, password, validFrom, validTo } = entry
    const kept: Kept = { id, name, workNumber, card, password, validFrom, validTo, faces: after.map((face) => face.id) }
    transaction(database, () => {
      putPerson.run(
        id,
        vault.seal(Buffer.from(JSON.stringify({ name, workNumber, card, password, validFrom, validTo })), localPersonOf(id)),
      )
      for (const face of gone) dropFace.run(face)
      for (const [place, face] of after.entries()) {
        if (face.made === null) placeFace.run(place, face.id)
        else
          putFace.run(
            face.id,
            id,
            place,
            vault.seal(face.made.picture, localFaceOf(id, face.id)),
            face.made.embedding && model.modelId,
            sealedTemplate(id, face.id, face.made.embedding),
          )
      }
    })
    people.set(id, kept)
    for (const face of gone) forgetFace(id, face)
    for (const { id: faceId, made } of after) if (made?.embedding) recognise(id, faceId, made.embedding)
    return shown(kept)
  }

  function pictureOf(faceId: string): Uint8Array | null {
    const row = readPicture.get(faceId) as { personId: string; picture: Uint8Array } | undefined
    return row ? opened(row.picture, localFaceOf(row.personId, faceId)) : null
  }

  function firstOf(fits: (person: Kept) => boolean): LocalPerson | undefined {
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
      dropPerson.run(id)
      people.delete(id)
      for (const face of person.faces) forgetFace(id, face)
      return true
    },
    clear() {
      database.exec('DELETE FROM local_person')
      people.clear()
      embeddings.clear()
      gallery.drop(SEGMENT)
    },
    picture: pictureOf,
    embedding: (faceId) => embeddings.get(faceId) ?? null,
    nearest: (embedding) => gallery.search(SEGMENT, { modelId: model.modelId, embedding }, { limit: NEAREST }),
    distanceTo(personId, embedding) {
      const own = (people.get(personId)?.faces ?? []).flatMap((face) => embeddings.get(face) ?? [])
      const template = (numbers: Float32Array) => ({ modelId: model.modelId, embedding: numbers })
      return own.length === 0 ? null : distanceToAll(model.calibration, own.map(template), template(embedding))
    },
    faces: () => gallery.size(SEGMENT),
    async renew(embed, signal) {
      for (const person of people.values()) {
        for (const face of person.faces.filter((id) => !embeddings.has(id))) {
          const picture = pictureOf(face)
          if (signal.aborted) return
          const embedding = picture && (await embed(picture))
          if (signal.aborted || !embedding || !people.get(person.id)?.faces.includes(face)) continue
          renewFace.run(model.modelId, sealedTemplate(person.id, face, embedding), face)
          recognise(person.id, face, embedding)
        }
      }
    },
  }
}
