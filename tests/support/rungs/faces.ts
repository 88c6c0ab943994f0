import { faceCalls } from '@gatehouse/contract/faces/calls'
import type { Rung } from './rungs.ts'

export const facesRungs: readonly Rung[] = [
  // Less than doors ask of everybody is taken with a word more.
  { call: faceCalls.setThreshold, needs: { threshold: 95 } },
]
