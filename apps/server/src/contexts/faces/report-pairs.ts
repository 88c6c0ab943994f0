/** The pairs of photographs that a report compares, and their distances. Pure. */
import { randomOf } from '@gatehouse/face-engine/portrait/random'

/** Photographs by one model, those of a person next to each other. */
export interface ReportGallery {
  dimensions: number
  /** Photograph after photograph. */
  embeddings: Float32Array
  /** Place of the first photograph of each person, and at the end the number of all photographs. */
  starts: Uint32Array
}

export interface PairCounts {
  photos: number
  genuine: number
  /** All existing pairs; more than are compared where they exceed the bound. */
  impostor: number
}

/** Largest numbers of pairs of different persons that are compared. */
export interface PairBounds {
  /** Of the whole gallery: a false match in 100,000 is seen fifty times. */
  all: number
  /** Of each other part. Each part draws its own pairs: a small one gets all of them, however large the gallery is. */
  part: number
}
export const PAIR_BOUNDS: PairBounds = { all: 5_000_000, part: 1_000_000 }

/** Receive a pair: two persons by their numbers in the gallery, the same number twice where the pair is genuine. */
export type TakePair = (first: number, second: number, distance: number) => void

const photosOf = ({ starts }: ReportGallery, person: number): number => starts[person + 1]! - starts[person]!

/** Return how many pairs some persons make. */
export function countPairs(gallery: ReportGallery, persons: Uint32Array): PairCounts {
  let photos = 0
  let squares = 0
  for (const person of persons) {
    const own = photosOf(gallery, person)
    photos += own
    squares += own * own
  }
  return { photos, genuine: (squares - photos) / 2, impostor: (photos * photos - squares) / 2 }
}

/** Return the Euclidean distance of two photographs by their places. */
export function distanceBetween({ embeddings, dimensions }: ReportGallery, one: number, other: number): number {
  let a = one * dimensions
  let b = other * dimensions
  let even = 0
  let odd = 0
  const end = a + dimensions - 1
  // Two sums that the processor can add independently of each other.
  for (; a < end; a += 2, b += 2) {
    const step = embeddings[a]! - embeddings[b]!
    const next = embeddings[a + 1]! - embeddings[b + 1]!
    even += step * step
    odd += next * next
  }
  if (a === end) even += (embeddings[a]! - embeddings[b]!) ** 2
  return Math.sqrt(even + odd)
}

/** Visit all pairs of photographs of one person. */
export function genuinePairs(gallery: ReportGallery, persons: Uint32Array, take: TakePair): void {
  const { starts } = gallery
  for (const person of persons)
    for (let one = starts[person]!; one < starts[person + 1]!; one++)
      for (let other = one + 1; other < starts[person + 1]!; other++) take(person, person, distanceBetween(gallery, one, other))
}

/**
 * Visit pairs of photographs of different persons: all of them, those of the same two persons in a row. Above the bound, that
 * many pairs are drawn by the seed, with repetition: each person equally often, against any other person.
 */
export function impostorPairs(
  gallery: ReportGallery,
  persons: Uint32Array,
  { bound, seed }: { bound: number; seed: string },
  take: TakePair,
): void {
  const { starts } = gallery
  if (countPairs(gallery, persons).impostor <= bound) {
    for (const [place, person] of persons.entries())
      for (const other of persons.subarray(place + 1))
        for (let photo = starts[person]!; photo < starts[person + 1]!; photo++)
          for (let otherPhoto = starts[other]!; otherPhoto < starts[other + 1]!; otherPhoto++)
            take(person, other, distanceBetween(gallery, photo, otherPhoto))
    return
  }
  const random = randomOf(seed)
  const below = (limit: number) => Math.floor(random.next() * limit)
  for (let drawn = 0; drawn < bound; drawn++) {
    const place = drawn % persons.length
    const person = persons[place]!
    // At least one place further in the circle, and never back to the same person.
    const other = persons[(place + 1 + below(persons.length - 1)) % persons.length]!
    take(
      person,
      other,
      distanceBetween(gallery, starts[person]! + below(photosOf(gallery, person)), starts[other]! + below(photosOf(gallery, other))),
    )
  }
}

/** Return the places of at most `limit` photographs to search with: everybody's first before anybody's second. */
export function probesOf({ starts }: ReportGallery, limit: number): Uint32Array {
  const persons = starts.length - 1
  const probes = new Uint32Array(Math.min(starts[persons]!, limit))
  let found = 0
  for (let rank = 0; found < probes.length; rank++)
    for (let person = 0; person < persons && found < probes.length; person++)
      if (starts[person]! + rank < starts[person + 1]!) probes[found++] = starts[person]! + rank
  return probes
}
