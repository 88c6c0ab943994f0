/** Photographs, templates and the search among them. */
import type { FacePool } from '@gatehouse/face-engine'
import type { Context, Platform } from '../../platform/context.ts'
import { on } from '../../platform/events.ts'
import { faceHandlers } from './calls.ts'
import { facesChanged, facesErased } from './events.ts'
import { facesMigrations } from './schema.ts'
import { createFacesService, type FacesService } from './service.ts'

export { facesChanged } from './events.ts'
export type { FacesService, FaceTemplate } from './service.ts'

export interface FacesContext extends Context {
  service: FacesService
}

export function createFaces(platform: Platform, pool: FacePool): FacesContext {
  const service = createFacesService(platform, pool)
  platform.events.consume({
    name: 'faces.gallery',
    mode: 'everyNode',
    handlers: [
      on(facesChanged, ({ parkId, payload }) => service.refresh({ parkId }, payload.personIds)),
      on(facesErased, ({ parkId }) => service.forget({ parkId })),
    ],
  })
  return {
    name: 'faces',
    service,
    calls: faceHandlers(service),
    migrations: facesMigrations,
    jobs: [
      {
        name: 'faces.dropAbandoned',
        schedule: '29 * * * *',
        run: async () => {
          const faces = await service.dropAbandoned()
          const files = await platform.storage.sweep()
          return { outcome: 'success', note: `${faces} photographs, ${files} files` }
        },
      },
    ],
    start: () => service.fill(),
    erasePark: async (tx, scope) => ({ faces: await service.eraseAll(tx, scope) }),
  }
}
