import { doorCalls } from '@gatehouse/contract/doors/calls'
import type { CallCase } from './case.ts'

export const cases: readonly CallCase[] = [
  // The device is not connected.
  { call: doorCalls.controlDoor, lastWord: [200, 400205] },
]
