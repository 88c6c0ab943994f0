/** The register of persons with the passwords of the cards they carry, which the register of cards keeps: for terminals both are one. */
import type { Scope } from '../../platform/session/session.ts'
import type { CardPasswords } from '../cards/index.ts'
import type { PeopleService, PersonCredentials, PersonFacts } from '../people/index.ts'

/** What a person shows instead of a face, or beside it. */
export interface ShownCredentials extends PersonCredentials {
  /** Of the card whose number it is. */
  cardPassword: string | null
}

export interface PersonsWithCards extends Pick<PeopleService, 'facts' | 'page' | 'contactsOf'> {
  /** In clear: what a device is sent, and seals. Whoever has none is left out. */
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
          // Whom the form has given another card since has no password for it.
          const card = passwords.get(id)?.find(({ cardNumber }) => cardNumber === own.cardNumber)
          return [id, { ...own, cardPassword: card?.password ?? null }]
        }),
      )
    },
  }
}
