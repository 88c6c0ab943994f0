/** Every call of the platform, by area. */
import type { Call } from './call.ts'
import { aiBoxCalls } from './alarms/ai-box.ts'
import { aiBoxDeviceCalls } from './device/ai-box.ts'
import { alarmsCalls } from './alarms/calls.ts'
import { caseCalls } from './alarms/cases.ts'
import { escalationCalls } from './alarms/escalation.ts'
import { ruleAlarmCalls } from './alarms/rule-alarms.ts'
import { temperatureAlarmCalls } from './alarms/temperature-alarms.ts'
import { faceAlarmCalls } from './alarms/face-alarms.ts'
import { emailAlarmCalls } from './alarms/email.ts'
import { deviceEventCalls } from './alarms/device-events.ts'
import { maintenanceAlarmCalls } from './alarms/maintenance-alarms.ts'
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
import { numberedCalls } from './device/numbered.ts'
import { deviceProtocolCalls } from './device/protocol-calls.ts'
import { visitorMachineCalls } from './device/visitor-machine.ts'
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
import { printerCalls } from './printers/calls.ts'
import { privacyCalls } from './privacy/calls.ts'
import { customerCalls } from './people/customers.ts'
import { relationCalls } from './relations/calls.ts'
import { restrictionCalls } from './restrictions/calls.ts'
import { appointmentCalls, visitorLinkCalls } from './visitors/appointments.ts'
import { visitorCalls } from './visitors/calls.ts'
import { visitorConfigurationCalls } from './visitors/configuration.ts'
import { messagingCalls } from './visitors/messaging.ts'
import { machineConflictCalls } from './visitors/machine-conflicts.ts'
import { visitorDocumentCalls } from './visitors/documents.ts'
import { visitorImportCalls } from './visitors/imports.ts'
import { passRuleCalls } from './visitors/pass-rules.ts'
import { captureCalls } from './surveillance/captures.ts'
import { faceSearchCalls } from './surveillance/face-search.ts'
import { replayCalls } from './surveillance/replay.ts'
import { monitoringTaskCalls } from './surveillance/tasks.ts'
import { systemCalls } from './system/calls.ts'
import { dictionaryCalls } from './system/dictionary.ts'
import { mapCalls } from './system/map.ts'
import { screenCalls } from './system/screens.ts'

/** The calls of each area, in groups of one resource; those of `device` are made by devices. A new area needs a line here. */
export const callsByArea = {
  identity: [identityCalls, userCalls, roleCalls, clientCalls, ownCalls, secondFactorCalls, screenLinkCalls],
  organisation: [organisationCalls, areaCalls, parkSettingCalls, deviceLimitCalls],
  system: [systemCalls, dictionaryCalls, screenCalls, mapCalls],
  audit: [auditCalls],
  people: [peopleCalls, personFormCalls, contactCalls, specialCalls, searchCalls, associatedPersonCalls, customerCalls],
  relations: [relationCalls],
  strategies: [associatedRuleCalls, associatedSyncCalls, strategyCalls, timeRuleCalls, accessGroupCalls],
  restrictions: [restrictionCalls],
  imports: [importCalls],
  enrolment: [enrolmentCalls],
  privacy: [privacyCalls],
  faces: [faceCalls, facePolicyCalls, ownCurveCalls, faceReportCalls, faceLivenessCalls],
  devices: [deviceCalls],
  configuration: [configurationCalls],
  doors: [doorCalls],
  maintenance: [maintenanceCalls],
  upgrades: [upgradeCalls],
  cards: [cardCalls],
  development: [developmentCalls],
  records: [recordCalls, secondPhotographCalls],
  clinic: [clinicCalls],
  questions: [questionCalls, effectCalls],
  approvals: [permitCalls, writtenRuleCalls, pendingChangeCalls],
  statistics: [statisticsCalls],
  synchronisation: [synchronisationCalls],
  exports: [exportCalls],
  visitors: [
    visitorCalls,
    visitorConfigurationCalls,
    visitorDocumentCalls,
    visitorImportCalls,
    passRuleCalls,
    visitorLinkCalls,
    appointmentCalls,
    messagingCalls,
    machineConflictCalls,
  ],
  printers: [printerCalls],
  surveillance: [monitoringTaskCalls, captureCalls, faceSearchCalls, replayCalls],
  alarms: [
    alarmsCalls,
    deviceEventCalls,
    maintenanceAlarmCalls,
    faceAlarmCalls,
    emailAlarmCalls,
    aiBoxCalls,
    ruleAlarmCalls,
    temperatureAlarmCalls,
    escalationCalls,
    caseCalls,
  ],
  device: [deviceProtocolCalls, visitorMachineCalls, numberedCalls, aiBoxDeviceCalls],
} as const satisfies Readonly<Record<string, readonly Readonly<Record<string, Call>>[]>>

/** An area that has calls. */
export type Area = keyof typeof callsByArea

/** Every call. */
export const calls: readonly Call[] = Object.values(callsByArea).flatMap((groups) =>
  groups.flatMap((group): Call[] => Object.values(group)),
)
