import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { CallCase, Ground, ScreenParameters } from './case.ts'

let samples = 0
const emptyGroup = async ({ site }: Ground): Promise<string> => (await site.deviceGroup(`Sample_${++samples}`)).id

export const cases: readonly CallCase[] = [
  // An unknown code is answered like any other one; a proof of it is refused.
  { call: deviceProtocolCalls.challenge, given: () => ({ code: 'NOBODY', nonce: 'x'.repeat(16) }) },
  {
    call: deviceProtocolCalls.token,
    given: () => ({ code: 'NOBODY', nonce: 'x'.repeat(16), challenge: 'x'.repeat(16), proof: 'x'.repeat(43) }),
    lastWord: [401, 100412],
  },
  // For a deleted device that knows its secret; no device has this code.
  {
    call: deviceProtocolCalls.removal,
    given: async () => ({ code: 'NOBODY', nonce: 'x'.repeat(16), proof: 'x'.repeat(43), done: false }),
    lastWord: [404, 404],
  },
  { call: deviceCalls.changeGroup, given: async (ground) => ({ id: await emptyGroup(ground) }) },
  { call: deviceCalls.deleteGroup, given: async (ground) => ({ id: await emptyGroup(ground) }) },
]

/** What the parameters of screens name. */
export const screens = {
  deviceDetails: { deviceId: ({ device }) => device.id },
} satisfies ScreenParameters
