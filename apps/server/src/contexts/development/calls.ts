/** Handlers of the development group. */
import { developmentCalls } from '@gatehouse/contract/development/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { StatusService } from '../synchronisation/index.ts'
import type { DevelopmentService } from './service.ts'

export function developmentHandlers(service: DevelopmentService, status: StatusService): MountedCall[] {
  return [
    handler(developmentCalls.released, ({ scope, query }) => service.released(scope, query)),
    handler(developmentCalls.service, () => service.health()),
    handler(developmentCalls.issued, ({ scope, query }) => service.issued(scope, query)),
    handler(developmentCalls.personsOfDevice, ({ scope, query }) => status.personsOfDevice(scope, query)),
    handler(developmentCalls.devicesOfPerson, ({ scope, query }) => status.devicesOfPerson(scope, query)),
  ]
}
