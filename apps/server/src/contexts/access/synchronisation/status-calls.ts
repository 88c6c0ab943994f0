/** Handlers of the calls on the synchronisation status. */
import { synchronisationCalls as calls } from '@gatehouse/contract/synchronisation/calls'
import { handler, type MountedCall } from '../../../platform/context.ts'
import type { Resend } from './resend.ts'
import type { StatusService } from './status.ts'

export function statusHandlers(status: StatusService, resend: Resend): MountedCall[] {
  return [
    handler(calls.persons, ({ scope, query }) => status.persons(scope, query)),
    handler(calls.devicesOfPerson, ({ scope, query }) => status.devicesOfPerson(scope, query)),
    handler(calls.devices, ({ scope, query }) => status.devices(scope, query)),
    handler(calls.personsOfDevice, ({ scope, query }) => status.personsOfDevice(scope, query)),
    handler(calls.counts, ({ scope, query }) => status.counts(scope, query)),
    handler(calls.retryByAddress, ({ scope, query }) => resend(scope, query)),
    handler(calls.retry, ({ scope, body }) => resend(scope, body)),
  ]
}
