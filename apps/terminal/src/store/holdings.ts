/**
 * What the terminal decides by: settings, strategies, time rules, persons and their faces. The disk is for the next
 * start; decisions read memory, which changes only after the disk did.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import {
  deviceSettings,
  storeTampering,
  strategyObject,
  timeRuleObject,
  type DeviceSettings,
  type PersonException,
} from '@gatehouse/contract/device/protocol'
import type { AccessPerson, AccessStrategy, TimeRule } from '@gatehouse/access-rules'
import { FaceGallery, bytesOfEmbedding, distanceOf, distanceToAll, type Calibration, type GalleryMatch } from '@gatehouse/face-engine'
import type { Holdings, PersonFailure, Position, TakenPerson } from '../device/store.ts'
import { createCredentialStore, hasCredentials, type CredentialStore, type Credentials } from './credentials.ts'
import { transaction } from './database.ts'
import { createPersonMarks, createRuleMarks, PERSON_COLUMNS } from './row-marks.ts'
import { createSealedNames, type Names } from './sealed-names.ts'
import { decodeTemplate, embeddingOf } from './template.ts'
import type { Vault } from './vault.ts'

/** Somebody who comes in a person's place; the faces lie among the person's. */
export interface HeldContact {
  id: string
  name: string
  faceIds: readonly string[]
  /** Whoever has an equal one is the same human. */
  human?: string | undefined
}

export interface HeldPerson extends AccessPerson {
  name: string
  workNumber: string
  /** Who is known to come in his place; absent: nobody. */
  contacts?: readonly HeldContact[]
  /** As of contacts. */
  human?: string | undefined
}

/** Whose face came nearest. `contactId`: that of the contact whose it is; null or absent: the person's own. */
export interface FaceMatch extends GalleryMatch {
  contactId?: string | null
}

/** The model whose embeddings can be compared here. */
export interface Model {
  modelId: string
  dimensions: number
  /** What its distances mean; where it knows the mean of several photographs of a person, they are one. */
  calibration?: Calibration
}

/** The holdings as decisions read them. */
export interface SearchableHoldings extends Holdings {
  /** A person held, also one who cannot be recognised. */
  person(id: string): HeldPerson | undefined
  /** Strategies that cover a person here; one the manifest does not know is none. */
  strategiesOf(personId: string): AccessStrategy[]
  /** All that hold at this device, for a passage that names nobody. */
  strategies(): AccessStrategy[]
  timeRules(): ReadonlyMap<string, TimeRule>
  readonly credentials: Pick<CredentialStore, 'holderOf' | 'isCardPassword'>
  /**
   * How far the nearest face of one person is, or of a contact, and whose it is; null for somebody without.
   * @param isLookedAt whether the faces of a contact, or of the person (null), are looked at; default: all are
   */
  nearestOf(
    personId: string,
    embedding: Float32Array,
    isLookedAt?: (contactId: string | null) => boolean,
  ): { distance: number; contactId: string | null } | null
  /** The persons whose faces, or whose contacts' faces, come nearest, `most` of them (default 2), nearest first, whatever the distance; fewer where fewer are held. */
  nearest(embedding: Float32Array, most?: number): FaceMatch[]
  faces(): number
  /** While persons come anew for a model that is another: how many of how many can be recognised again. Null when all were tried. */
  renewing(): { ready: number; total: number } | null
}

const SEGMENT = 'held'
/** As it stands on the disk. */
const NO_CONTACTS = '[]'

/** What of a person's row stands in memory. */
interface PersonRow {
  version: string
  enabled: number
  valid_from: number | null
  valid_to: number | null
  strategy_ids: string
  face_threshold: number | null
  /** 1 or null. */
  face_threshold_loosens: number | null
  look_alikes: string
  contacts: string
  human: string | null
  failure: string | null
}

/** What an id of the server is made of; its last two digits say in which bucket somebody is. */
const USABLE = /^\P{C}{0,62}[0-9a-f]{2}$/iu
/** Version of somebody who is to be fetched anew whatever the server says; it is none the server draws. */
const FORGOTTEN = 'ffffffffffffffff'
/** Under this name stands when something was found that others had changed, and what. */
const TAMPERING = 'tampering'
/** Persons verified in one turn of the event loop: a few milliseconds. */
const VERIFIED_AT_ONCE = 50

