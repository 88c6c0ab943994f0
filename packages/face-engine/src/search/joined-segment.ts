/**
 * One segment in which several photographs of a person are one template where the model knows their mean. Templates of
 * one photograph, of two and of three lie apart, for their distances mean different things: each part is searched
 * exactly, and what they find is put in one order by the distance of a single photograph.
 */
import type { Calibration } from '../calibration.ts'
import { asOfMean, asOfOne, joins, meanOf } from '../means.ts'
import type { GalleryEntry, GalleryMatch, GallerySearch } from './entry.ts'
import type { Kernel } from './kernel.ts'
import type { Rows } from './rows.ts'
import { Segment } from './segment.ts'
import { squaredDistance } from './squared-distance.ts'

/** Id of the photograph that stands for a mean; no photograph has it. */
const MEAN = ''

/** A person's own photographs, in the order in which they came; null for one whose numbers are those of its row. */
type Photos = Map<string, Float32Array | null>

export class JoinedSegment {
  readonly #empty: () => Segment
  readonly #calibration: Calibration | undefined
  /** Templates of one photograph, then of the mean of two, and so on. */
  readonly #parts: Segment[] = []
  readonly #photosOf = new Map<string, Photos>()

  constructor(rows: Rows, kernel: Kernel, calibration: Calibration | undefined) {
    this.#empty = () => new Segment(rows, kernel)
    // Where no mean is known nothing is kept beside the rows.
    this.#calibration = calibration?.means?.length ? calibration : undefined
  }

  /** What a face is compared with. */
  get templates(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  /** @throws RangeError when the memory is full */
  put({ personId, photoId, embedding, alone = false }: GalleryEntry): void {
    if (this.#calibration === undefined || alone) return this.#part(1).put(personId, photoId, embedding)
    const photos: Photos = this.#photosOf.get(personId) ?? new Map<string, Float32Array | null>()
    this.#lift(personId, photos)
    photos.set(photoId, new Float32Array(embedding))
    this.#photosOf.set(personId, photos)
    this.#lay(personId, photos)
  }

  /** @returns how many photographs were removed */
  remove(personId: string, photoId: string | undefined): number {
    const photos = this.#photosOf.get(personId)
    const own = photoId === undefined ? (photos?.size ?? 0) : Number(photos?.has(photoId) === true)
    if (photos !== undefined && own > 0) {
      this.#lift(personId, photos)
      if (photoId === undefined) photos.clear()
      else photos.delete(photoId)
      if (photos.size === 0) this.#photosOf.delete(personId)
      else this.#lay(personId, photos)
    }
    // What stands by itself is among the single ones.
    return own > 0 && photoId !== undefined ? own : own + (this.#parts[0]?.remove(personId, photoId) ?? 0)
  }

  /** Gives everything back. */
  clear(): void {
    for (const part of this.#parts) part.clear()
    this.#photosOf.clear()
  }

  search(numbers: Float32Array, limit: number, within: number, filter: Pick<GallerySearch, 'except' | 'only'>): GalleryMatch[] {
    const [singles] = this.#parts
    const calibration = this.#calibration
    if (calibration === undefined || this.#parts.length === 1) return singles?.search(numbers, limit, within, filter) ?? []
    const found = this.#parts.flatMap((part, at) => {
      if (part.size === 0) return []
      const matches = part.search(numbers, limit, asOfMean(calibration, within, at + 1), filter)
      return matches.map(({ personId, photoId, distance }): GalleryMatch => ({
        personId,
        photoId: photoId === MEAN ? this.#nearest(personId, numbers) : photoId,
        distance: asOfOne(calibration, distance, at + 1),
      }))
    })
    const inOrder = found
      .filter(({ distance }) => distance <= within)
      .sort((a, b) => a.distance - b.distance || (a.personId < b.personId ? -1 : a.personId > b.personId ? 1 : 0))
    const seen = new Set<string>()
    return inOrder.filter(({ personId }) => !seen.has(personId) && seen.add(personId)).slice(0, limit)
  }

  #part(photographs: number): Segment {
    while (this.#parts.length < photographs) this.#parts.push(this.#empty())
    return this.#parts[photographs - 1]!
  }

  /** Takes a person's own templates out, with their numbers. */
  #lift(personId: string, photos: Photos): void {
    const [singles, ...means] = this.#parts
    for (const [photoId, numbers] of photos) {
      if (numbers === null) photos.set(photoId, singles!.numbersOf(personId, photoId))
      singles?.remove(personId, photoId)
    }
    for (const part of means) part.remove(personId, MEAN)
  }

  /** Puts them in again: as one where the model knows the mean of so many, else each by itself. */
  #lay(personId: string, photos: Photos): void {
    const count = photos.size
    if (count > 1 && joins(this.#calibration!, count)) {
      this.#part(count).put(personId, MEAN, meanOf([...photos.values()] as Float32Array[]))
      return
    }
    for (const [photoId, numbers] of photos) {
      this.#part(1).put(personId, photoId, numbers!)
      photos.set(photoId, null)
    }
  }

  /** Which of the photographs behind a mean comes nearest. */
  #nearest(personId: string, numbers: Float32Array): string {
    let [nearest, least] = ['', Infinity]
    for (const [photoId, own] of this.#photosOf.get(personId)!) {
      const squared = squaredDistance(numbers, own!, 0)
      if (squared < least || (squared === least && photoId < nearest)) [nearest, least] = [photoId, squared]
    }
    return nearest
  }
}
