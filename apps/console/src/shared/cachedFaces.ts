/** Photographs that were checked in this tab: their pictures, and the persons they resemble, for as long as the page is open. */
import type { CachedFace, SimilarPerson } from '@gatehouse/contract/faces/calls'

const checked = new Map<string, CachedFace>()

export const rememberFace = (photo: CachedFace): void => void checked.set(photo.faceId, photo)
/** Return a checked photograph; undefined where it was checked elsewhere, or before the page was loaded again. */
export const rememberedFace = (faceId: string): CachedFace | undefined => checked.get(faceId)

/** Return the persons that these photographs resemble, each once, with the score of the most similar photograph. */
export function similarTo(faceIds: readonly string[]): SimilarPerson[] {
  const best = new Map<string, SimilarPerson>()
  for (const person of faceIds.flatMap((faceId) => checked.get(faceId)?.similar ?? []))
    if (person.score > (best.get(person.personId)?.score ?? -1)) best.set(person.personId, person)
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}

/** Decision about a person who looks alike: another person whom doors must not mix up, or one to be ignored. */
export type Likeness = 'twin' | 'other'
export type Likenesses = Record<string, Likeness>

/** Return whether there is a decision about everybody these photographs resemble. */
export const decided = (faceIds: readonly string[], likenesses: Likenesses = {}): boolean =>
  similarTo(faceIds).every(({ personId }) => likenesses[personId] !== undefined)
/** Return the ids of those to be stored as look-alikes of the person on these photographs. */
export const twinsOf = (faceIds: readonly string[], likenesses: Likenesses = {}): string[] =>
  similarTo(faceIds).flatMap(({ personId }) => (likenesses[personId] === 'twin' ? [personId] : []))
