/**
 * The persons a face may belong to. Some people are registered more than once: as a contact of several children, or both as staff and as a
 * contact. All these entries are one human and do not compete. Any other entry is a rival, and the face must match the human better by the
 * usual margin.
 */
import type { FaceMatch, SearchableHoldings } from '../store/holdings.ts'

/** A face of a person, or of a contact (`contactId`). */
export type Candidate = Pick<FaceMatch, 'personId' | 'distance'> & { contactId: string | null }

export interface FaceOwner {
  /** The nearest candidate of `same`. */
  nearest: Candidate
  /**
   * All candidates that are the nearest human, each for another person, in the order in which they are admitted: own faces before those of
   * contacts, then by the person's id. The distance does not decide here, because each picture would then name another child.
   */
  same: readonly Candidate[]
  /** Return the nearest face of another human that does not belong to this candidate's person; null if there is none. */
  rivalOf(candidate: Candidate): Candidate | null
}

export type Searched = Pick<SearchableHoldings, 'nearest' | 'nearestOf' | 'person'>

/** Number of persons searched first; more are searched only if all of them are the same human. */
const FIRST = 8

/** @returns null if nobody is stored */
export function ownerOfFace(holdings: Searched, embedding: Float32Array): FaceOwner | null {
  const humanOf = ({ personId, contactId }: Omit<Candidate, 'distance'>): string | undefined => {
    const person = holdings.person(personId)
    return contactId === null ? person?.human : person?.contacts?.find(({ id }) => id === contactId)?.human
  }
  /** Return whether two candidates are one human: the server says so, or they have the same photograph and so exactly the same distance. */
  const areSame = (one: Candidate, other: Candidate): boolean => {
    const human = humanOf(one)
    return (human !== undefined && human === humanOf(other)) || one.distance === other.distance
  }

  function ownerAmong(matches: readonly Candidate[]): FaceOwner | null {
    const [nearest] = matches
    if (nearest === undefined) return null
    const same = [nearest]
    const rivals: Candidate[] = []
    for (const match of matches.slice(1)) {
      // Two persons are never one human, whatever they share: one of the two must be a contact, otherwise they compete.
      const isSecondPerson = match.contactId === null && same.some(({ contactId }) => contactId === null)
      if (!isSecondPerson && areSame(nearest, match)) same.push(match)
      else rivals.push(match)
    }
    // A search finds one face for each person, so behind the mother's face the child's own may be next.
    if (same.length > 1) for (const candidate of same) rivals.push(...othersFor(candidate, nearest))
    rivals.sort((one, other) => one.distance - other.distance)
    return { nearest, same: same.toSorted(inOrder), rivalOf: ({ personId }) => rivals.find((rival) => rival.personId !== personId) ?? null }
  }

  /** Return the nearest face of a candidate's person that belongs to another human. */
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
    const owner = ownerAmong(matches)
    if (owner === null || matches.length < most || owner.same.length < matches.length) return owner
  }
}

const inOrder = (one: Candidate, other: Candidate): number =>
  Number(one.contactId !== null) - Number(other.contactId !== null) || (one.personId < other.personId ? -1 : 1)
