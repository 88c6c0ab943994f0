/** The photographs of one segment: rows without gaps, because removing one moves the last into its place. */
import type { ProbeTerms } from './bound.ts'
import { boundOf } from './bound.ts'
import type { GalleryMatch, GallerySearch } from './entry.ts'
import type { Kernel } from './kernel.ts'
import { Ranking } from './ranking.ts'
import { CHUNK_ROWS } from './code-blocks.ts'
import type { Rows } from './rows.ts'
import { squaredDistance } from './squared-distance.ts'

interface Person {
  id: string
  /** Rows of the photographs. */
  photos: Map<string, number>
}

/** Rows that the kernel passes over in the time in which one person is looked up and compared, and somewhat fewer. */
const ROWS_PER_PERSON = 32

export class Segment {
  readonly #rows: Rows
  readonly #kernel: Kernel
  readonly #chunks: number[] = []
  readonly #people = new Map<string, Person>()
  /** Whose each row is, and which photograph. */
  readonly #personOf: Person[] = []
  readonly #photoOf: string[] = []

  constructor(rows: Rows, kernel: Kernel) {
    this.#rows = rows
    this.#kernel = kernel
  }

  get size(): number {
    return this.#photoOf.length
  }

  /** @throws RangeError when the memory is full; the segment is then as it was */
  put(personId: string, photoId: string, numbers: Float32Array): void {
    let person = this.#people.get(personId)
    const present = person?.photos.get(photoId)
    if (present !== undefined) {
      this.#rows.put(this.#chunkOf(present), present % CHUNK_ROWS, numbers)
      return
    }
    const row = this.size
    if (row === this.#chunks.length * CHUNK_ROWS) this.#chunks.push(this.#rows.takeChunk())
    this.#rows.put(this.#chunkOf(row), row % CHUNK_ROWS, numbers)
    if (person === undefined) this.#people.set(personId, (person = { id: personId, photos: new Map() }))
    person.photos.set(photoId, row)
    this.#personOf.push(person)
    this.#photoOf.push(photoId)
  }

  /** A copy of one photograph's numbers; null where it is not here. */
  numbersOf(personId: string, photoId: string): Float32Array | null {
    const row = this.#people.get(personId)?.photos.get(photoId)
    if (row === undefined) return null
    const [chunk, start] = [this.#chunkOf(row), this.#rows.startOf(this.#chunkOf(row), row % CHUNK_ROWS)]
    return this.#rows.slabOf(chunk).slice(start, start + this.#rows.dimensions)
  }

  /** @returns how many photographs were removed */
  remove(personId: string, photoId: string | undefined): number {
    const person = this.#people.get(personId)
    if (person === undefined) return 0
    const removed = photoId === undefined ? [...person.photos.keys()] : person.photos.has(photoId) ? [photoId] : []
    for (const id of removed) {
      this.#vacate(person.photos.get(id)!)
      person.photos.delete(id)
    }
    if (person.photos.size === 0) this.#people.delete(personId)
    return removed.length
  }

  /** Gives everything back. */
  clear(): void {
    for (let row = 0; row < this.size; row++) this.#rows.clear(this.#chunkOf(row), row % CHUNK_ROWS)
    for (const chunk of this.#chunks) this.#rows.giveBack(chunk)
    this.#chunks.length = 0
    this.#people.clear()
    this.#personOf.length = 0
    this.#photoOf.length = 0
  }

  #chunkOf(row: number) {
    return this.#chunks[Math.floor(row / CHUNK_ROWS)]!
  }

  #vacate(row: number) {
    const last = this.size - 1
    const person = this.#personOf.pop()!
    const photoId = this.#photoOf.pop()!
    if (row !== last) {
      this.#rows.move(this.#chunkOf(last), last % CHUNK_ROWS, this.#chunkOf(row), row % CHUNK_ROWS)
      this.#personOf[row] = person
      this.#photoOf[row] = photoId
      person.photos.set(photoId, row)
    }
    this.#rows.clear(this.#chunkOf(last), last % CHUNK_ROWS)
    if (last % CHUNK_ROWS === 0) this.#rows.giveBack(this.#chunks.pop()!)
  }

  search(numbers: Float32Array, limit: number, within: number, filter: Pick<GallerySearch, 'except' | 'only'>): GalleryMatch[] {
    const ranking = new Ranking(limit, within)
    const { except, only } = filter
    if (only !== undefined && only.size * ROWS_PER_PERSON < this.size) {
      for (const personId of only) if (!except?.has(personId)) this.#compare(numbers, personId, ranking)
      return ranking.matches()
    }
    const terms = this.#rows.putProbe(numbers)
    for (let index = 0; index < this.#chunks.length; index++) this.#searchChunk(index, numbers, terms, ranking, filter)
    return ranking.matches()
  }

  /** Offers all photographs of one person. */
  #compare(numbers: Float32Array, personId: string, ranking: Ranking) {
    for (const [photoId, row] of this.#people.get(personId)?.photos ?? []) {
      const chunk = this.#chunkOf(row)
      ranking.offer(personId, photoId, squaredDistance(numbers, this.#rows.slabOf(chunk), this.#rows.startOf(chunk, row % CHUNK_ROWS)))
    }
  }

  /** Asks the kernel for the next rows that may be near enough, looks at them exactly, and goes on behind them with a smaller bound. */
  #searchChunk(
    index: number,
    numbers: Float32Array,
    terms: ProbeTerms,
    ranking: Ranking,
    { except, only }: Pick<GallerySearch, 'except' | 'only'>,
  ) {
    const { probe, width } = this.#rows
    const { scale, square, length, error } = terms
    const chunk = this.#chunks[index]!
    const address = this.#rows.addressOf(chunk)
    let from = 0
    while (from < CHUNK_ROWS) {
      const found = this.#kernel.scan(address, from, probe, width, scale, square, length, error, boundOf(ranking.bound))
      if (found < 0) return
      const first = found >> 4
      for (let row = first; row < first + 4; row++) {
        if ((found & (1 << (row - first))) === 0) continue
        const at = index * CHUNK_ROWS + row
        const person = this.#personOf[at]!
        if (except?.has(person.id) === true || only?.has(person.id) === false) continue
        ranking.offer(person.id, this.#photoOf[at]!, squaredDistance(numbers, this.#rows.slabOf(chunk), this.#rows.startOf(chunk, row)))
      }
      from = first + 4
    }
  }
}
