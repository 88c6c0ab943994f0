/** Versions of persons: 64-bit hashes of what a device is sent, by which server and device compare what they have. */
import { CREDENTIAL_KINDS, credentialsOf } from '@gatehouse/access-rules'
import { authorisedObject } from '@gatehouse/contract/enums'
import type { Bits } from './bits.ts'
import type { ContactFacts, FaceFacts, PersonFacts, StrategyFacts } from './register-facts.ts'
import { mixed, wordOf, type Word } from './words.ts'

export interface RegisterStrategy {
  facts: StrategyFacts
  word: Word
  persons: ReadonlySet<string>
  /** Whether contacts of the persons it covers are sent to its doors. */
  takesContacts: boolean
  /** Kinds of credentials its methods ask for, as bits. */
  kinds: number
  bits: Bits
}

/** Return a hash of what is sent of a person to a device, except the strategies. */
export const contentWordOf = (person: PersonFacts, { faceIds, threshold, loosens = false, lookAlikes }: FaceFacts): Word =>
  wordOf(
    JSON.stringify([
      person.id,
      person.name,
      person.workNumber ?? '',
      person.enabled,
      person.validFrom,
      person.validTo,
      faceIds,
      // Left out if there are none, as for most persons.
      ...(threshold === null && lookAlikes.length === 0 ? [] : [threshold, lookAlikes]),
      ...(loosens ? [{ loosens }] : []),
      ...(person.credentialsMark === undefined ? [] : [{ credentials: person.credentialsMark }]),
      ...(person.methods === undefined ? [] : [{ methods: person.methods }]),
    ]),
  )

/** Return a hash of what is sent of a person's contacts to a device that lets them pass; null if there are none. */
export const contactsWordOf = (contacts: readonly ContactFacts[]): Word | null =>
  contacts.length === 0
    ? null
    : wordOf(JSON.stringify(contacts.map(({ id, name, faceId, human }) => [id, name, faceId, ...(human === undefined ? [] : [human])])))

/** Return a hash of the mark by which devices recognise that a person is the same human as a contact; null if there is none. */
export const humanWordOf = ({ human }: Pick<PersonFacts, 'human'>): Word | null => (human === undefined ? null : wordOf(human))

/** Hashes of all that can be sent of a person to an audience. */
export interface Content {
  person: Word
  contacts: Word | null
  human: Word | null
  hasCredentials: boolean
}

/** Return the hashes of a person and their contacts, as just read. */
export const contentOf = (person: PersonFacts, faces: FaceFacts, contacts: readonly ContactFacts[]): Content => ({
  person: contentWordOf(person, faces),
  contacts: contactsWordOf(contacts),
  human: humanWordOf(person),
  hasCredentials: hasCredentials(person),
})

export const hasCredentials = ({ credentialsMark }: PersonFacts): boolean => credentialsMark !== undefined

export const takesContacts = ({ authorisedObject: object }: StrategyFacts): boolean =>
  object === authorisedObject.contact || object === authorisedObject.both

export const letAnyContactsPass = (strategies: readonly RegisterStrategy[]): boolean =>
  strategies.some((strategy) => strategy.takesContacts)

export const letsContactsPass = (strategies: readonly RegisterStrategy[], index: number): boolean =>
  strategies.some((strategy) => strategy.takesContacts && strategy.bits.has(index))

export const kindsOf = (methods: readonly number[]): number => {
  const kinds = credentialsOf(methods)
  return CREDENTIAL_KINDS.reduce((bits, kind, place) => (kinds.has(kind) ? bits | (1 << place) : bits), 0)
}
export const kindsAt = (strategies: readonly RegisterStrategy[]): number => strategies.reduce((all, { kinds }) => all | kinds, 0)
/** A word for each set of kinds, for the versions of persons with credentials. */
const KIND_WORDS = Array.from({ length: 1 << CREDENTIAL_KINDS.length }, (_, kinds) => wordOf(`credentials ${kinds}`))

/**
 * Return the version of a person within an audience, a hash of what is sent there: contacts if a strategy lets contacts of that person
 * pass, the mark of the same human if a strategy lets anybody's contacts pass, and credentials of the kinds that the methods require.
 */
export function versionOf(
  { strategies }: { strategies: readonly RegisterStrategy[] },
  index: number,
  { person, contacts, human, hasCredentials: has }: Content,
): Word {
  const withContacts = contacts !== null && letsContactsPass(strategies, index) ? mixed(person, contacts) : person
  const withHuman = human !== null && letAnyContactsPass(strategies) ? mixed(withContacts, human) : withContacts
  return mixed(has ? mixed(withHuman, KIND_WORDS[kindsAt(strategies)]!) : withHuman, combined(strategies, index))
}

/** The strategies of an audience that cover a person, as one word; their order does not matter. */
function combined(strategies: readonly RegisterStrategy[], index: number): Word {
  let hi = 0
  let lo = 0
  for (const { bits, word } of strategies) {
    if (!bits.has(index)) continue
    hi ^= word.hi
    lo ^= word.lo
  }
  return { hi: hi >>> 0, lo: lo >>> 0 }
}
