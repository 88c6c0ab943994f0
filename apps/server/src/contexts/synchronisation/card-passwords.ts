/** The register of persons joined with card passwords from the register of cards: terminals receive both together. */
import type { Scope } from '../../platform/session/session.ts'
import type { CardPasswords } from '../cards/index.ts'
import type { PeopleService, PersonCredentials, PersonFacts } from '../people/index.ts'

/** Credentials that a person presents instead of a face, or in addition to it. */
export interface ShownCredentials extends PersonCredentials {
  /** Password of the card that has `cardNumber`. */
  cardPassword: string | null
  /** Codes of a visitor; absent: none. */
  qrCodes?: readonly string[]
  /** Templates of palms, base64; absent: none. */
  handprints?: readonly string[]
}

/** Credentials of a person without any. */
export const NO_CREDENTIALS: ShownCredentials = { cardNumber: null, idNumber: null, personalPassword: null, cardPassword: null }

export interface PersonsWithCards extends Pick<PeopleService, 'facts' | 'page' | 'contactsOf'> {
  /** Return credentials in clear text, to be sealed for a device. A person without credentials is absent. */
  credentials(scope: Scope, personIds: readonly string[]): Promise<Map<string, ShownCredentials>>
}

export function withCardPasswords(
  people: Pick<PeopleService, 'facts' | 'page' | 'credentials' | 'contactsOf'>,
  cards: CardPasswords,
): PersonsWithCards {
  async function marked(scope: Scope, persons: readonly PersonFacts[]): Promise<PersonFacts[]> {
    const marks = await cards.marks(
      scope,
      persons.map(({ id }) => id),
    )
    return persons.map((person) =>
      marks.has(person.id) ? { ...person, credentialsMark: `${person.credentialsMark ?? ''}/${marks.get(person.id)!}` } : person,
    )
  }

  return {
    contactsOf: people.contactsOf,
    facts: async (scope, ids) => marked(scope, await people.facts(scope, ids)),
    page: async (scope, after, size) => marked(scope, await people.page(scope, after, size)),
    async credentials(scope, ids) {
      const [persons, passwords] = await Promise.all([people.credentials(scope, ids), cards.of(scope, ids)])
      return new Map(
        [...persons].map(([id, own]) => {
          // A person whose card number was changed in the form has no password for the new card.
          const card = passwords.get(id)?.find(({ cardNumber }) => cardNumber === own.cardNumber)
          return [id, { ...own, cardPassword: card?.password ?? null }]
        }),
      )
    },
  }
}
