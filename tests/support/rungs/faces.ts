import { faceCalls } from '@gatehouse/contract/faces/calls'
import { ownCurveCalls } from '@gatehouse/contract/faces/own-curve-calls'
import type { Rung } from './rungs.ts'

export const facesRungs: readonly Rung[] = [
  // Less than doors ask of everybody is taken with a word more.
  { call: faceCalls.setThreshold, needs: { threshold: 95 } },
  // A few people are never measured: there is nothing to confirm, and nobody was asked about.
  { call: ownCurveCalls.confirm, lastWord: [409, 409] },
  { call: ownCurveCalls.answer, lastWord: [404, 404] },
]
