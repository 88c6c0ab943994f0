/** Comparison of a face with the stored ones: the nearest of all, and those of one person. */
import { distanceOf, distanceToAll, type GalleryMatch } from '@gatehouse/face-engine'
import type { PersonMemory } from './person-memory.ts'
import type { PersonTable } from './person-table.ts'
import type { Model } from './stored-person.ts'

/** The person with the nearest face. `contactId`: the contact the face belongs to; null or absent: the person. */
export interface FaceMatch extends GalleryMatch {
  contactId?: string | null
}

export interface FaceSearch {
  /**
   * Return the distance of a person's or their contacts' nearest face, and whose it is; null for a person without faces.
   * @param isLookedAt whether to compare the faces of a contact, or of the person (null); default: all
   */
  nearestOf(
    personId: string,
    embedding: Float32Array,
    isLookedAt?: (contactId: string | null) => boolean,
  ): { distance: number; contactId: string | null } | null
  /**
   * Return the `most` persons (default 2) with the nearest faces, own or contacts', nearest first and at any distance; fewer if fewer are
   * stored.
   */
  nearest(embedding: Float32Array, most?: number): FaceMatch[]
  faces(): number
}

export function createFaceSearch(model: Model, table: PersonTable, memory: PersonMemory): FaceSearch {
  const { modelId, calibration } = model
  return {
    nearestOf(personId, embedding, isLookedAt = () => true) {
      const face = { modelId, embedding }
      const stored = table.facesOf(personId).flatMap((sealed) => {
        const contactId = memory.contactOf(personId, sealed.id)
        const opened = isLookedAt(contactId) ? table.open(personId, sealed) : null
        return opened ? [{ contactId, template: { modelId, embedding: opened } }] : []
      })
      const own = stored.flatMap(({ contactId, template }) => (contactId === null ? [template] : []))
      const compared = [
        ...(own.length > 0 ? [{ contactId: null, distance: distanceToAll(calibration, own, face) }] : []),
        ...stored.flatMap(({ contactId, template }) => (contactId === null ? [] : [{ contactId, distance: distanceOf(template, face) }])),
      ]
      return compared.toSorted((one, other) => one.distance - other.distance)[0] ?? null
    },
    nearest: (embedding, most = 2) =>
      memory.search(embedding, most).map((match) => ({ ...match, contactId: memory.contactOf(match.personId, match.photoId) })),
    faces: memory.faces,
  }
}
