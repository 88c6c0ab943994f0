import { expect, test } from 'vitest'
import type { Circumstances } from './conditions.ts'
import { mayPair } from './devices/pairing.ts'
import { mayCall, needsSecondFactor } from './policy.ts'

const circumstances: Circumstances = {
  roleSign: 'other',
  atRoot: false,
  lite: false,
  privatised: true,
  customerManager: false,
  deviceUpgradeType: 0,
  masking: false,
}
const callerWith = (codes: readonly string[], more: Partial<Circumstances> = {}) => ({
  permissions: new Set(codes),
  circumstances: { ...circumstances, ...more },
})

test('a call asks for its permission, for each code besides and for its condition', () => {
  const demand = { permission: 'device.list', besides: ['own:door.open'], condition: 'unmasked' } as const
  expect(mayCall(callerWith(['device.list', 'own:door.open']), demand)).toBe(true)
  expect(mayCall(callerWith(['device.list']), demand)).toBe(false)
  expect(mayCall(callerWith(['own:door.open']), demand)).toBe(false)
  expect(mayCall(callerWith(['device.list', 'own:door.open'], { masking: true }), demand)).toBe(false)
  expect(mayCall(callerWith([]), { permission: 'self' })).toBe(true)
  expect(mayCall(callerWith(['device.list']), { permission: 'installation' })).toBe(false)
  expect(mayCall(callerWith([], { roleSign: 'operator', atRoot: true }), { permission: 'installation' })).toBe(true)
})

test('a session whose account lacks the second factor it needs makes only the calls that are for setting one up', () => {
  const missing = { ...callerWith(['device.list']), secondFactorMissing: true }
  expect(mayCall(missing, { permission: 'self', beforeSecondFactor: true })).toBe(true)
  for (const permission of ['self', 'device.list'] as const) {
    expect(mayCall(missing, { permission })).toBe(false)
    expect(needsSecondFactor(missing, {})).toBe(true)
    expect(mayCall({ ...missing, secondFactorMissing: false }, { permission })).toBe(true)
  }
})

test('pairing is for somebody who may see the persons a device receives, in the clear', () => {
  const all = ['device.list', 'own:device.pair', 'person.list']
  expect(mayPair(callerWith(all))).toBe(true)
  expect(mayPair(callerWith(all, { masking: true }))).toBe(false)
  for (const code of all) expect(mayPair(callerWith(all.filter((other) => other !== code))), code).toBe(false)
})
