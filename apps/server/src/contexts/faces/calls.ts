/** Handlers of the photograph calls, and of those on the engine. */
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Embedding } from './embedding.ts'
import type { EngineState } from './engine-state.ts'
import type { FacesService } from './service-types.ts'

export function faceHandlers(service: FacesService, engine: EngineState, embedding: Embedding): MountedCall[] {
  return [
    handler(faceCalls.cache, async ({ scope, session, file, body }) => {
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      const { faceIndex, personId } = body
      return service.cache(scope, file.bytes, { faceIndex, personId, viewer: session })
    }),
    handler(faceCalls.engine, ({ scope }) => engine.read(scope)),
    handler(faceCalls.embedAgain, async ({ scope }) => ({ id: await embedding.again(scope) })),
    handler(faceCalls.cancelEmbedding, async ({ scope }) => ({ id: await embedding.cancel(scope) })),
    handler(faceCalls.refusedPhotos, ({ scope, query }) => engine.refused(scope, query)),
  ]
}
