/** Persons whose versions depend on credentials that another part keeps: each such part adds a mark of its own. */
import type { Scope } from '../../platform/session/session.ts'
import type { PeopleService, PersonFacts } from '../people/index.ts'

type PersonFactsReading = Pick<PeopleService, 'facts' | 'page' | 'contactsOf'>

/**
 * Return the register of persons with a further mark on their credentials.
 * @param marksOf returns a text for each person that changes with what is kept of them; a person without any is missing
 */
export function markedPersons(
  persons: PersonFactsReading,
  marksOf: (scope: Scope, found: readonly PersonFacts[]) => Promise<ReadonlyMap<string, string>>,
): PersonFactsReading {
  async function marked(scope: Scope, found: readonly PersonFacts[]): Promise<PersonFacts[]> {
    const marks = await marksOf(scope, found)
    return found.map((person) => {
      const mark = marks.get(person.id)
      return mark === undefined ? person : { ...person, credentialsMark: `${person.credentialsMark ?? ''}/${mark}` }
    })
  }

  return {
    contactsOf: persons.contactsOf,
    facts: async (scope, ids) => marked(scope, await persons.facts(scope, ids)),
    page: async (scope, after, size) => marked(scope, await persons.page(scope, after, size)),
  }
}

/** Return the ids of persons. */
export const idsOfPersons = (persons: readonly PersonFacts[]): string[] => persons.map(({ id }) => id)
