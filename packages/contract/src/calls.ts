/** Every call of the platform, by context. */
import { alarmsCalls } from './alarms/calls.ts'
import { auditCalls } from './audit/calls.ts'
import { clinicCalls } from './clinic/calls.ts'
import { questionCalls } from './questions/calls.ts'
import { effectCalls } from './questions/effects.ts'
import { permitCalls } from './approvals/permits.ts'
import { secondPhotographCalls } from './records/second-photographs.ts'
import { pendingChangeCalls, writtenRuleCalls } from './approvals/written-rules.ts'
import { accessGroupCalls } from './strategies/access-groups.ts'
import { associatedRuleCalls, associatedSyncCalls } from './strategies/associated-rules.ts'
import { recordCalls } from './records/calls.ts'
import { strategyCalls, timeRuleCalls } from './strategies/calls.ts'
import { statisticsCalls } from './statistics/calls.ts'
import { synchronisationCalls } from './synchronisation/calls.ts'
import { deviceProtocolCalls } from './device/protocol.ts'
import { configurationCalls } from './configuration/calls.ts'
import { doorCalls } from './doors/calls.ts'
import { maintenanceCalls } from './maintenance/calls.ts'
import { upgradeCalls } from './upgrades/calls.ts'
import { cardCalls } from './cards/calls.ts'
import { developmentCalls } from './development/calls.ts'
import { deviceCalls } from './devices/calls.ts'
import { faceCalls } from './faces/calls.ts'
import { faceLivenessCalls } from './faces/liveness.ts'
import { ownCurveCalls } from './faces/own-curve-calls.ts'
import { facePolicyCalls } from './faces/policy.ts'
import { faceReportCalls } from './faces/report.ts'
import { exportCalls } from './exports/calls.ts'
import { identityCalls } from './identity/calls.ts'
import { clientCalls } from './identity/clients.ts'
import { roleCalls } from './identity/roles.ts'
import { userCalls } from './identity/users.ts'
import { ownCalls } from './identity/own.ts'
import { secondFactorCalls } from './identity/second-factor.ts'
import { screenLinkCalls } from './identity/screen-links.ts'
import { areaCalls } from './organisation/areas.ts'
import { organisationCalls } from './organisation/calls.ts'
import { deviceLimitCalls } from './organisation/limits.ts'
import { parkSettingCalls } from './organisation/settings.ts'
import { enrolmentCalls } from './enrolment/calls.ts'
import { importCalls } from './imports/calls.ts'
import { peopleCalls } from './people/calls.ts'
import { contactCalls } from './people/contacts.ts'
import { personFormCalls } from './people/form.ts'
import { associatedPersonCalls } from './people/relation.ts'
import { searchCalls } from './people/search.ts'
import { specialCalls } from './people/special.ts'
import { privacyCalls } from './privacy/calls.ts'
import { customerCalls } from './people/customers.ts'
import { relationCalls } from './relations/calls.ts'
import { restrictionCalls } from './restrictions/calls.ts'
import { systemCalls } from './system/calls.ts'
import { dictionaryCalls } from './system/dictionary.ts'
import { mapCalls } from './system/map.ts'
import { screenCalls } from './system/screens.ts'

export const calls = {
  identity: identityCalls,
  users: userCalls,
  roles: roleCalls,
  clients: clientCalls,
  own: ownCalls,
  secondFactor: secondFactorCalls,
  organisation: organisationCalls,
  areas: areaCalls,
  parkSettings: parkSettingCalls,
  deviceLimits: deviceLimitCalls,
  system: systemCalls,
  dictionary: dictionaryCalls,
  screenSettings: screenCalls,
  screenLinks: screenLinkCalls,
  mapSettings: mapCalls,
  audit: auditCalls,
  people: peopleCalls,
  personForm: personFormCalls,
  contacts: contactCalls,
  special: specialCalls,
  search: searchCalls,
  associatedPersons: associatedPersonCalls,
  relations: relationCalls,
  associatedRules: associatedRuleCalls,
  associatedSync: associatedSyncCalls,
  restrictions: restrictionCalls,
  imports: importCalls,
  enrolment: enrolmentCalls,
  privacy: privacyCalls,
  customers: customerCalls,
  faces: faceCalls,
  facePolicy: facePolicyCalls,
  ownCurve: ownCurveCalls,
  faceReport: faceReportCalls,
  faceLiveness: faceLivenessCalls,
  devices: deviceCalls,
  configuration: configurationCalls,
  doors: doorCalls,
  maintenance: maintenanceCalls,
  upgrades: upgradeCalls,
  cards: cardCalls,
  development: developmentCalls,
  strategies: strategyCalls,
  timeRules: timeRuleCalls,
  records: recordCalls,
  clinic: clinicCalls,
  questions: questionCalls,
  effects: effectCalls,
  permits: permitCalls,
  secondPhotographs: secondPhotographCalls,
  writtenRules: writtenRuleCalls,
  pendingChanges: pendingChangeCalls,
  accessGroups: accessGroupCalls,
  statistics: statisticsCalls,
  synchronisation: synchronisationCalls,
  exports: exportCalls,
  alarms: alarmsCalls,
  terminal: deviceProtocolCalls,
}