/** A person as decisions read them; how they are called stays on the disk, sealed. */
interface Facts extends Omit<HeldPerson, 'name' | 'workNumber' | 'contacts'> {
  version: string
  strategyIds: readonly string[]
  contacts?: readonly Omit<HeldContact, 'name'>[]
}

/** A person in memory. */
type Kept = HeldPerson & Facts

interface HoldingsOptions {
  clock: () => number
  /** Something in the file that is not ours was found when it was opened. */
  isFileChanged: boolean
}

/**
 * Reads what the store holds. Faces that another model or another key left there are dropped, and fetched again; so is whatever does not
 * fit its mark, and nobody passes by that until then.
 */
export function createHoldings(
  database: DatabaseSync,
  vault: Vault,
  model: Model,
  { clock, isFileChanged }: HoldingsOptions,
): SearchableHoldings {
  const gallery = new FaceGallery(model)
  const persons = new Map<string, Kept>()
  const exceptions = new Map<string, PersonException>()
  const credentialStore = createCredentialStore(database, vault)
  const sealedNames = createSealedNames(vault)
  const personMarks = createPersonMarks(database, vault, model.modelId)
  const ruleMarks = createRuleMarks(database, vault)
  let strategies = new Map<string, AccessStrategy>()
  let timeRules = new Map<string, TimeRule>()
  let settings: DeviceSettings | null = null

  const readMeta = (name: string) =>
    (database.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string } | undefined)?.value
  const writeMeta = (name: string, value: string) =>
    database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value)
  const dropMeta = (name: string) => database.prepare('DELETE FROM meta WHERE name = ?').run(name)
  let revision = readMeta('revision') ?? ''
  let tampering = readable(storeTampering, readMeta(TAMPERING))
  /** Persons dropped with the model they were of, until they are here again. */
  let dropped = Number(readMeta('dropped') ?? 0)

  const allIds = database.prepare('SELECT CAST(id AS BLOB) AS bytes, typeof(id) AS kind FROM person ORDER BY id')
  const dropBytes = database.prepare('DELETE FROM person WHERE CAST(id AS BLOB) = ? AND typeof(id) = ?')
  const allVersions = database.prepare('SELECT id, version FROM person')
  const putPerson = database.prepare(`
    INSERT INTO person (id, ${PERSON_COLUMNS.join(', ')})
    VALUES (?${', ?'.repeat(PERSON_COLUMNS.length)})
    ON CONFLICT (id) DO UPDATE SET ${PERSON_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`)
  const readNames = database.prepare('SELECT sealed FROM person WHERE id = ?')
  const putFace = database.prepare('INSERT OR REPLACE INTO face (person_id, id, template) VALUES (?, ?, ?)')
  const facesOf = database.prepare('SELECT id, template FROM face WHERE person_id = ?')
  const dropFaces = database.prepare('DELETE FROM face WHERE person_id = ?')
  const dropPerson = database.prepare('DELETE FROM person WHERE id = ?')
  const putPosition = database.prepare('INSERT OR REPLACE INTO position (one, audience, cursor) VALUES (1, ?, ?)')

  const namesOf = (personId: string): Names =>
    sealedNames.open(personId, (readNames.get(personId) as { sealed: Uint8Array | null } | undefined)?.sealed ?? null)

  /** Opened when a name is asked for: whoever is only compared stays sealed. */
  const named = {
    get name() {
      return namesOf((this as unknown as Facts).id).name
    },
    get workNumber() {
      return namesOf((this as unknown as Facts).id).workNumber
    },
  }

  let position = readPosition()
  const rulesFit = ruleMarks.fit()
  // Under another key no mark fits, and nobody has changed anything for that.
  const isSameKey = isOwnKey() || (rulesFit && revision !== '') || idsKept().some((id) => personMarks.fits(id))
  if (!isSameKey || readMeta('modelId') !== model.modelId) dropPersons()
  if (!rulesFit) transaction(database, forgetRules)
  loadObjects()
  const forgotten = loadPersons()
  const forgotRules = !rulesFit && isSameKey
  if (forgotten.length > 0 || forgotRules || isFileChanged) noteTampering(forgotten, forgotRules)

  /** Null where it cannot be read: then everybody is compared. */
  function readPosition(): Position | null {
    try {
      return (database.prepare('SELECT audience, cursor FROM position').get() as Position | undefined) ?? null
    } catch {
      return null
    }
  }

  /** Digests made under another key find nobody. */
  function isOwnKey(): boolean {
    const own = Buffer.from(vault.digest('key')).toString('base64')
    const known = readMeta('keyDigest')
    if (known !== own) writeMeta('keyDigest', own)
    return known === undefined || known === own
  }

  function dropPersons(): void {
    transaction(database, () => {
      const { held } = database.prepare('SELECT count(*) AS held FROM person').get() as { held: number }
      dropped = Math.max(dropped, held)
      database.exec('DELETE FROM face; DELETE FROM person; DELETE FROM position')
      writeMeta('modelId', model.modelId)
      writeMeta('dropped', String(dropped))
    })
    for (const id of persons.keys()) forget(id)
    position = null
  }

  function loadObjects(): void {
    settings = readable(deviceSettings, readMeta('settings'))
    const bodies = (table: 'strategy' | 'time_rule') => database.prepare(`SELECT body FROM ${table}`).all() as { body: string }[]
    strategies = byId(bodies('strategy').flatMap(({ body }) => readable(strategyObject, body) ?? []))
    timeRules = byId(bodies('time_rule').flatMap(({ body }) => readable(timeRuleObject, body) ?? []))
  }

  /**
   * Everybody on the disk. Rows under what is no id of anybody go, for they fall into no bucket and nothing can be said of them to the
   * server, and so do faces and keys of nobody.
   */
  function idsKept(): string[] {
    const ids = (allIds.all() as { bytes: Uint8Array; kind: string }[]).flatMap(({ bytes, kind }) => {
      const id = Buffer.from(bytes).toString()
      if (kind === 'text' && USABLE.test(id) && Buffer.from(id).equals(bytes)) return [id]
      dropBytes.run(bytes, kind)
      return []
    })
    for (const table of ['face', 'credential', 'credential_key'])
      database.exec(`DELETE FROM ${table} WHERE person_id NOT IN (SELECT id FROM person)`)
    return ids
  }

  /** @returns ids of those whose rows do not fit their marks */
  function loadPersons(): string[] {
    const lists = new Map<string, readonly string[]>()
    /** Few lists are different, and each person has two. */
    const listOf = (text: string): readonly string[] => {
      let list = lists.get(text)
      if (!list) lists.set(text, (list = JSON.parse(text) as string[]))
      return list
    }
    const unfit: string[] = []
    for (const id of idsKept()) {
      const written = personMarks.read(id)
      if (written === null) {
        unfit.push(id)
        continue
      }
      const row = written.row as unknown as PersonRow
      remember({
        id,
        version: row.version,
        enabled: row.enabled === 1,
        validFrom: row.valid_from,
        validTo: row.valid_to,
        strategyIds: listOf(row.strategy_ids),
        faceThreshold: row.face_threshold,
        ...(row.face_threshold_loosens === 1 && { faceThresholdLoosens: true }),
        lookAlikes: listOf(row.look_alikes),
        ...(row.contacts !== NO_CONTACTS && { contacts: JSON.parse(row.contacts) as Omit<HeldContact, 'name'>[] }),
        ...(row.human !== null && { human: row.human }),
      })
      if (row.failure) exceptions.set(id, { personId: id, version: row.version, reason: row.failure })
      for (const [faceId, template] of written.faces) {
        const embedding = embeddingOf(vault.open(template, sealedFor(id, faceId)), model.dimensions)
        if (embedding) recognise(id, [{ faceId, embedding }])
      }
    }
    forgetUnfit(unfit)
    return unfit
  }

  /** Nobody passes as these until the server has sent them anew, which a version it never drew makes it do. */
  function forgetUnfit(personIds: readonly string[]): void {
    if (personIds.length === 0) return
    const failed = personIds.map((personId) => ({ personId, version: FORGOTTEN, reason: 'tampered' satisfies PersonFailure }))
    transaction(database, () => {
      for (const exception of failed) write(unrecognisable(exception), exception.reason)
    })
    for (const exception of failed) {
      forget(exception.personId)
      remember(unrecognisable(exception).person)
      exceptions.set(exception.personId, exception)
    }
  }

  /** The next manifest is taken whatever its revision; until then there is no rule by which anybody passes. */
  function forgetRules(): void {
    for (const name of ['settings', 'revision']) dropMeta(name)
    for (const table of ['strategy', 'time_rule'] as const) replaceObjects(table, [])
    ruleMarks.drop()
    settings = null
    revision = ''
    strategies = new Map()
    timeRules = new Map()
  }

  function noteTampering(personIds: readonly string[], rules: boolean): void {
    tampering = { at: clock(), persons: personIds.length, rules }
    writeMeta(TAMPERING, JSON.stringify(tampering))
  }

  function remember({ contacts, ...facts }: Facts): void {
    const whole = contacts?.map((contact) => ({
      ...contact,
      get name() {
        return namesOf(facts.id).contacts[contact.id] ?? ''
      },
    }))
    persons.set(facts.id, Object.assign(Object.create(named) as typeof named, facts, whole && { contacts: whole }))
  }

  function recognise(personId: string, faces: readonly ReadFace[]): void {
    for (const { faceId, embedding } of faces) {
      const alone = contactOf(personId, faceId) !== null
      gallery.add(SEGMENT, { modelId: model.modelId, personId, photoId: faceId, embedding, alone })
    }
  }

  /** The contact whose face it is; null for the person's own. */
  function contactOf(personId: string, faceId: string): string | null {
    return persons.get(personId)?.contacts?.find(({ faceIds }) => faceIds.includes(faceId))?.id ?? null
  }

  function forget(personId: string): void {
    persons.delete(personId)
    exceptions.delete(personId)
    gallery.remove(SEGMENT, personId)
  }

  /** @returns bodies by id, as they were written */
  function replaceObjects(table: 'strategy' | 'time_rule', objects: readonly { id: string }[]): Map<string, string> {
    database.exec(`DELETE FROM ${table}`)
    const insert = database.prepare(`INSERT INTO ${table} (id, body) VALUES (?, ?)`)
    const bodies = new Map(objects.map((object) => [object.id, JSON.stringify(object)]))
    for (const [id, body] of bodies) insert.run(id, body)
    return bodies
  }

  /** On the disk; the faces of the person and of contacts are written anew. */
  function write({ person, names, faces, credentials }: Keeping, failure: string | null): void {
    const { id, version, enabled, validFrom = null, validTo = null, strategyIds, faceThreshold = null, lookAlikes = [] } = person
    const { faceThresholdLoosens = false, contacts = [], human = null } = person
    const row = {
      version,
      sealed: sealedNames.seal(id, names),
      enabled: enabled ? 1 : 0,
      valid_from: validFrom,
      valid_to: validTo,
      strategy_ids: JSON.stringify(strategyIds),
      face_threshold: faceThreshold,
      face_threshold_loosens: faceThresholdLoosens ? 1 : null,
      look_alikes: JSON.stringify(lookAlikes),
      contacts: JSON.stringify(contacts),
      human,
      failure,
    }
    putPerson.run(id, ...PERSON_COLUMNS.map((column) => row[column]))
    dropFaces.run(id)
    const templates = new Map(
      faces.map(({ faceId, embedding }) => [faceId, vault.seal(bytesOfEmbedding(embedding), sealedFor(id, faceId))]),
    )
    for (const [faceId, template] of templates) putFace.run(id, faceId, template)
    personMarks.put(id, { row, faces: templates, credentials: credentialStore.put(id, credentials) })
  }

  const counts = () => ({ persons: persons.size - exceptions.size, failed: exceptions.size })

  return {
    settings: () => settings,
    revision: () => revision,
    position: () => position,
    version: (personId) => persons.get(personId)?.version,
    *versions() {
      for (const { id, version } of allVersions.iterate() as Iterable<unknown> as Iterable<{ id: string; version: string }>)
        yield [id, version]
    },
    exceptions: () => exceptions,
    counts,
    tampering: () => tampering,
    async verify() {
      const ids = idsKept()
      const unfit: string[] = []
      for (let from = 0; from < ids.length; from += VERIFIED_AT_ONCE) {
        const now = ids.slice(from, from + VERIFIED_AT_ONCE).filter((id) => persons.has(id) && !personMarks.fits(id))
        forgetUnfit(now)
        unfit.push(...now)
        await setImmediate()
      }
      const rules = !ruleMarks.fit()
      if (rules) transaction(database, forgetRules)
      if (unfit.length === 0 && !rules) return null
      noteTampering(unfit, rules)
      return { persons: unfit.length, rules }
    },
    renewing: () => (position === null && dropped > 0 ? { ready: counts().persons, total: Math.max(dropped, persons.size) } : null),
    faces: () => gallery.size(SEGMENT),
    person: (id) => persons.get(id),
    strategiesOf: (personId) => (persons.get(personId)?.strategyIds ?? []).flatMap((id) => strategies.get(id) ?? []),
    strategies: () => [...strategies.values()],
    timeRules: () => timeRules,
    credentials: {
      isCardPassword: credentialStore.isCardPassword,
      holderOf(kind, value) {
        const id = credentialStore.holderOf(kind, value)
        // What finds somebody is read where nothing is marked: it counts only where it stands among what is theirs.
        const isTheirs = id !== null && persons.has(id) && credentialStore.isListed(id, kind, value) && personMarks.fits(id)
        return isTheirs ? id : null
      },
    },
    nearestOf(personId, embedding, isLookedAt = () => true) {
      const { modelId, calibration } = model
      const face = { modelId, embedding }
      const held = (facesOf.all(personId) as { id: string; template: Uint8Array }[]).flatMap(({ id, template }) => {
        const contactId = contactOf(personId, id)
        const own = isLookedAt(contactId) ? embeddingOf(vault.open(template, sealedFor(personId, id)), model.dimensions) : null
        return own ? [{ contactId, template: { modelId, embedding: own } }] : []
      })
      const own = held.flatMap(({ contactId, template }) => (contactId === null ? [template] : []))
      const compared = [
        ...(own.length > 0 ? [{ contactId: null, distance: distanceToAll(calibration, own, face) }] : []),
        ...held.flatMap(({ contactId, template }) => (contactId === null ? [] : [{ contactId, distance: distanceOf(template, face) }])),
      ]
      return compared.toSorted((one, other) => one.distance - other.distance)[0] ?? null
    },
    nearest: (embedding, most = 2) =>
      gallery
        .search(SEGMENT, { modelId: model.modelId, embedding }, { limit: most })
        .map((match) => ({ ...match, contactId: contactOf(match.personId, match.photoId) })),

    apply(manifest) {
      transaction(database, () => {
        const text = JSON.stringify(manifest.settings)
        writeMeta('settings', text)
        writeMeta('revision', manifest.revision)
        ruleMarks.put({
          settings: text,
          revision: manifest.revision,
          strategies: replaceObjects('strategy', manifest.strategies),
          timeRules: replaceObjects('time_rule', manifest.timeRules),
        })
      })
      settings = manifest.settings
      revision = manifest.revision
      strategies = byId(manifest.strategies)
      timeRules = byId(manifest.timeRules)
    },

    take(change) {
      const read = change.persons.map((person) => readPerson(person, model))
      const taken = read.filter(({ own, unread, others }) => own > 0 || (!unread && others !== null))
      const failed: Failed[] = [
        ...change.exceptions.map(({ personId, version, reason, besides }) => ({
          exception: { personId, version, reason },
          besides: besides ? readPerson({ ...besides, faces: [] }, model).others : null,
        })),
        ...read
          .filter((each) => !taken.includes(each))
          .map(({ person, others }) => ({
            exception: { personId: person.id, version: person.version, reason: 'templateInvalid' },
            besides: others,
          })),
      ]
      transaction(database, () => {
        for (const id of change.gone) dropPerson.run(id)
        for (const keeping of taken) write(keeping, null)
        for (const { exception, besides } of failed) write(besides ?? unrecognisable(exception), exception.reason)
        if (change.position) {
          putPosition.run(change.position.audience, change.position.cursor)
          if (dropped > 0) writeMeta('dropped', '0')
        }
      })
      for (const id of change.gone) forget(id)
      for (const { person, faces } of taken) {
        forget(person.id)
        remember(person)
        recognise(person.id, faces)
      }
      for (const { exception, besides } of failed) {
        forget(exception.personId)
        remember((besides ?? unrecognisable(exception)).person)
        exceptions.set(exception.personId, exception)
        recognise(exception.personId, besides?.faces ?? [])
      }
      if (change.position) {
        position = change.position
        dropped = 0
      }
    },
  }
}

