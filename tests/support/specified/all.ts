/** All calls that are tried as the specification writes them. */
import { accessGroupCalls } from './access-groups.ts'
import { accessRecordCalls } from './access-records.ts'
import { associatedPersonCalls } from './associated-persons.ts'
import { associatedRuleCalls } from './associated-rules.ts'
import { clientCalls } from './clients.ts'
import { contactCalls } from './contacts.ts'
import { deviceControlCalls } from './device-control.ts'
import { deviceSettingCalls } from './device-settings.ts'
import { deviceTreeCalls } from './device-trees.ts'
import { deviceUpgradeCalls } from './device-upgrades.ts'
import { lookCalls, domainCalls, installationCalls, noticeCalls, logCalls } from './installation.ts'
import { organisationCalls, deviceLimitCalls } from './organisations.ts'
import { ownAccountCalls } from './own-account.ts'
import { parkRelationCalls } from './park-relations.ts'
import { parkSettingCalls } from './park-settings.ts'
import { parkCalls, uploadCalls } from './parks.ts'
import { personAuditCalls } from './person-audit.ts'
import { personFormCalls } from './person-form.ts'
import { personGroupCalls } from './person-groups.ts'
import { personCalls } from './persons.ts'
import { restrictionCalls } from './restrictions.ts'
import { roleCalls } from './roles.ts'
import { sessionCalls } from './sessions.ts'
import { specialPersonCalls } from './special-persons.ts'
import { strategyCalls } from './strategies.ts'
import { synchronisationCalls } from './synchronisation.ts'
import { timeRuleCalls } from './time-rules.ts'
import { tokenCalls } from './tokens.ts'
import { userCalls } from './users.ts'
import type { SpecifiedCall } from './specified.ts'

export const ALL_SPECIFIED: readonly SpecifiedCall[] = [
  ...accessGroupCalls,
  ...accessRecordCalls,
  ...associatedPersonCalls,
  ...associatedRuleCalls,
  ...clientCalls,
  ...contactCalls,
  ...deviceControlCalls,
  ...deviceSettingCalls,
  ...deviceTreeCalls,
  ...deviceUpgradeCalls,
  ...lookCalls,
  ...domainCalls,
  ...installationCalls,
  ...noticeCalls,
  ...logCalls,
  ...organisationCalls,
  ...deviceLimitCalls,
  ...ownAccountCalls,
  ...parkRelationCalls,
  ...parkSettingCalls,
  ...parkCalls,
  ...uploadCalls,
  ...personAuditCalls,
  ...personFormCalls,
  ...personGroupCalls,
  ...personCalls,
  ...restrictionCalls,
  ...roleCalls,
  ...sessionCalls,
  ...specialPersonCalls,
  ...strategyCalls,
  ...synchronisationCalls,
  ...timeRuleCalls,
  ...tokenCalls,
  ...userCalls,
]
