/** The faces service: photographs are checked by the engine, stored, assigned to persons, and compared. */
import { bytesOfEmbedding, type FacePool } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { createAnalysis, type Analysis } from './analysis.ts'
import { createCachedPhotographs } from './cached-photographs.ts'
import { createComparedPhotographs } from './compared-photographs.ts'
import { createComparison } from './comparison.ts'
import { createContactPhotographs } from './contact-photographs.ts'
import { createCopiedPhotographs } from './copied-photographs.ts'
import { createEmbedding, type Embedding } from './embedding.ts'
import { createGallery, type Gallery } from './gallery.ts'
import { createLiveness, type Liveness } from './liveness.ts'
import { createCurvesInForce, type CurvesInForce } from './curves-in-force.ts'
import { createMatching } from './matching.ts'
import { createFindAmong, createFindLookAlike } from './one-of-few.ts'
import { createOneToN, createTemplateOfCached } from './one-to-n.ts'
import type { FacesServiceParts } from './parts.ts'
import { createPersonPhotographs } from './person-photographs.ts'
import { createFacesIn } from './faces-in-picture.ts'
import { createFaceSettings, type FaceSettings } from './settings.ts'
import { createSamePerson } from './same-person.ts'
import { createThresholds, type Thresholds } from './thresholds.ts'
import type { FacesNeeds, FacesService } from './service-types.ts'

/** The service, and the parts that the context itself starts and mounts. */
export interface FacesParts {
  service: FacesService
  analysis: Analysis
  policy: FaceSettings
  thresholds: Thresholds
  gallery: Gallery
  embedding: Embedding
  liveness: Liveness
  curves: CurvesInForce
  templatesMade(scope: Scope, modelId: string): void
}

export function createFacesService(platform: Platform, pool: FacePool, needs: FacesNeeds): FacesParts {
  const { description } = pool
  const { modelId } = description
  const analysis = createAnalysis(pool, platform.config.faceWorkers)
  const curves = createCurvesInForce(platform, modelId)
  const policy = createFaceSettings(platform, description, {
    ...needs,
    measures: (scope) => thresholds.measures(scope),
    curveOf: curves.of,
  })
  const thresholds = createThresholds(platform, description, {
    ...needs,
    promisesOf: (scope) => policy.of(scope).promises,
    curveOf: curves.of,
  })
  const gallery = createGallery(platform, description, needs.unseen)
  const templateOfCached = createTemplateOfCached(platform, description)
  const embedding = createEmbedding(platform, description, analysis)
  const matching = createMatching(platform, { persons: needs.persons, door: async (scope) => (await thresholds.of(scope)).door, modelId })
  const liveness = createLiveness(platform, { engine: description, analysis, settingOf: (scope) => policy.of(scope).liveness })
  const samePerson = createSamePerson(platform, description, embedding)
  const revisions = new Map<string, number>()
  const parts: FacesServiceParts = {
    platform,
    needs,
    description,
    analysis,
    curves,
    policy,
    thresholds,
    gallery,
    embedding,
    matching,
    samePerson,
  }

  const service: FacesService = {
    modelId,
    description,
    policyOf: policy.of,
    thresholdsOf: thresholds.of,
    searchScoreAmong: thresholds.searchAmong,
    onPolicyChanged: policy.onChanged,
    matching,
    liveness,
    search: gallery.search,
    searchEach: gallery.searchEach,
    searchNear: (scope, { modelId: of, embedding: numbers }, options) => gallery.search(scope, of, bytesOfEmbedding(numbers), options),
    templateOfCached,
    searchCached: createOneToN(templateOfCached, description, gallery),
    findAmong: createFindAmong(description, analysis, gallery),
    findLookAlike: createFindLookAlike(description, gallery),
    facesIn: createFacesIn(analysis),
    thumbnailOf: (scope, fileId) => platform.storage.address(scope, fileId, '96'),
    templatesRevision: (scope, of) => revisions.get(`${scope.parkId}/${of}`) ?? 0,
    ...createComparison(parts),
    ...createCachedPhotographs(parts),
    ...createPersonPhotographs(parts),
    ...createComparedPhotographs(parts),
    ...createCopiedPhotographs(parts),
    ...createContactPhotographs(parts),
  }
  return {
    service,
    analysis,
    policy,
    thresholds,
    gallery,
    embedding,
    liveness,
    curves,
    templatesMade: ({ parkId }, of) => void revisions.set(`${parkId}/${of}`, (revisions.get(`${parkId}/${of}`) ?? 0) + 1),
  }
}
