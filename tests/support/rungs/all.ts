/** What is known of each call on the ladder, and the values it is asked with. */
import type { Call, Schema } from '@gatehouse/contract'
import type { World } from '@gatehouse/dev-env/world'
import { idsFor, namesSomething, type Furnished } from '../furnished.ts'
import { allFieldsOf, type Given } from '../requests.ts'
import { accessRungs } from './access.ts'
import { alarmsRungs } from './alarms.ts'
import { associatedRungs } from './strategies-associated.ts'
import { auditRungs } from './audit.ts'
import { cardsRungs } from './cards.ts'
import { configurationRungs } from './configuration.ts'
import { contactsRungs } from './people-contacts.ts'
import { developmentRungs } from './development.ts'
import { devicesRungs } from './devices.ts'
import { doorsRungs } from './doors.ts'
import { effectsRungs } from './questions-effects.ts'
import { enrolmentRungs } from './enrolment.ts'
import { exportsRungs } from './exports.ts'
import { facesRungs } from './faces.ts'
import { identityRungs } from './identity.ts'
import { importsRungs } from './imports.ts'
import { loginRungs } from './identity-login.ts'
import { maintenanceRungs } from './maintenance.ts'
import { organisationRungs } from './organisation.ts'
import { peopleRungs } from './people.ts'
import { privacyRungs } from './privacy.ts'
import { questionsRungs } from './questions.ts'
import { relationsRungs } from './relations.ts'
import type { Rung } from './rungs.ts'
import { restrictionsRungs } from './restrictions.ts'
import { searchRungs } from './people-search.ts'
import { specialRungs } from './people-special.ts'
import { systemRungs } from './system.ts'
import { upgradesRungs } from './upgrades.ts'
import { writtenRulesRungs } from './approvals.ts'

const rungs: readonly Rung[] = [
  ...accessRungs,
  ...alarmsRungs,
  ...associatedRungs,
  ...auditRungs,
  ...cardsRungs,
  ...configurationRungs,
  ...contactsRungs,
  ...developmentRungs,
  ...devicesRungs,
  ...doorsRungs,
  ...effectsRungs,
  ...enrolmentRungs,
  ...exportsRungs,
  ...facesRungs,
  ...identityRungs,
  ...importsRungs,
  ...loginRungs,
  ...maintenanceRungs,
  ...organisationRungs,
  ...peopleRungs,
  ...privacyRungs,
  ...questionsRungs,
  ...relationsRungs,
  ...restrictionsRungs,
  ...searchRungs,
  ...specialRungs,
  ...systemRungs,
  ...upgradesRungs,
  ...writtenRulesRungs,
]

export const nameOf = (call: Pick<Call, 'method' | 'url'>): string => `${call.method} ${call.url}`
const byName = new Map(rungs.map((rung) => [nameOf(rung.call), rung]))
export const rungOf = (call: Call): Rung | undefined => byName.get(nameOf(call))

/** The fields of a call's address and body, at any depth. */
export const fieldsOf = (call: Call): string[] => [
  ...new Set([call.params, call.query, call.body].flatMap((schema: Schema | undefined) => [...allFieldsOf(schema)])),
]

/** Fields that name something of a park or node; none where what they name belongs to the installation. */
export const namingFieldsOf = (call: Call): string[] =>
  rungOf(call)?.foreign === false ? [] : fieldsOf(call).filter((field) => namesSomething(field))

/** Values for a call in a park: what its rung makes there, else the ids of what the park is furnished with. */
export async function givenFor(call: Call, things: Furnished, world: World): Promise<Given> {
  const made = (await rungOf(call)?.given?.({ world, site: things.site })) ?? {}
  return {
    ...idsFor(
      call,
      fieldsOf(call).filter((field) => !(field in made)),
      things,
    ),
    ...rungOf(call)?.needs,
    ...made,
  }
}

/** Whether only an administrator at the root comes through, or somebody whose role says more than a code. */
export const asksMore = (call: Call): boolean => call.permission === 'installation' || call.condition !== undefined
