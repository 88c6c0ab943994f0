/** Templates of palms from the register of cards, joined to the persons that the register reads. */
import type { Scope } from '../../platform/session/session.ts'
import type { PalmTemplates } from '../cards/index.ts'
import type { PersonFacts } from '../people/index.ts'
import { NO_CREDENTIALS, type PersonsWithCards } from './card-passwords.ts'

/** Return the register of persons, in which those whose palm was enrolled have its template among their credentials. */
export function withPalms(persons: PersonsWithCards, palms: PalmTemplates): PersonsWithCards {
  async function marked(scope: Scope, found: readonly PersonFacts[]): Promise<PersonFacts[]> {
    const marks = await palms.marks(
      scope,
      found.map(({ id }) => id),
    )
    return found.map((person) =>
      marks.has(person.id) ? { ...person, credentialsMark: `${person.credentialsMark ?? ''}/${marks.get(person.id)!}` } : person,
    )
  }

  return {
    contactsOf: persons.contactsOf,
    facts: async (scope, ids) => marked(scope, await persons.facts(scope, ids)),
    page: async (scope, after, size) => marked(scope, await persons.page(scope, after, size)),
    async credentials(scope, ids) {
      const [others, templates] = await Promise.all([persons.credentials(scope, ids), palms.of(scope, ids)])
      const all = new Map(others)
      for (const [id, handprints] of templates) all.set(id, { ...NO_CREDENTIALS, ...all.get(id), handprints })
      return all
    },
  }
}
