/** The search as a plain loop: slow, short, and what the fast one has to equal in every bit. For tests and benchmarks. */
import { assertTemplate } from './entry.ts'
import type { GalleryEntry, GalleryMatch, GalleryModel, GallerySearch } from './entry.ts'
import type { Template } from '../match.ts'
import { Ranking } from './ranking.ts'
import { squaredDistance } from './squared-distance.ts'

/** One segment, to which photographs are only added. */
export class PlainGallery {
  readonly #model: GalleryModel
  readonly #rows: { personId: string; photoId: string }[] = []
  #numbers: Float32Array

  /** @param room photographs it is made for; it grows beyond */
  constructor(model: GalleryModel, room = 64) {
    this.#model = model
    this.#numbers = new Float32Array(room * model.dimensions)
  }

  /** @throws IncompatibleModel @throws RangeError */
  add(entry: GalleryEntry): void {
    assertTemplate(this.#model, entry)
    const start = this.#rows.push({ personId: entry.personId, photoId: entry.photoId }) * this.#model.dimensions - this.#model.dimensions
    if (start === this.#numbers.length) {
      const grown = new Float32Array(this.#numbers.length * 2)
      grown.set(this.#numbers)
      this.#numbers = grown
    }
    this.#numbers.set(entry.embedding, start)
  }

  search(probe: Template, { limit = 5, within = Infinity, except, only }: GallerySearch = {}): GalleryMatch[] {
    assertTemplate(this.#model, probe)
    const ranking = new Ranking(limit, within)
    for (let row = 0; row < this.#rows.length; row++) {
      const squared = squaredDistance(probe.embedding, this.#numbers, row * this.#model.dimensions)
      if (squared > ranking.bound) continue
      const { personId, photoId } = this.#rows[row]!
      if (!except?.has(personId) && only?.has(personId) !== false) ranking.offer(personId, photoId, squared)
    }
    return ranking.matches()
  }
}
