/** Handlers of the calls on how single persons are compared. */
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Matching } from './matching-types.ts'

export function matchingHandlers({ read, change }: Matching): MountedCall[] {
  return [
    handler(faceCalls.matching, ({ scope, params }) => read(scope, params.id)),
    handler(faceCalls.setThreshold, async ({ scope, params, body }) => {
      const { threshold, loosens } = body
      await change.threshold(scope, params.id, threshold === null ? null : { threshold, loosens })
      return { id: params.id }
    }),
    handler(faceCalls.setAside, async ({ scope, params, body }) => {
      await change.setAside(scope, params.id, body.setAside)
      return { id: params.id }
    }),
    handler(faceCalls.addPair, async ({ scope, body }) => ({ id: await change.addPair(scope, body.personId, body.otherId) })),
    handler(faceCalls.removePair, async ({ scope, params }) => {
      await change.removePair(scope, params.id)
      return { id: params.id }
    }),
  ]
}