const byId = <T extends { id: string }>(objects: readonly T[]) => new Map(objects.map((object) => [object.id, object]))

/** What another version of the terminal wrote and this one cannot read is missing until the next manifest. */
function readable<Output>(schema: z.ZodType<Output>, text: string | undefined): Output | null {
  try {
    return (text && schema.safeParse(JSON.parse(text)).data) || null
  } catch {
    return null
  }
}

const sealedFor = (personId: string, faceId: string) => `${personId}/${faceId}`

/** Nobody can pass as this person, whatever was held of him before. */
const unrecognisable = ({ personId: id, version }: PersonException): Keeping => ({
  person: { id, version, enabled: false, validFrom: null, validTo: null, strategyIds: [] },
  names: { name: '', workNumber: '', contacts: {} },
  faces: [],
  credentials: null,
})

interface ReadFace {
  faceId: string
  embedding: Float32Array
}

/** What is kept of a person. Names and credentials are kept sealed only, apart from what stands in memory. */
interface Keeping {
  person: Facts
  names: Names
  /** Those of contacts among them. */
  faces: readonly ReadFace[]
  credentials: Credentials | null
}

/** Who cannot be recognised, and what lets them, or others in their place, in all the same. */
interface Failed {
  exception: PersonException
  besides: Keeping | null
}

