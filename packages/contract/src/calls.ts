/** Every call of the platform, by context. */
import { accessCalls } from './access/calls.ts'
import { clinicCalls } from './access/clinic.ts'
import { synchronisationCalls } from './access/synchronisation.ts'
import { deviceProtocolCalls } from './device/protocol.ts'
import { deviceCalls } from './devices/calls.ts'
import { faceCalls } from './faces/calls.ts'
import { faceLivenessCalls } from './faces/liveness.ts'
import { facePolicyCalls } from './faces/policy.ts'
import { faceReportCalls } from './faces/report.ts'
import { identityCalls } from './identity/calls.ts'
import { organisationCalls } from './organisation/calls.ts'
import { peopleCalls } from './people/calls.ts'

export const calls = {
  identity: identityCalls,
  organisation: organisationCalls,
  people: peopleCalls,
  faces: faceCalls,
  facePolicy: facePolicyCalls,
  faceReport: faceReportCalls,
  faceLiveness: faceLivenessCalls,
  devices: deviceCalls,
  access: accessCalls,
  clinic: clinicCalls,
  synchronisation: synchronisationCalls,
  terminal: deviceProtocolCalls,
}
