/** One against many: whose face is nearest? Exact, so nobody is missed because of an index. */
import { IncompatibleModel } from './match.ts'
import type { Template } from './match.ts'

export interface GalleryEntry extends Template {
  personId: string
  photoId: string
}

export interface GalleryMatch {
  personId: string
  /** The photograph of this person that came nearest. */
  photoId: string
  distance: number
}

/**
 * The templates of all persons, in memory, in segments that are searched one at a time (a segment is a park).
 * 128 numbers take 512 bytes: 100,000 photographs are 51 MB, and one search of them about 50 ms.
 */
export class FaceGallery {
  readonly modelId: string
  readonly dimensions: number
  readonly #segments = new Map<string, Segment>()

  constructor({ modelId, dimensions }: { modelId: string; dimensions: number }) {
    this.modelId = modelId
    this.dimensions = dimensions
  }

  /** Adds one photograph of a person, or replaces it. @throws IncompatibleModel, RangeError when the embedding has another length */
  add(segment: string, entry: GalleryEntry): void {
    this.#check(entry)
    let found = this.#segments.get(segment)
    if (!found) this.#segments.set(segment, (found = new Segment(this.dimensions)))
    found.put(entry)
  }

  /** Removes one photograph of a person, or all of them. @returns how many were removed */
  remove(segment: string, personId: string, photoId?: string): number {
    const found = this.#segments.get(segment)
    if (!found) return 0
    const removed = found.remove(personId, photoId)
    if (found.size === 0) this.#segments.delete(segment)
    return removed
  }

  /**
   * The persons whose photographs come nearest, nearest first, each person once.
   * @param limit persons at most, default 5
   * @param within leaves out persons farther than this distance
   * @throws IncompatibleModel
   */
  search(segment: string, probe: Template, { limit = 5, within = Infinity }: { limit?: number; within?: number } = {}): GalleryMatch[] {
    this.#check(probe)
    return this.#segments.get(segment)?.search(probe.embedding, limit, within) ?? []
  }

  /** Photographs held in a segment, or in all. */
  size(segment?: string): number {
    if (segment !== undefined) return this.#segments.get(segment)?.size ?? 0
    return [...this.#segments.values()].reduce((sum, { size }) => sum + size, 0)
  }

  #check({ modelId, embedding }: Template) {
    if (modelId !== this.modelId) throw new IncompatibleModel(this.modelId, modelId)
    if (embedding.length !== this.dimensions) {
      throw new RangeError(`an embedding of ${modelId} has ${this.dimensions} numbers, not ${embedding.length}`)
    }
  }
}

/** Rows of numbers without gaps: removing a row moves the last one into its place. */
class Segment {
  readonly #dimensions: number
  #numbers: Float32Array
  readonly #rows: { personId: string; photoId: string }[] = []
  readonly #rowsOf = new Map<string, Map<string, number>>()

  constructor(dimensions: number) {
    this.#dimensions = dimensions
    this.#numbers = new Float32Array(dimensions * 64)
  }

  get size() {
    return this.#rows.length
  }

  put({ personId, photoId, embedding }: GalleryEntry) {
    let photos = this.#rowsOf.get(personId)
    if (!photos) this.#rowsOf.set(personId, (photos = new Map()))
    let row = photos.get(photoId)
    if (row === undefined) {
      row = this.#rows.push({ personId, photoId }) - 1
      photos.set(photoId, row)
      this.#reserve(this.#rows.length)
    }
    this.#numbers.set(embedding, row * this.#dimensions)
  }

  remove(personId: string, photoId: string | undefined) {
    const photos = this.#rowsOf.get(personId)
    if (!photos) return 0
    const gone = photoId === undefined ? [...photos.keys()] : photos.has(photoId) ? [photoId] : []
    for (const id of gone) {
      this.#vacate(photos.get(id)!)
      photos.delete(id)
    }
    if (photos.size === 0) this.#rowsOf.delete(personId)
    return gone.length
  }

  #vacate(row: number) {
    const lastRow = this.#rows.length - 1
    const last = this.#rows.pop()!
    if (row === lastRow) return
    const width = this.#dimensions
    this.#numbers.copyWithin(row * width, lastRow * width, (lastRow + 1) * width)
    this.#rows[row] = last
    this.#rowsOf.get(last.personId)!.set(last.photoId, row)
  }

  #reserve(rows: number) {
    if (rows * this.#dimensions <= this.#numbers.length) return
    const grown = new Float32Array(this.#numbers.length * 2)
    grown.set(this.#numbers)
    this.#numbers = grown
  }

  search(probe: Float32Array, limit: number, within: number): GalleryMatch[] {
    const width = this.#dimensions
    const numbers = this.#numbers
    const best: { personId: string; photoId: string; squared: number }[] = []
    let bound = within === Infinity ? Infinity : within * within
    for (let row = 0; row < this.#rows.length; row++) {
      let squared = 0
      for (let i = 0, at = row * width; i < width; i++, at++) {
        const difference = probe[i]! - numbers[at]!
        squared += difference * difference
      }
      if (squared > bound) continue
      const { personId, photoId } = this.#rows[row]!
      const known = best.findIndex((match) => match.personId === personId)
      if (known >= 0) {
        if (best[known]!.squared <= squared) continue
        best.splice(known, 1)
      }
      const after = best.findIndex((match) => match.squared > squared)
      best.splice(after < 0 ? best.length : after, 0, { personId, photoId, squared })
      if (best.length > limit) best.pop()
      if (best.length === limit) bound = Math.min(bound, best[limit - 1]!.squared)
    }
    return best.map(({ personId, photoId, squared }) => ({ personId, photoId, distance: Math.sqrt(squared) }))
  }
}
