/**
 * Persons of a register by index, stored in columns of what is compared: objects for 100,000 persons would take many times the memory. An
 * index is never given to another person.
 */
import { DIGEST_BUCKETS, bucketOf } from '@gatehouse/contract/device/protocol'
import { Bits } from './bits.ts'
import type { ContactFacts, FaceFacts, PersonFacts } from './register-facts.ts'
import { contactsWordOf, contentWordOf, hasCredentials, humanWordOf, type Content } from './register-versions.ts'
import type { Word } from './words.ts'

/** Persons are sent to devices this long before their validity begins, and removed when it ends. */
export const ENTERS_BEFORE_MS = 7 * 86_400_000

export interface RegisterPersons {
  /** Number of persons who are or were of the park. */
  count(): number
  /** Return the index of a person; undefined for a person who never was of the park. */
  indexOf(id: string): number | undefined
  idAt(index: number): string
  groupAt(index: number): string | undefined
  /** Number of photographs of a person; `contactFacesAt`: of their contacts. */
  facesAt(index: number): number
  contactFacesAt(index: number): number
  contentAt(index: number): Content
  isInTime(index: number, now: number): boolean
  /** Indexes of the persons of a bucket. Deleted persons stay in it, but are in no bitset. */
  inBucket(bucket: number): readonly number[]
  /** Add a person; return their index. */
  add(id: string): number
  put(index: number, person: PersonFacts, faces: FaceFacts, contacts: readonly ContactFacts[]): void
  /** Mark a person as deleted: the index stays. */
  remove(index: number): void
}

/** Validity of a deleted person. */
const NEVER = { from: Infinity, to: -Infinity }

export function createRegisterPersons(): RegisterPersons {
  const indexes = new Map<string, number>()
  const ids: string[] = []
  const groups: string[] = []
  const words: Word[] = []
  /** Words of contacts, kept apart: contacts are sent to some audiences and not to others. */
  const contactWords: (Word | null)[] = []
  const humanWords: (Word | null)[] = []
  const photographs: number[] = []
  const contactPhotographs: number[] = []
  /** Persons with credentials: their version depends on the kinds of credentials that are sent. */
  const credentialed = new Bits()
  const validity: { from: number; to: number }[] = []
  const buckets: number[][] = Array.from({ length: DIGEST_BUCKETS }, () => [])

  return {
    count: () => ids.length,
    indexOf: (id) => indexes.get(id),
    idAt: (index) => ids[index]!,
    groupAt: (index) => groups[index],
    facesAt: (index) => photographs[index] ?? 0,
    contactFacesAt: (index) => contactPhotographs[index] ?? 0,
    contentAt: (index) => ({
      person: words[index]!,
      contacts: contactWords[index] ?? null,
      human: humanWords[index] ?? null,
      hasCredentials: credentialed.has(index),
    }),
    isInTime(index, now) {
      const { from, to } = validity[index]!
      return from <= now + ENTERS_BEFORE_MS && to >= now
    },
    inBucket: (bucket) => buckets[bucket] ?? [],
    add(id) {
      const index = ids.push(id) - 1
      indexes.set(id, index)
      buckets[bucketOf(id)]!.push(index)
      return index
    },
    put(index, person, faces, contacts) {
      groups[index] = person.groupId
      words[index] = contentWordOf(person, faces)
      contactWords[index] = contactsWordOf(contacts)
      humanWords[index] = humanWordOf(person)
      photographs[index] = faces.faceIds.length
      contactPhotographs[index] = contacts.length
      credentialed.set(index, hasCredentials(person))
      validity[index] = { from: person.validFrom ?? -Infinity, to: person.validTo ?? Infinity }
    },
    remove(index) {
      validity[index] = NEVER
    },
  }
}
