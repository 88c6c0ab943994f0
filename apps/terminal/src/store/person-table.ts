/** Persons on the disk, with their faces and credentials, each under a mark by the key. */
import type { DatabaseSync } from 'node:sqlite'
import { bytesOfEmbedding } from '@gatehouse/face-engine'
import type { CredentialStore } from './credentials.ts'
import type { ReadFace, StorablePerson } from './person-reading.ts'
import { createPersonMarks, PERSON_COLUMNS } from './row-marks.ts'
import { createSealedNames, type Names } from './sealed-names.ts'
import type { Model, PersonFacts, StoredContact } from './stored-person.ts'
import { embeddingOf } from './template.ts'
import type { Vault } from './vault.ts'

/** A person as read from the disk. */
export interface LoadedPerson {
  facts: PersonFacts
  /** Why the person cannot be recognised; null if they can. */
  failure: string | null
  faces: readonly ReadFace[]
}

export type SealedFace = {
  id: string
  template: Uint8Array
}

export interface PersonTable {
  /**
   * Return the ids of all persons. Rows with an invalid id are deleted, because they belong to no bucket and cannot be reported to the
   * server. So are faces and keys without a person.
   */
  ids(): string[]
  /** Return all persons; null for one whose rows do not match their mark. */
  all(): Iterable<[personId: string, loaded: LoadedPerson | null]>
  versions(): Iterable<readonly [personId: string, version: string]>
  /** Return whether the rows of a person are as they were written. */
  fits(personId: string): boolean
  namesOf(personId: string): Names
  /** Return the faces of a person and of contacts, still sealed. */
  facesOf(personId: string): SealedFace[]
  /** Return the template; null if it is not of the model. */
  open(personId: string, face: SealedFace): Float32Array | null
  /** Write a person; the faces of the person and of contacts are replaced. @param failure why they cannot be recognised */
  write(person: StorablePerson, failure: string | null): void
  remove(personId: string): void
}

/** Columns of a person's row that are cached in memory. */
type PersonRow = {
  version: string
  enabled: number
  valid_from: number | null
  valid_to: number | null
  strategy_ids: string
  face_threshold: number | null
  /** 1 or null. */
  face_threshold_loosens: number | null
  /** A list; null: all methods. */
  methods: string | null
  look_alikes: string
  contacts: string
  human: string | null
  failure: string | null
}

/** An empty list as stored on the disk. */
const NO_CONTACTS = '[]'
/** Valid ids of the server; the last two digits determine the person's bucket. */
const USABLE = /^\P{C}{0,62}[0-9a-f]{2}$/iu

export function createPersonTable(
  database: DatabaseSync,
  vault: Vault,
  model: Model,
  credentialStore: Pick<CredentialStore, 'put'>,
): PersonTable {
  const sealedNames = createSealedNames(vault)
  const marks = createPersonMarks(database, vault, model.modelId)
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

  function ids(): string[] {
    const usable = (allIds.all() as { bytes: Uint8Array; kind: string }[]).flatMap(({ bytes, kind }) => {
      const id = Buffer.from(bytes).toString()
      if (kind === 'text' && USABLE.test(id) && Buffer.from(id).equals(bytes)) return [id]
      dropBytes.run(bytes, kind)
      return []
    })
    for (const table of ['face', 'credential', 'credential_key'])
      database.exec(`DELETE FROM ${table} WHERE person_id NOT IN (SELECT id FROM person)`)
    return usable
  }

  const open = (personId: string, { id, template }: SealedFace): Float32Array | null =>
    embeddingOf(vault.open(template, sealedFor(personId, id)), model.dimensions)

  return {
    ids,
    *all() {
      const listOf = cachedLists()
      for (const id of ids()) {
        const written = marks.read(id)
        if (written === null) {
          yield [id, null]
          continue
        }
        const row = written.row as PersonRow
        const faces = [...written.faces].flatMap(([faceId, template]) => {
          const embedding = open(id, { id: faceId, template })
          return embedding ? [{ faceId, embedding }] : []
        })
        yield [id, { facts: factsOf(id, row, listOf), failure: row.failure, faces }]
      }
    },
    *versions() {
      for (const { id, version } of allVersions.iterate() as Iterable<unknown> as Iterable<{ id: string; version: string }>)
        yield [id, version]
    },
    fits: (personId) => marks.fits(personId),
    namesOf: (personId) =>
      sealedNames.open(personId, (readNames.get(personId) as { sealed: Uint8Array | null } | undefined)?.sealed ?? null),
    facesOf: (personId) => facesOf.all(personId) as SealedFace[],
    open,
    write({ person, names, faces, credentials }, failure) {
      const { id } = person
      const row = rowOf(person, sealedNames.seal(id, names), failure)
      putPerson.run(id, ...PERSON_COLUMNS.map((column) => row[column]))
      dropFaces.run(id)
      const templates = new Map(
        faces.map(({ faceId, embedding }) => [faceId, vault.seal(bytesOfEmbedding(embedding), sealedFor(id, faceId))]),
      )
      for (const [faceId, template] of templates) putFace.run(id, faceId, template)
      marks.put(id, { row, faces: templates, credentials: credentialStore.put(id, credentials) })
    },
    remove: (personId) => void dropPerson.run(personId),
  }
}

const sealedFor = (personId: string, faceId: string) => `${personId}/${faceId}`

function rowOf(
  { version, enabled, validFrom = null, validTo = null, strategyIds, faceThreshold = null, lookAlikes = [], ...rest }: PersonFacts,
  sealed: Uint8Array | null,
  failure: string | null,
) {
  const { faceThresholdLoosens = false, methods = null, contacts = [], human = null } = rest
  return {
    version,
    sealed,
    enabled: enabled ? 1 : 0,
    valid_from: validFrom,
    valid_to: validTo,
    strategy_ids: JSON.stringify(strategyIds),
    face_threshold: faceThreshold,
    face_threshold_loosens: faceThresholdLoosens ? 1 : null,
    methods: methods && JSON.stringify(methods),
    look_alikes: JSON.stringify(lookAlikes),
    contacts: JSON.stringify(contacts),
    human,
    failure,
  }
}

const factsOf = (id: string, row: PersonRow, listOf: (text: string) => readonly string[]): PersonFacts => ({
  id,
  version: row.version,
  enabled: row.enabled === 1,
  validFrom: row.valid_from,
  validTo: row.valid_to,
  strategyIds: listOf(row.strategy_ids),
  faceThreshold: row.face_threshold,
  ...(row.face_threshold_loosens === 1 && { faceThresholdLoosens: true }),
  ...(row.methods !== null && { methods: JSON.parse(row.methods) as number[] }),
  lookAlikes: listOf(row.look_alikes),
  ...(row.contacts !== NO_CONTACTS && { contacts: JSON.parse(row.contacts) as Omit<StoredContact, 'name'>[] }),
  ...(row.human !== null && { human: row.human }),
})

/** Return a cache of parsed lists. Few lists differ, and each person has two, so equal ones share one object in memory. */
function cachedLists(): (text: string) => readonly string[] {
  const lists = new Map<string, readonly string[]>()
  return (text) => {
    let list = lists.get(text)
    if (!list) lists.set(text, (list = JSON.parse(text) as string[]))
    return list
  }
}
