import { doorCalls } from '@gatehouse/contract/doors/calls'
import type { Rung } from './rungs.ts'

export const doorsRungs: readonly Rung[] = [
  // The device is not connected.
  { call: doorCalls.controlDoor, lastWord: [200, 400205] },
]
