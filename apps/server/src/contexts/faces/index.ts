/** Photographs, templates, the search among them, and how strictly they are compared. */
import type { FacePool } from '@gatehouse/face-engine'
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { organisationContext } from '../organisation/index.ts'
import { faceHandlers } from './calls.ts'
import { createEngineState } from './engine-state.ts'
import { facePolicyChanged, facesChanged, facesErased, templatesMade } from './events.ts'
import { livenessHandlers } from './liveness-calls.ts'
import { livenessMigrations } from './liveness-schema.ts'
import { matchingHandlers } from './matching-calls.ts'
import { matchingMigrations } from './matching-schema.ts'
import { ownCurveHandlers } from './own-curve-calls.ts'
import { ownCurveMigrations } from './own-curve-schema.ts'
import { createOwnCurves } from './own-curve.ts'
import { settingsHandlers } from './settings-calls.ts'
import { reportHandlers } from './report-calls.ts'
import { reportMigrations } from './report-schema.ts'
import { createFaceReports } from './report.ts'
import { facesMigrations } from './schema.ts'
import { createFacesNeeds } from './needs.ts'
import { createFacesService } from './service.ts'
import type { FacesService } from './service-types.ts'

export { drawnPersons, faceDevices, faceDoors, facePersons, faceUse } from './extension-points.ts'

export { FACES } from './reading.ts'

export { facesChanged } from './events.ts'
export { canLearnWhoLooksAlike, type FaceViewer } from './policy.ts'
export type { FaceInPicture } from './faces-in-picture.ts'
export type { FacePolicyValues } from './settings.ts'
export { CaptureSearchWorker, PersonList, embeddingOfBytes, isFiniteEmbedding, nearestCaptures } from './template-search.ts'
export type { CaptureColumns, CaptureFilter, CaptureLimits, CaptureMatch, CaptureSearch } from './template-search.ts'
export { createSubmittedPhotos, type SubmittedPhoto, type SubmittedPhotos } from './submitted-photos.ts'
export type { Comparing, ComparedPhoto, CopiedPhotos, FaceOwner, FacesService, StoredFaces, PersonDescription } from './service-types.ts'

export interface FacesContext extends Context {
  service: FacesService
  engine: FacePool
}

/** Parts that the program passes in: the engine may be shared by several servers of one process. */
export interface FaceParts {
  facePool: FacePool
}

export const facesContext = defineContext({
  name: 'faces',
  uses: { organisation: organisationContext },
  create(platform, { organisation }, { facePool: pool }: FaceParts): FacesContext {
    const needs = createFacesNeeds(platform, organisation.service)
    const {
      service,
      policy,
      thresholds,
      gallery,
      embedding,
      liveness,
      curves,
      templatesMade: noteTemplates,
    } = createFacesService(platform, pool, needs)
    const engine = createEngineState(platform, pool.description, embedding, needs)
    const reports = createFaceReports(platform, {
      engine: pool.description,
      doorScoreOf: async (scope) => (await thresholds.of(scope)).door,
      search: gallery.search,
      persons: needs.persons,
      demoPersons: needs.demoPersons,
      unseen: needs.unseen,
      thumbnailOf: service.thumbnailOf,
    })
    const ownCurves = createOwnCurves(platform, {
      engine: pool.description,
      shippedDoor: thresholds.shippedDoor,
      refreshCurves: curves.refresh,
      curveOf: curves.of,
      devices: needs.devices,
      doorScoreOf: async (scope) => (await thresholds.of(scope)).door,
      persons: needs.persons,
      demoPersons: needs.demoPersons,
      unseen: needs.unseen,
      thumbnailOf: service.thumbnailOf,
      lookAlikesOf: service.matching.of,
      doorGroups: needs.doorGroups,
      lookedAgain: needs.lookedAgain,
      parkIds: needs.parkIds,
    })
    platform.events.consume({
      name: 'faces.gallery',
      mode: 'everyNode',
      handlers: [
        on(facesChanged, ({ parkId, payload }) => {
          thresholds.noteChanged({ parkId })
          ownCurves.noteChanged({ parkId })
          return gallery.refresh({ parkId }, payload.personIds)
        }),
        on(templatesMade, async ({ parkId, payload }) => {
          thresholds.noteChanged({ parkId })
          if (payload.modelId === service.modelId) await gallery.refresh({ parkId }, payload.personIds)
          noteTemplates({ parkId }, payload.modelId)
        }),
        on(facePolicyChanged, async ({ parkId }) => {
          // Listeners of the policy read the curves too.
          await curves.refresh({ parkId })
          await policy.refresh({ parkId })
        }),
        on(facesErased, ({ parkId }) => {
          thresholds.noteChanged({ parkId })
          return gallery.forget({ parkId })
        }),
      ],
    })
    return {
      service,
      engine: pool,
      calls: [
        ...faceHandlers(service, engine, embedding),
        ...settingsHandlers(policy),
        ...matchingHandlers(service.matching),
        ...reportHandlers(reports),
        ...ownCurveHandlers(ownCurves),
        ...livenessHandlers(liveness),
      ],
      migrations: [...facesMigrations, ...matchingMigrations, ...reportMigrations, ...livenessMigrations, ...ownCurveMigrations],
      jobs: [
        ownCurves.job,
        {
          name: 'faces.dropAbandoned',
          schedule: '29 * * * *',
          run: async () => {
            const faces = await service.dropAbandoned()
            const files = await platform.storage.sweep()
            return { outcome: 'success', counts: { photographs: faces, files } }
          },
        },
        {
          name: 'faces.dropOldTemplates',
          schedule: '43 2 * * *',
          run: async () => ({ outcome: 'success', counts: { templates: await embedding.dropOld() } }),
        },
      ],
      async start() {
        await curves.fill()
        await policy.fill()
        await gallery.fill()
        await embedding.requestMissing()
      },
      stop: () => gallery.close(),
      async erasePark(tx, scope) {
        await reports.erase(tx, scope)
        await liveness.erase(tx, scope)
        return { faces: await service.eraseAll(tx, scope) }
      },
    }
  },
})
