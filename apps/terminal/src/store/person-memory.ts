/** Persons in memory: the data decisions read, the exceptions, and the faces that are searched. */
import type { PersonException } from '@gatehouse/contract/device/protocol-persons'
import { FaceGallery, type GalleryMatch } from '@gatehouse/face-engine'
import type { ReadFace } from './person-reading.ts'
import type { Names } from './sealed-names.ts'
import type { Model, PersonFacts, StoredPerson } from './stored-person.ts'

/** A person in memory. */
export type RememberedPerson = StoredPerson & PersonFacts

export interface PersonMemory {
  readonly persons: ReadonlyMap<string, RememberedPerson>
  readonly exceptions: ReadonlyMap<string, PersonException>
  remember(facts: PersonFacts): void
  /** Note that a person cannot be recognised. */
  except(exception: PersonException): void
  /** Add these faces, of a person or of contacts, to the search. */
  recognise(personId: string, faces: readonly ReadFace[]): void
  forget(personId: string): void
  /** Return the contact a face belongs to; null if it is the person's own. */
  contactOf(personId: string, faceId: string): string | null
  /** Return the persons with the nearest faces, nearest first. */
  search(embedding: Float32Array, limit: number): GalleryMatch[]
  /** Return the number of searched faces. */
  faces(): number
}

const SEGMENT = 'held'

/** @param namesOf reads the names of a person */
export function createPersonMemory(model: Model, namesOf: (personId: string) => Names): PersonMemory {
  const gallery = new FaceGallery(model)
  const persons = new Map<string, RememberedPerson>()
  const exceptions = new Map<string, PersonException>()

  /** Names are decrypted when they are read, so those of a person who is only compared stay sealed. */
  const named: Readonly<Pick<Names, 'name' | 'workNumber'>> & ThisType<PersonFacts> = {
    get name() {
      return namesOf(this.id).name
    },
    get workNumber() {
      return namesOf(this.id).workNumber
    },
  }

  function contactOf(personId: string, faceId: string): string | null {
    return persons.get(personId)?.contacts?.find(({ faceIds }) => faceIds.includes(faceId))?.id ?? null
  }

  return {
    persons,
    exceptions,
    remember({ contacts, ...facts }) {
      const whole = contacts?.map((contact) => ({
        ...contact,
        get name() {
          return namesOf(facts.id).contacts[contact.id] ?? ''
        },
      }))
      persons.set(facts.id, Object.assign(Object.create(named) as typeof named, facts, whole && { contacts: whole }))
    },
    except: (exception) => void exceptions.set(exception.personId, exception),
    recognise(personId, faces) {
      for (const { faceId, embedding } of faces) {
        const alone = contactOf(personId, faceId) !== null
        gallery.add(SEGMENT, { modelId: model.modelId, personId, photoId: faceId, embedding, alone })
      }
    },
    forget(personId) {
      persons.delete(personId)
      exceptions.delete(personId)
      gallery.remove(SEGMENT, personId)
    },
    contactOf,
    search: (embedding, limit) => gallery.search(SEGMENT, { modelId: model.modelId, embedding }, { limit }),
    faces: () => gallery.size(SEGMENT),
  }
}
