import { faceCalls } from '@gatehouse/contract/faces/calls'
import { ownCurveCalls } from '@gatehouse/contract/faces/own-curve-calls'
import type { CallCase, ScreenParameters } from './case.ts'

export const cases: readonly CallCase[] = [
  // Less than doors ask of everybody is taken with a word more.
  { call: faceCalls.setThreshold, needs: { threshold: 95 } },
  // A few people are never measured: there is nothing to confirm, and nobody was asked about.
  { call: ownCurveCalls.confirm, lastWord: [409, 409] },
  { call: ownCurveCalls.answer, lastWord: [404, 404] },
]

/** What the parameters of screens name. */
export const screens = {
  faceReportDetail: { id: ({ reportId }) => reportId },
} satisfies ScreenParameters