interface ReadPerson extends Keeping {
  /** How many of the faces are the person's own. */
  own: number
  /** Some of these cannot be read. */
  unread: boolean
  /** What is left without the own faces; null where that is nothing. */
  others: Keeping | null
}

/** A person with the faces that are embeddings of the model. */
function readPerson(
  { faces, credentials: sent, contacts: allContacts = [], name, workNumber, ...fields }: TakenPerson,
  model: Model,
): ReadPerson {
  const own = readFaces(faces, model)
  const contacts = allContacts
    .map((contact) => ({ ...contact, faces: readFaces(contact.faces, model) }))
    .filter((contact) => contact.faces.length > 0)
  const ofContacts = contacts.flatMap((contact) => contact.faces)
  const person: Facts = {
    ...fields,
    ...(contacts.length > 0 && {
      contacts: contacts.map(({ faces: all, name: _, ...contact }) => ({ ...contact, faceIds: all.map(({ faceId }) => faceId) })),
    }),
  }
  const names = { name, workNumber, contacts: Object.fromEntries(contacts.map((contact) => [contact.id, contact.name])) }
  const credentials = hasCredentials(sent) ? sent : null
  const others = credentials === null && contacts.length === 0 ? null : { person, names, faces: ofContacts, credentials }
  return { person, names, faces: [...own, ...ofContacts], credentials, own: own.length, unread: own.length < faces.length, others }
}

const readFaces = (faces: TakenPerson['faces'], model: Model): ReadFace[] =>
  faces.flatMap(({ faceId, template }) => {
    const embedding = decodeTemplate(template, model.dimensions)
    return embedding ? [{ faceId, embedding }] : []
  })
