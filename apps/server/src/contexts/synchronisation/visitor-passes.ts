/** QR passes of visitors, joined to the persons and devices that the register reads. */
import { passEntry } from '@gatehouse/contract/device/visitor-pass'
import { NO_CREDENTIALS, type PersonsWithCards } from './card-passwords.ts'
import type { VisitorPasses } from './extension-points.ts'
import { idsOfPersons, markedPersons } from './marked-persons.ts'
import type { RegisterSources } from './sources.ts'

const VISITOR = 'visitor'

/** Return the register of persons, in which visitors have the entries of their passes in force. */
export const withPasses = (persons: PersonsWithCards, idsOf: VisitorPasses['idsOf']): PersonsWithCards => ({
  ...markedPersons(persons, async (scope, found) => {
    const visitors = idsOfPersons(found.filter(({ kind }) => kind === VISITOR))
    if (visitors.length === 0) return new Map()
    return new Map([...(await idsOf(scope, visitors))].map(([id, passes]) => [id, passes.join()]))
  }),
  async credentials(scope, ids) {
    const [others, passes] = await Promise.all([persons.credentials(scope, ids), idsOf(scope, ids)])
    const all = new Map(others)
    for (const [id, own] of passes) all.set(id, { ...NO_CREDENTIALS, ...all.get(id), qrCodes: own.map(passEntry) })
    return all
  },
})

/** Return the register of devices, in which each has the keys by which it verifies passes. */
export const withPassKeys = (devices: RegisterSources['devices'], keysOf: VisitorPasses['keysOf']): RegisterSources['devices'] => ({
  groupRows: devices.groupRows,
  async register(scope) {
    const [registered, passKeys] = await Promise.all([devices.register(scope), keysOf(scope)])
    return passKeys.length === 0 ? registered : registered.map((device) => ({ ...device, passKeys }))
  },
})
