/** Rows of the people registered here: sealed, each bound to its own id. */
import type { DatabaseSync } from 'node:sqlite'
import { bytesOfEmbedding } from '@gatehouse/face-engine'
import { transaction } from '../store/database.ts'
import type { Model } from '../store/holdings.ts'
import { localFaceOf, localPersonOf } from '../store/local-seals.ts'
import { embeddingOf } from '../store/template.ts'
import type { Vault } from '../store/vault.ts'
import type { LocalFace, LocalEntry } from './local-people-types.ts'

type PersonRow = {
  id: string
  body: Uint8Array
}

type FaceRow = {
  id: string
  person_id: string
  model_id: string | null
  template: Uint8Array | null
}

/** A face with its embedding: null if another engine made it, `displaced` if the row was changed or moved. */
export interface StoredFace {
  id: string
  personId: string
  embedding: Float32Array | 'displaced' | null
}

/** Changes to the faces of a person. */
export interface FaceChanges {
  removed: readonly string[]
  /** The faces after the change, in order; `made` is null for an existing one. */
  after: readonly { id: string; made: LocalFace | null }[]
}

export interface LocalRows {
  /** Return the people who can be read, and the number of those who cannot. */
  people(): { entries: { id: string; entry: LocalEntry }[]; unreadable: number }
  /** Return the faces by person, in order. @param isRead whether to read those of a person */
  faces(isRead: (personId: string) => boolean): Iterable<StoredFace>
  /** Write a person with their faces in one transaction. @throws when they cannot be written; nothing has changed then */
  write(id: string, entry: LocalEntry, faces: FaceChanges): void
  remove(id: string): void
  clear(): void
  /** Return null if there is no readable picture. */
  picture(faceId: string): Uint8Array | null
  /** Store the running engine's embedding of a face. */
  renewFace(personId: string, faceId: string, embedding: Float32Array): void
}

export function createLocalRows(database: DatabaseSync, vault: Vault, model: Model): LocalRows {
  const putPerson = database.prepare(
    'INSERT INTO local_person (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
  )
  const putFace = database.prepare('INSERT INTO local_face (id, person_id, place, picture, model_id, template) VALUES (?, ?, ?, ?, ?, ?)')
  const placeFace = database.prepare('UPDATE local_face SET place = ? WHERE id = ?')
  const renewFace = database.prepare('UPDATE local_face SET model_id = ?, template = ? WHERE id = ?')
  const dropFace = database.prepare('DELETE FROM local_face WHERE id = ?')
  const dropPerson = database.prepare('DELETE FROM local_person WHERE id = ?')
  const readPicture = database.prepare('SELECT person_id AS personId, picture FROM local_face WHERE id = ?')

  function opened(sealed: Uint8Array, bound: string): Buffer | null {
    try {
      return Buffer.from(vault.open(sealed, bound))
    } catch {
      return null
    }
  }

  const sealedTemplate = (personId: string, faceId: string, embedding: Float32Array | null) =>
    embedding === null ? null : vault.seal(bytesOfEmbedding(embedding), localFaceOf(personId, faceId))

  function embeddingIn({ id, person_id: personId, model_id: modelId, template }: FaceRow): StoredFace['embedding'] {
    if (template === null || modelId !== model.modelId) return null
    const bytes = opened(template, localFaceOf(personId, id))
    return bytes === null ? 'displaced' : embeddingOf(bytes, model.dimensions)
  }

  return {
    people() {
      const entries: { id: string; entry: LocalEntry }[] = []
      let unreadable = 0
      for (const { id, body } of database.prepare('SELECT id, body FROM local_person').all() as PersonRow[]) {
        const text = opened(body, localPersonOf(id))
        if (text) entries.push({ id, entry: JSON.parse(text.toString('utf8')) as LocalEntry })
        else unreadable++
      }
      return { entries, unreadable }
    },
    *faces(isRead) {
      const all = database.prepare('SELECT id, person_id, model_id, template FROM local_face ORDER BY person_id, place').all()
      for (const row of all as FaceRow[])
        if (isRead(row.person_id)) yield { id: row.id, personId: row.person_id, embedding: embeddingIn(row) }
    },
    write(id, entry, { removed, after }) {
      transaction(database, () => {
        putPerson.run(id, vault.seal(Buffer.from(JSON.stringify(entry)), localPersonOf(id)))
        for (const face of removed) dropFace.run(face)
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
    },
    remove: (id) => void dropPerson.run(id),
    clear: () => database.exec('DELETE FROM local_person'),
    picture(faceId) {
      const row = readPicture.get(faceId) as { personId: string; picture: Uint8Array } | undefined
      return row ? opened(row.picture, localFaceOf(row.personId, faceId)) : null
    },
    renewFace: (personId, faceId, embedding) => void renewFace.run(model.modelId, sealedTemplate(personId, faceId, embedding), faceId),
  }
}
