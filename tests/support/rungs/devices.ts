import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Ground, Rung } from './rungs.ts'

let samples = 0
const emptyGroup = async ({ site }: Ground): Promise<string> => (await site.deviceGroup(`Sample_${++samples}`)).id

export const devicesRungs: readonly Rung[] = [
  // Of a device that was deleted, and knows its secret.
  {
    call: deviceProtocolCalls.removal,
    given: async () => ({ code: 'NOBODY', nonce: 'x'.repeat(16), proof: 'x'.repeat(43), done: false }),
    lastWord: [404, 404],
  },
  { call: deviceCalls.changeGroup, given: async (ground) => ({ id: await emptyGroup(ground) }) },
  { call: deviceCalls.deleteGroup, given: async (ground) => ({ id: await emptyGroup(ground) }) },
]
