/** QR passes of visitors, joined to the persons and devices that the register reads. */
import { passEntry } from '@gatehouse/contract/device/visitor-pass'
import type { Scope } from '../../platform/session/session.ts'
import type { PersonFacts } from '../people/index.ts'
import { NO_CREDENTIALS, type PersonsWithCards } from './card-passwords.ts'
import type { VisitorPasses } from './extension-points.ts'
import type { RegisterSources } from './sources.ts'

const VISITOR = 'visitor'

/** Return the register of persons, in which visitors have the entries of their passes in force. */
export function withPasses(persons: PersonsWithCards, idsOf: VisitorPasses['idsOf']): PersonsWithCards {
  async function marked(scope: Scope, found: readonly PersonFacts[]): Promise<PersonFacts[]> {
    const visitors = found.filter(({ kind }) => kind === VISITOR).map(({ id }) => id)
    if (visitors.length === 0) return [...found]
    const passes = await idsOf(scope, visitors)
    return found.map((person) => {
      const ids = passes.get(person.id)
      return ids === undefined ? person : { ...person, credentialsMark: `${person.credentialsMark ?? ''}/${ids.join()}` }
    })
  }

  return {
    contactsOf: persons.contactsOf,
    facts: async (scope, ids) => marked(scope, await persons.facts(scope, ids)),
    page: async (scope, after, size) => marked(scope, await persons.page(scope, after, size)),
    async credentials(scope, ids) {
      const [others, passes] = await Promise.all([persons.credentials(scope, ids), idsOf(scope, ids)])
      const all = new Map(others)
      for (const [id, own] of passes) all.set(id, { ...NO_CREDENTIALS, ...all.get(id), qrCodes: own.map(passEntry) })
      return all
    },
  }
}

/** Return the register of devices, in which each has the keys by which it verifies passes. */
export const withPassKeys = (devices: RegisterSources['devices'], keysOf: VisitorPasses['keysOf']): RegisterSources['devices'] => ({
  groupRows: devices.groupRows,
  async register(scope) {
    const [registered, passKeys] = await Promise.all([devices.register(scope), keysOf(scope)])
    return passKeys.length === 0 ? registered : registered.map((device) => ({ ...device, passKeys }))
  },
})
