import { faceCalls } from '@gatehouse/contract/faces/calls'
import { ownCurveCalls } from '@gatehouse/contract/faces/own-curve-calls'
import type { CallCase, ScreenParameters } from './case.ts'

export const cases: readonly CallCase[] = [
  // A threshold below the one for all people is refused without `loosens`.
  { call: faceCalls.setThreshold, needs: { threshold: 95 } },
  // A measurement needs more people than the fixtures have: there is no curve to confirm and no question to answer.
  { call: ownCurveCalls.confirm, lastWord: [409, 409] },
  { call: ownCurveCalls.answer, lastWord: [404, 404] },
]

/** What the parameters of screens name. */
export const screens = {
  faceReportDetail: { id: ({ reportId }) => reportId },
} satisfies ScreenParameters
