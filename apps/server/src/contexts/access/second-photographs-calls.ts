/** Handlers of the calls on people with one photograph. */
import { secondPhotographCalls } from '@gatehouse/contract/records/second-photographs'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { SecondPhotographs } from './second-photographs.ts'

export function secondPhotographHandlers(secondPhotographs: SecondPhotographs): MountedCall[] {
  return [
    handler(secondPhotographCalls.list, ({ scope, query }) => secondPhotographs.list(scope, query)),
    handler(secondPhotographCalls.offer, ({ scope, params }) => secondPhotographs.offer(scope, params.id)),
    handler(secondPhotographCalls.answer, async ({ session, params, body }) => {
      await secondPhotographs.answer(session, params.id, body)
      return { id: params.id }
    }),
  ]
}
