/** What the tests of the search are made of: entries, galleries, numbers that try it, and the answer by trying everything. */
import fc from 'fast-check'
import type { GalleryEntry, GalleryMatch, GallerySearch } from '../entry.ts'

export const MODEL = 'm'

/** A photograph whose embedding begins with these numbers and goes on with zeros. */
export function entryOf(dimensions: number, personId: string, photoId: string, numbers: readonly number[] = []): GalleryEntry {
  return { personId, photoId, modelId: MODEL, embedding: Float32Array.from({ length: dimensions }, (_, i) => numbers[i] ?? 0) }
}

/** Numbers of one embedding: everyday ones, few different ones (so that many distances are the same), and whatever 32 bits can be. */
export const embeddingNumbers = (dimensions: number): fc.Arbitrary<number[]> => {
  const of = (number: fc.Arbitrary<number>) => fc.array(number, { minLength: dimensions, maxLength: dimensions })
  return fc.oneof(
    { weight: 4, arbitrary: of(fc.double({ min: -1, max: 1, noNaN: true })) },
    { weight: 3, arbitrary: of(fc.constantFrom(-1, 0, 1)) },
    { weight: 1, arbitrary: of(fc.double({ min: -1e-40, max: 1e-40, noNaN: true })) },
    { weight: 1, arbitrary: of(fc.float({ noNaN: true, noDefaultInfinity: true })) },
  )
}

/** The answer by trying everything and sorting it; nothing of the search is used. */
export function byTryingEverything(
  entries: readonly GalleryEntry[],
  probe: Float32Array,
  { limit = 5, within = Infinity, except, only }: GallerySearch = {},
): GalleryMatch[] {
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  const all = entries
    .filter(({ personId }) => !except?.has(personId) && only?.has(personId) !== false)
    .map(({ personId, photoId, embedding }) => ({
      personId,
      photoId,
      squared: embedding.reduce((sum, number, i) => sum + (probe[i]! - number) * (probe[i]! - number), 0),
    }))
    .filter(({ squared }) => within >= 0 && squared <= within * within)
    .sort((a, b) => a.squared - b.squared || text(a.personId, b.personId) || text(a.photoId, b.photoId))
  const first = all.filter(({ personId }, place) => all.findIndex((other) => other.personId === personId) === place)
  return first.slice(0, limit).map(({ personId, photoId, squared }) => ({ personId, photoId, distance: Math.sqrt(squared) }))
}

/** Repeatable numbers, evenly from −1 to 1. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}
