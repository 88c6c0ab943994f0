/** Handlers of the liveness calls; passages are labelled by the area of records. */
import { faceLivenessCalls } from '@gatehouse/contract/faces/liveness'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Liveness } from './liveness.ts'

export function livenessHandlers(liveness: Liveness): MountedCall[] {
  return [
    handler(faceLivenessCalls.read, ({ scope }) => liveness.read(scope)),
    handler(faceLivenessCalls.captures, ({ scope, query }) => liveness.captures(scope, query)),
    handler(faceLivenessCalls.add, async ({ scope, file, body }) => {
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      return liveness.add(scope, file.bytes, body.label)
    }),
    handler(faceLivenessCalls.remove, async ({ scope, body }) => ({ count: await liveness.remove(scope, body.ids) })),
  ]
}
