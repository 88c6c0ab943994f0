import { visitorMachineCalls } from '@gatehouse/contract/device/visitor-machine'
import { visitorSource, visitorStatus, visitReason } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { machineConflictCalls } from '@gatehouse/contract/visitors/machine-conflicts'
import { createClient } from '@gatehouse/dev-env/client'
import type { CallCase, Ground } from './case.ts'

const HOUR = 3_600_000
let samples = 0

/** Make a visit that waits for its review. Visitors of the park of a case pass no door, so no rule has to say where they pass. */
async function pendingVisit({ site, world }: Ground): Promise<string> {
  await site.call(visitorConfigurationCalls.change, { body: { needAuthorisation: false } })
  const now = world.clock.now()
  const body = {
    source: visitorSource.reservation,
    name: 'Visitor',
    phone: `1347${String(++samples).padStart(7, '0')}`,
    reason: visitReason.business,
    visitTime: now,
    visitEndTime: now + HOUR,
  }
  return (await site.call(visitorCalls.create, { body })).id
}

const eventOf = ({ world }: Ground, visitId: string) => ({
  id: crypto.randomUUID(),
  visitId,
  kind: 'signedIn' as const,
  occurredAt: world.clock.now(),
  status: visitorStatus.notYetVisited,
  certificateInfo: null,
  score: null,
})

/** Let a machine sign in a visitor whose visit was not accepted. */
async function conflict(ground: Ground): Promise<string> {
  const { site, world } = ground
  const device = await site.device()
  const { visitorMachines } = await site.call(visitorConfigurationCalls.read, {})
  await site.call(visitorConfigurationCalls.change, { body: { visitorMachines: [...visitorMachines.slice(-10), device.id] } })
  const visitId = await pendingVisit(ground)
  const machine = createClient(world.url, { basic: [device.code, device.secret] })
  await machine.call(visitorMachineCalls.events, { body: { sentAt: world.clock.now(), events: [eventOf(ground, visitId)] } })
  const { content } = await site.call(machineConflictCalls.list, { query: { size: 100 } })
  return content.find((one) => one.visitId === visitId)!.id
}

export const cases: readonly CallCase[] = [
  // The walk's device is no visitor machine.
  { call: visitorMachineCalls.visits, given: () => ({ modelId: '', known: [] }), lastWord: [404, 404] },
  {
    call: visitorMachineCalls.events,
    given: async (ground) => {
      const visitId = await pendingVisit(ground)
      return { sentAt: ground.world.clock.now(), events: [eventOf(ground, visitId)], visitId, id: crypto.randomUUID() }
    },
    lastWord: [404, 404],
  },
  { call: machineConflictCalls.settle, given: async (ground) => ({ ids: [await conflict(ground)] }) },
]
