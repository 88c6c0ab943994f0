/**
 * What the terminal decides by: settings, strategies, time rules, persons and their faces. The disk is for the next
 * start; decisions read memory, which changes only after the disk did.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { z } from 'zod'
import {
  deviceSettings,
  strategyObject,
  timeRuleObject,
  type DeviceSettings,
  type Manifest,
  type PersonObject,
} from '@gatehouse/contract/device/protocol'
import type { AccessPerson, AccessStrategy, TimeRule } from '@gatehouse/access-rules'
import { FaceGallery, bytesOfEmbedding, type GalleryMatch } from '@gatehouse/face-engine'
import { transaction } from './database.ts'
import { decodeTemplate, embeddingOf } from './template.ts'
import type { Vault } from './vault.ts'

/** Why a person of the manifest cannot be recognised here; reported to the server by these names. */
export type PersonFailure = 'noFace' | 'otherModel' | 'templateInvalid' | 'personInvalid' | 'notDelivered'

export interface HeldPerson extends AccessPerson {
  version: number
  name: string
  workNumber: string
}

/** The model whose embeddings can be compared here. */
export interface Model {
  modelId: string
  dimensions: number
}

export interface Holdings {
  /** Null until a first manifest came. */
  settings(): DeviceSettings | null
  /** The manifest whose settings, strategies and entitlements are in force; empty before the first. */
  revision(): string
  person(id: string): HeldPerson | undefined
  /** Strategies that cover a person here. */
  strategiesOf(personId: string): AccessStrategy[]
  timeRules(): ReadonlyMap<string, TimeRule>
  /** The person whose face comes nearest, whatever the distance. */
  nearest(embedding: Float32Array): GalleryMatch | null
  /**
   * Puts settings, strategies, time rules and entitlements into force and drops persons that are no longer named, all
   * at once: a permission withdrawn ends before the first new person is fetched.
   * @returns ids of persons to fetch
   */
  apply(manifest: Manifest): string[]
  /** Takes persons; what cannot be taken of one is kept as its failure. */
  put(persons: readonly PersonObject[]): void
  /**
   * Notes persons that could not be taken. With a `version` nothing of them is kept and they are not asked for again
   * until it changes; without one, what was held before stays in use.
   */
  fail(persons: readonly { id: string; version?: number; reason: PersonFailure }[]): void
  /** The manifest in force has been taken as far as it can be. */
  complete(): void
  /** What the server is told: the last manifest taken in full, how many persons can be recognised, and who cannot be. */
  held(): { revision: string; persons: number; failed: { personId: string; reason: PersonFailure }[] } | null
  counts(): { persons: number; faces: number; failed: number }
}

const SEGMENT = 'held'
const REPORTED_FAILURES = 1000

interface PersonRow {
  id: string
  version: number
  name: string
  work_number: string
  enabled: number
  valid_from: number | null
  valid_to: number | null
  failure: PersonFailure | null
}

