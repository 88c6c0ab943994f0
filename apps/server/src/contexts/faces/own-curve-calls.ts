/** Handlers of the calls on how alike the people of a park are. */
import { ownCurveCalls } from '@gatehouse/contract/faces/own-curve-calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { OwnCurves } from './own-curve.ts'

export function ownCurveHandlers(curves: OwnCurves): MountedCall[] {
  return [
    handler(ownCurveCalls.read, ({ scope }) => curves.read(scope)),
    handler(ownCurveCalls.measure, ({ scope }) => curves.measure(scope)),
    handler(ownCurveCalls.confirm, ({ scope, body }) => curves.confirm(scope, body.measuredAt)),
    handler(ownCurveCalls.pairs, ({ scope, query, session }) => curves.pairs(scope, session, query)),
    handler(ownCurveCalls.answer, ({ scope, body }) => curves.answer(scope, body)),
  ]
}
