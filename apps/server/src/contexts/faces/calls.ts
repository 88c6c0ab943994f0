/** Handlers of the photograph calls. */
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/refusal.ts'
import type { FacesService } from './service.ts'

export function faceHandlers(service: FacesService): MountedCall[] {
  return [
    handler(faceCalls.cache, async ({ scope, file, body }) => {
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      return service.cache(scope, file.bytes, body.faceIndex)
    }),
  ]
}
