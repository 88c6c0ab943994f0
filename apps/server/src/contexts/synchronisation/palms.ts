/** Templates of palms from the register of cards, joined to the persons that the register reads. */
import type { PalmTemplates } from '../cards/index.ts'
import { NO_CREDENTIALS, type PersonsWithCards } from './card-passwords.ts'
import { idsOfPersons, markedPersons } from './marked-persons.ts'

/** Return the register of persons, in which those whose palm was enrolled have its template among their credentials. */
export const withPalms = (persons: PersonsWithCards, palms: PalmTemplates): PersonsWithCards => ({
  ...markedPersons(persons, (scope, found) => palms.marks(scope, idsOfPersons(found))),
  async credentials(scope, ids) {
    const [others, templates] = await Promise.all([persons.credentials(scope, ids), palms.of(scope, ids)])
    const all = new Map(others)
    for (const [id, handprints] of templates) all.set(id, { ...NO_CREDENTIALS, ...all.get(id), handprints })
    return all
  },
})
