/** Handlers of the calls of visitor machines, and of what the desk sees of them. */
import { visitorMachineCalls } from '@gatehouse/contract/device/visitor-machine'
import { machineConflictCalls } from '@gatehouse/contract/visitors/machine-conflicts'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { MachineConflicts } from './machine-conflicts.ts'
import type { MachineEvents } from './machine-events.ts'
import type { MachineVisits } from './machine-visits.ts'

export const machineHandlers = (visits: MachineVisits, events: MachineEvents, conflicts: MachineConflicts): MountedCall[] => [
  handler(visitorMachineCalls.visits, ({ device, body }) => visits.changes(device, body)),
  handler(visitorMachineCalls.events, ({ device, body, ip }) => events.take(device, body, ip)),
  handler(machineConflictCalls.list, ({ scope, query }) => conflicts.list(scope, query)),
  handler(machineConflictCalls.settle, async ({ scope, body }) => ({ settled: await conflicts.settle(scope, body.ids) })),
]
