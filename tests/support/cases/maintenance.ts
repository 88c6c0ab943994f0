import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { createClient } from '@gatehouse/dev-env/client'
import type { Ground, CallCase } from './case.ts'

/** Create a device that is not connected, and a request for its log. */
async function requested({ site }: Ground) {
  const device = await site.device()
  return { device, id: (await site.call(maintenanceCalls.requestLog, { query: { deviceId: device.id } })).id }
}

/** Create a request whose log has arrived. */
async function arrived(ground: Ground): Promise<{ id: string }> {
  const { device, id } = await requested(ground)
  const { call } = createClient(ground.world.url, { basic: [device.code, device.secret] })
  await call(maintenanceCalls.sendLog, { params: { id }, file: new Uint8Array([0x1f, 0x8b, 8, 0]) })
  return { id }
}

export const cases: readonly CallCase[] = [
  { call: maintenanceCalls.logFile, given: arrived },
  // The request has not failed.
  { call: maintenanceCalls.retryLog, given: arrived, lastWord: [409, 409] },
  // The device is not connected.
  { call: maintenanceCalls.controlAgent, lastWord: [200, 400001] },
  // A request for the log of another device does not exist for this one.
  { call: maintenanceCalls.sendLog, given: async (ground) => ({ id: (await requested(ground)).id }), lastWord: [404, 404] },
]
