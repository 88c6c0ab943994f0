/** The register of persons joined with card passwords from the register of cards: terminals receive both together. */
import type { Scope } from '../../platform/session/session.ts'
import type { CardPasswords } from '../cards/index.ts'
import type { PeopleService, PersonCredentials } from '../people/index.ts'
import { idsOfPersons, markedPersons } from './marked-persons.ts'

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

export const withCardPasswords = (
  people: Pick<PeopleService, 'facts' | 'page' | 'credentials' | 'contactsOf'>,
  cards: CardPasswords,
): PersonsWithCards => ({
  ...markedPersons(people, (scope, found) => cards.marks(scope, idsOfPersons(found))),
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
})
