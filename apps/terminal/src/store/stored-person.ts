/** Persons of the store as decisions read them. */
import type { AccessPerson } from '@gatehouse/access-rules'
import type { Calibration } from '@gatehouse/face-engine'

/** A contact who may come in a person's place; the faces are stored with the person's. */
export interface StoredContact {
  id: string
  name: string
  faceIds: readonly string[]
  /** Contacts and persons with the same value are the same human. */
  human?: string | undefined
}

export interface StoredPerson extends AccessPerson {
  name: string
  workNumber: string
  /** Contacts who may come in the person's place; absent: nobody. */
  contacts?: readonly StoredContact[]
  /** As in contacts. */
  human?: string | undefined
}

/** A person as decisions read them, without names, which are stored sealed. */
export interface PersonFacts extends Omit<StoredPerson, 'name' | 'workNumber' | 'contacts'> {
  version: string
  strategyIds: readonly string[]
  contacts?: readonly Omit<StoredContact, 'name'>[]
}

/** The model whose embeddings can be compared here. */
export interface Model {
  modelId: string
  dimensions: number
  /** Relation of distances to scores. If it contains the mean of several photographs of a person, these are one template. */
  calibration?: Calibration
}
