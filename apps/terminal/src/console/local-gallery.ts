/** Faces of the people registered here, as far as the running engine can compare them. */
import { distanceToAll, FaceGallery, type GalleryMatch } from '@gatehouse/face-engine'
import type { Model } from '../store/holdings.ts'

const SEGMENT = 'local'
/** The best person, and the one the best must be ahead of. */
const NEAREST = 2

export interface LocalGallery {
  add(personId: string, faceId: string, embedding: Float32Array): void
  remove(personId: string, faceId: string): void
  clear(): void
  /** Return null for a face that cannot be compared. */
  embedding(faceId: string): Float32Array | null
  /** Return the two nearest persons. */
  nearest(embedding: Float32Array): GalleryMatch[]
  /** Return the distance to the nearest of these faces; null if none of them can be compared. */
  distanceTo(faceIds: readonly string[], embedding: Float32Array): number | null
  size(): number
}

export function createLocalGallery(model: Model): LocalGallery {
  const gallery = new FaceGallery(model)
  const embeddings = new Map<string, Float32Array>()
  return {
    add(personId, faceId, embedding) {
      embeddings.set(faceId, embedding)
      gallery.add(SEGMENT, { modelId: model.modelId, personId, photoId: faceId, embedding })
    },
    remove(personId, faceId) {
      embeddings.delete(faceId)
      gallery.remove(SEGMENT, personId, faceId)
    },
    clear() {
      embeddings.clear()
      gallery.drop(SEGMENT)
    },
    embedding: (faceId) => embeddings.get(faceId) ?? null,
    nearest: (embedding) => gallery.search(SEGMENT, { modelId: model.modelId, embedding }, { limit: NEAREST }),
    distanceTo(faceIds, embedding) {
      const own = faceIds.flatMap((face) => embeddings.get(face) ?? [])
      const template = (numbers: Float32Array) => ({ modelId: model.modelId, embedding: numbers })
      return own.length === 0 ? null : distanceToAll(model.calibration, own.map(template), template(embedding))
    },
    size: () => gallery.size(SEGMENT),
  }
}
