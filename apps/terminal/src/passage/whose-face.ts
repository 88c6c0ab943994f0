/**
 * Whose face it may be. Some are registered more than once: as a contact of several children, as one of the staff and as a contact. All
 * these are one human, of whom none need lead the others; everybody else is a rival, whom a face must lead as ever.
 */
import type { FaceMatch, SearchableHoldings } from '../store/holdings.ts'

/** A face of a person, or of a contact (`contactId`). */
export type Candidate = Pick<FaceMatch, 'personId' | 'distance'> & { contactId: string | null }

export interface Whose {
  /** Of `same`, the one that comes nearest. */
  nearest: Candidate
  /**
   * All that are the human who comes nearest, each for another person, in the order in which they are let in: the own face before those of
   * contacts, then by the person's id. The distance does not matter there: each picture would name another child.
   */
  same: readonly Candidate[]
  /** The best of all faces of other humans that is not of this candidate's person; null where there is none. */
  rivalOf(candidate: Candidate): Candidate | null
}

export type Searched = Pick<SearchableHoldings, 'nearest' | 'nearestOf' | 'person'>

/** Persons looked at first; more only where all of them are the same human. */
const FIRST = 8

/** @returns null where nobody is held */
export function whoseFace(holdings: Searched, embedding: Float32Array): Whose | null {
  const humanOf = ({ personId, contactId }: Omit<Candidate, 'distance'>): string | undefined => {
    const person = holdings.person(personId)
    return contactId === null ? person?.human : person?.contacts?.find(({ id }) => id === contactId)?.human
  }
  /** What the server says is one human; and what has the same photograph, which is as far from this face to the last bit. */
  const areSame = (one: Candidate, other: Candidate): boolean => {
    const human = humanOf(one)
    return (human !== undefined && human === humanOf(other)) || one.distance === other.distance
  }

  function told(matches: readonly Candidate[]): Whose | null {
    const [nearest] = matches
    if (nearest === undefined) return null
    const same = [nearest]
    const rivals: Candidate[] = []
    for (const match of matches.slice(1)) {
      // Two persons are two humans, whatever they have in common: one of them is a contact, or they compete.
      const isSecondPerson = match.contactId === null && same.some(({ contactId }) => contactId === null)
      if (!isSecondPerson && areSame(nearest, match)) same.push(match)
      else rivals.push(match)
    }
    // A search tells of one face for each person: behind that of the mother may stand the child's own.
    if (same.length > 1) for (const candidate of same) rivals.push(...othersFor(candidate, nearest))
    rivals.sort((one, other) => one.distance - other.distance)
    return { nearest, same: same.toSorted(inOrder), rivalOf: ({ personId }) => rivals.find((rival) => rival.personId !== personId) ?? null }
  }

  /** The nearest of the faces of a candidate's person that are of somebody else. */
  function othersFor(candidate: Candidate, nearest: Candidate): Candidate[] {
    const { personId } = candidate
    const human = humanOf(nearest)
    const isOther = (contactId: string | null) =>
      contactId !== candidate.contactId && (human === undefined || humanOf({ personId, contactId }) !== human)
    const other = holdings.nearestOf(personId, embedding, isOther)
    return other ? [{ personId, ...other }] : []
  }

  for (let most = FIRST; ; most *= 4) {
    const matches = holdings.nearest(embedding, most).map(({ personId, distance, contactId = null }) => ({ personId, distance, contactId }))
    const whose = told(matches)
    if (whose === null || matches.length < most || whose.same.length < matches.length) return whose
  }
}

const inOrder = (one: Candidate, other: Candidate): number =>
  Number(one.contactId !== null) - Number(other.contactId !== null) || (one.personId < other.personId ? -1 : 1)
