/** Photographs this tab has had checked: their pictures, and the persons they look like, for as long as the page stands. */
import type { CachedFace, SimilarPerson } from '@gatehouse/contract/faces/calls'

const checked = new Map<string, CachedFace>()

export const rememberFace = (photo: CachedFace): void => void checked.set(photo.faceId, photo)
/** Undefined for a photograph that was checked elsewhere, or before the page was loaded again. */
export const rememberedFace = (faceId: string): CachedFace | undefined => checked.get(faceId)

/** The persons these photographs look like, each once, by the photograph that came nearest. */
export function similarTo(faceIds: readonly string[]): SimilarPerson[] {
  const best = new Map<string, SimilarPerson>()
  for (const person of faceIds.flatMap((faceId) => checked.get(faceId)?.similar ?? []))
    if (person.score > (best.get(person.personId)?.score ?? -1)) best.set(person.personId, person)
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}

/** What was said of somebody who looks alike: another person who has to be told apart, or nobody to be minded. */
export type Likeness = 'twin' | 'other'
export type Likenesses = Record<string, Likeness>

/** Whether everybody these photographs look like has been spoken of. */
export const decided = (faceIds: readonly string[], likenesses: Likenesses = {}): boolean =>
  similarTo(faceIds).every(({ personId }) => likenesses[personId] !== undefined)
/** Those who are to be remembered as looking like the person of these photographs. */
export const twinsOf = (faceIds: readonly string[], likenesses: Likenesses = {}): string[] =>
  similarTo(faceIds).flatMap(({ personId }) => (likenesses[personId] === 'twin' ? [personId] : []))
