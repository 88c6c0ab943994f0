/** Conversion of persons as they arrived into the data that are stored. */
import type { PersonException } from '@gatehouse/contract/device/protocol-persons'
import type { TakenPerson } from '../device/store.ts'
import { hasCredentials, type Credentials } from './credentials.ts'
import type { Names } from './sealed-names.ts'
import type { Model, PersonFacts } from './stored-person.ts'
import { decodeTemplate } from './template.ts'

export interface ReadFace {
  faceId: string
  embedding: Float32Array
}

/** The stored data of a person. Names and credentials are stored sealed only, apart from those in memory. */
export interface StorablePerson {
  person: PersonFacts
  names: Names
  /** Faces, including those of contacts. */
  faces: readonly ReadFace[]
  credentials: Credentials | null
}

export interface ReadPerson extends StorablePerson {
  /** How many of the faces are the person's own. */
  own: number
  /** Whether some of these cannot be read. */
  unread: boolean
  /** The person without their own faces; null if nothing is left to pass by. */
  others: StorablePerson | null
}

/** Return a person with those faces that are embeddings of the model. */
export function readPerson(
  { faces, credentials: sent, contacts: allContacts = [], name, workNumber, ...fields }: TakenPerson,
  model: Model,
): ReadPerson {
  const own = readFaces(faces, model)
  const contacts = allContacts
    .map((contact) => ({ ...contact, faces: readFaces(contact.faces, model) }))
    .filter((contact) => contact.faces.length > 0)
  const ofContacts = contacts.flatMap((contact) => contact.faces)
  const person: PersonFacts = {
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

/** Return the stored form of an exception: nobody can pass as this person, whatever was stored before. */
export const unrecognisable = ({ personId: id, version }: PersonException): StorablePerson => ({
  person: { id, version, enabled: false, validFrom: null, validTo: null, strategyIds: [] },
  names: { name: '', workNumber: '', contacts: {} },
  faces: [],
  credentials: null,
})