/** Reads what the store holds. Faces that another model or another key left there are dropped, and fetched again. */
export function createHoldings(database: DatabaseSync, vault: Vault, model: Model): Holdings {
  const gallery = new FaceGallery(model)
  const persons = new Map<string, HeldPerson>()
  const failures = new Map<string, PersonFailure>()
  let entitlements = new Map<string, string[]>()
  let strategies = new Map<string, AccessStrategy>()
  let timeRules = new Map<string, TimeRule>()
  let settings: DeviceSettings | null = null

  const readMeta = (name: string) => (database.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string } | undefined)?.value
  const writeMeta = (name: string, value: string) => database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value)
  let revision = readMeta('revision') ?? ''
  let completeRevision = readMeta('completeRevision')

  const putPerson = database.prepare(`
    INSERT INTO person (id, version, name, work_number, enabled, valid_from, valid_to, failure) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET version = excluded.version, name = excluded.name, work_number = excluded.work_number,
      enabled = excluded.enabled, valid_from = excluded.valid_from, valid_to = excluded.valid_to, failure = excluded.failure`)
  const putFace = database.prepare('INSERT OR REPLACE INTO face (person_id, id, template) VALUES (?, ?, ?)')
  const dropFaces = database.prepare('DELETE FROM face WHERE person_id = ?')

  if (readMeta('modelId') !== model.modelId) dropPersons()
  loadObjects()
  try {
    loadPersons()
  } catch {
    dropPersons()
  }

  function dropPersons(): void {
    transaction(database, () => {
      database.exec("DELETE FROM face; DELETE FROM person; DELETE FROM meta WHERE name = 'completeRevision'")
      writeMeta('modelId', model.modelId)
    })
    for (const id of persons.keys()) forget(id)
    completeRevision = undefined
  }

  function loadObjects(): void {
    settings = readable(deviceSettings, readMeta('settings'))
    const bodies = (table: 'strategy' | 'time_rule') => database.prepare(`SELECT body FROM ${table}`).all() as { body: string }[]
    strategies = byId(bodies('strategy').flatMap(({ body }) => readable(strategyObject, body) ?? []))
    timeRules = byId(bodies('time_rule').flatMap(({ body }) => readable(timeRuleObject, body) ?? []))
    for (const row of database.prepare('SELECT * FROM entitlement').iterate() as Iterable<{ person_id: string; strategy_ids: string }>) {
      entitlements.set(row.person_id, JSON.parse(row.strategy_ids))
    }
  }

  /** @throws when a template does not open under this key */
  function loadPersons(): void {
    for (const row of database.prepare('SELECT * FROM person').iterate() as Iterable<unknown> as Iterable<PersonRow>) {
      persons.set(row.id, {
        id: row.id,
        version: row.version,
        name: row.name,
        workNumber: row.work_number,
        enabled: row.enabled === 1,
        validFrom: row.valid_from,
        validTo: row.valid_to,
      })
      if (row.failure) failures.set(row.id, row.failure)
    }
    for (const row of database.prepare('SELECT person_id, id, template FROM face').iterate() as Iterable<{ person_id: string; id: string; template: Uint8Array }>) {
      const embedding = embeddingOf(vault.open(row.template, sealedFor(row.person_id, row.id)), model.dimensions)
      if (embedding) gallery.add(SEGMENT, { modelId: model.modelId, personId: row.person_id, photoId: row.id, embedding })
    }
  }

  function forget(personId: string): void {
    persons.delete(personId)
    failures.delete(personId)
    gallery.remove(SEGMENT, personId)
  }

  return {
    settings: () => settings,
    revision: () => revision,
    person: (id) => persons.get(id),
    strategiesOf: (personId) => (entitlements.get(personId) ?? []).flatMap((id) => strategies.get(id) ?? []),
    timeRules: () => timeRules,
    nearest: (embedding) => gallery.search(SEGMENT, { modelId: model.modelId, embedding }, { limit: 1 })[0] ?? null,

    apply(manifest) {
      const entitled = new Map(
        manifest.persons.map(([id, , places]) => [id, places.flatMap((place) => manifest.strategies[place]?.id ?? [])]),
      )
      const dropped = [...persons.keys()].filter((id) => !entitled.has(id))
      transaction(database, () => {
        writeMeta('settings', JSON.stringify(manifest.settings))
        writeMeta('revision', manifest.revision)
        replaceObjects('strategy', manifest.strategies)
        replaceObjects('time_rule', manifest.timeRules)
        const put = database.prepare('INSERT OR REPLACE INTO entitlement (person_id, strategy_ids) VALUES (?, ?)')
        for (const [id, strategyIds] of entitled) {
          if (entitlements.get(id)?.join() !== strategyIds.join()) put.run(id, JSON.stringify(strategyIds))
        }
        const end = database.prepare('DELETE FROM entitlement WHERE person_id = ?')
        for (const id of entitlements.keys()) if (!entitled.has(id)) end.run(id)
        const drop = database.prepare('DELETE FROM person WHERE id = ?')
        for (const id of dropped) drop.run(id)
      })
      settings = manifest.settings
      revision = manifest.revision
      strategies = byId(manifest.strategies)
      timeRules = byId(manifest.timeRules)
      entitlements = entitled
      for (const id of dropped) forget(id)
      for (const id of failures.keys()) if (!entitled.has(id)) failures.delete(id)
      return manifest.persons.filter(([id, version]) => persons.get(id)?.version !== version).map(([id]) => id)
    },

    put(arrived) {
      const taken = arrived.map((person) => ({ person, ...facesOf(person, model) }))
      transaction(database, () => {
        for (const { person, faces, failure } of taken) {
          const { id, version, name, workNumber, enabled, validFrom, validTo } = person
          putPerson.run(id, version, name, workNumber, enabled ? 1 : 0, validFrom, validTo, failure)
          dropFaces.run(id)
          for (const { faceId, embedding } of faces) putFace.run(id, faceId, vault.seal(bytesOfEmbedding(embedding), sealedFor(id, faceId)))
        }
      })
      for (const { person, faces, failure } of taken) {
        const { id, version, name, workNumber, enabled, validFrom, validTo } = person
        forget(id)
        persons.set(id, { id, version, name, workNumber, enabled, validFrom, validTo })
        if (failure) failures.set(id, failure)
        for (const { faceId, embedding } of faces) gallery.add(SEGMENT, { modelId: model.modelId, personId: id, photoId: faceId, embedding })
      }
    },

    fail(failed) {
      transaction(database, () => {
        for (const { id, version, reason } of failed) {
          if (version === undefined) continue
          putPerson.run(id, version, '', '', 0, null, null, reason)
          dropFaces.run(id)
        }
      })
      for (const { id, version, reason } of failed) {
        if (version !== undefined) {
          forget(id)
          persons.set(id, { id, version, name: '', workNumber: '', enabled: false, validFrom: null, validTo: null })
        }
        failures.set(id, reason)
      }
    },

    complete() {
      writeMeta('completeRevision', revision)
      completeRevision = revision
    },

    held() {
      if (completeRevision === undefined) return null
      const failed = [...failures].slice(0, REPORTED_FAILURES).map(([personId, reason]) => ({ personId, reason }))
      return { revision: completeRevision, persons: usable(), failed }
    },

    counts: () => ({ persons: usable(), faces: gallery.size(SEGMENT), failed: failures.size }),
  }

  /** Persons that can be recognised. */
  function usable(): number {
    let failed = 0
    for (const id of failures.keys()) if (persons.has(id)) failed++
    return persons.size - failed
  }

  function replaceObjects(table: 'strategy' | 'time_rule', objects: readonly { id: string }[]): void {
    database.exec(`DELETE FROM ${table}`)
    const insert = database.prepare(`INSERT OR REPLACE INTO ${table} (id, body) VALUES (?, ?)`)
    for (const object of objects) insert.run(object.id, JSON.stringify(object))
  }
}

const byId = <T extends { id: string }>(objects: readonly T[]) => new Map(objects.map((object) => [object.id, object]))

/** What another version of the terminal wrote and this one cannot read is missing until the next manifest. */
function readable<Output>(schema: z.ZodType<Output>, text: string | undefined): Output | null {
  return (text && schema.safeParse(JSON.parse(text)).data) || null
}

const sealedFor = (personId: string, faceId: string) => `${personId}/${faceId}`

/** Faces of a person that can be compared here; a person with none of them is named with the reason. */
function facesOf(person: PersonObject, model: Model): { faces: { faceId: string; embedding: Float32Array }[]; failure: PersonFailure | null } {
  const comparable = person.faces.filter(({ modelId }) => modelId === model.modelId)
  const faces = comparable.flatMap(({ faceId, template }) => {
    const embedding = decodeTemplate(template, model.dimensions)
    return embedding ? [{ faceId, embedding }] : []
  })
  if (faces.length > 0) return { faces, failure: null }
  if (person.faces.length === 0) return { faces, failure: 'noFace' }
  return { faces, failure: comparable.length === 0 ? 'otherModel' : 'templateInvalid' }
}
