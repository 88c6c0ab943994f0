/** Made-up galleries of which the true error rates are known. */
import { randomOf } from '../../portrait/random.ts'

export interface Gallery {
  persons: number
  photos: number
  /** Of the spread of distances, what lies in the persons: how much some are more easily mistaken than others. */
  personShare: number
}

/** Normal numbers, mean 0, variance 1. */
export function normalsOf(seed: string): () => number {
  const random = randomOf(seed)
  return () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

/** Distances of pairs of different people: mean 10, variance 1, with shares of the persons, their photographs and each pair of persons. */
export function impostorPairs(
  { persons, photos, personShare }: Gallery,
  normal: () => number,
  add: (first: number, second: number, distance: number) => void,
): void {
  const times = (variance: number) => normal() * Math.sqrt(variance)
  const rest = 1 - 1.5 * personShare
  const people = Array.from({ length: persons }, () => {
    const own = times(personShare / 2)
    return Array.from({ length: photos }, () => own + times(personShare / 4))
  })
  for (const [first, ones] of people.entries()) {
    for (const [second, others] of people.entries()) {
      if (second >= first) break
      const pair = times(0.6 * rest)
      for (const one of ones) for (const other of others) add(first, second, 10 + one + other + pair + times(0.4 * rest))
    }
  }
}

/** Distances of pairs of one person: mean 10, variance 1. */
export function genuinePairs(
  { persons, photos, personShare }: Gallery,
  normal: () => number,
  add: (first: number, second: number, distance: number) => void,
): void {
  const times = (variance: number) => normal() * Math.sqrt(variance)
  const ofPhotos = 0.3 * (1 - personShare)
  for (let person = 0; person < persons; person++) {
    const own = times(personShare)
    const each = Array.from({ length: photos }, () => times(ofPhotos))
    for (const [photo, one] of each.entries()) {
      for (const other of each.slice(0, photo)) add(person, person, 10 + own + one + other + times(1 - personShare - 2 * ofPhotos))
    }
  }
}
