/** Every call of the platform, by context. */
import { accessCalls } from './access/calls.ts'
import { synchronisationCalls } from './access/synchronisation.ts'
import { deviceProtocolCalls } from './device/protocol.ts'
import { deviceCalls } from './devices/calls.ts'
import { faceCalls } from './faces/calls.ts'
import { identityCalls } from './identity/calls.ts'
import { organisationCalls } from './organisation/calls.ts'
import { peopleCalls } from './people/calls.ts'

export const calls = {
  identity: identityCalls,
  organisation: organisationCalls,
  people: peopleCalls,
  faces: faceCalls,
  devices: deviceCalls,
  access: accessCalls,
  synchronisation: synchronisationCalls,
  terminal: deviceProtocolCalls,
}
