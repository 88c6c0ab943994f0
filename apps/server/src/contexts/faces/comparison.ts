/** How faces are compared: at doors, in searches, and with each other. */
import { marginBetween, thresholdFor } from '@gatehouse/access-rules'
import {
  BUILTIN_ENGINE,
  distanceOf,
  distanceOfScore,
  embeddingOfBytes,
  joins,
  leadOf,
  samePersonDistance,
  samePictureDistance,
  scoreOf,
  type Calibration,
} from '@gatehouse/face-engine'
import type { FacesServiceParts } from './parts.ts'
import type { FacesService, Comparing } from './service-types.ts'

/** Whether a model is that of the built-in engine, of this or an earlier version. */
const isBuiltIn = (modelId: string | undefined): boolean => modelId?.startsWith('builtin-') === true
const comparingOf = (calibration: Calibration): Omit<Comparing, 'curveOf'> => ({
  loosest: calibration.recommended.door,
  joins: (photographs) => joins(calibration, photographs),
})
/** The calibration of terminals of earlier versions, which compare each photograph by itself. */
const FORMER_BUILTIN: Calibration = { ...BUILTIN_ENGINE.calibration, means: undefined }

type Comparison = Pick<
  FacesService,
  'comparingAt' | 'reaches' | 'requiredOf' | 'scoreOf' | 'distanceOf' | 'isOnePerson' | 'isSamePicture' | 'leads'
>

export function createComparison({ description, curves, policy, thresholds }: FacesServiceParts): Comparison {
  const { calibration, modelId } = description

  const requiredOf: FacesService['requiredOf'] = (own, usual) =>
    thresholdFor(own && { faceThreshold: own.threshold, faceThresholdLoosens: own.loosens }, usual)

  return {
    // A terminal may run another engine: a promise that one model can keep may be impossible for another and would lock everybody out.
    comparingAt(scope, of) {
      const curveOf = (deviceId: string) => (of === modelId ? curves.of(scope, deviceId) : null)
      if (of === BUILTIN_ENGINE.modelId) return { ...comparingOf(BUILTIN_ENGINE.calibration), curveOf }
      return { ...comparingOf(isBuiltIn(of) ? FORMER_BUILTIN : calibration), curveOf }
    },
    async reaches(scope, own, { distance }) {
      const { door } = await thresholds.of(scope)
      return scoreOf(calibration, distance) >= requiredOf(own, door)
    },
    requiredOf,
    scoreOf: (distance) => scoreOf(calibration, distance),
    distanceOf: (score) => distanceOfScore(calibration, score),
    isOnePerson: (one, other) =>
      distanceOf({ modelId, embedding: embeddingOfBytes(one) }, { modelId, embedding: embeddingOfBytes(other) }) <=
      samePersonDistance(calibration),
    isSamePicture: (distance) => distance <= samePictureDistance(calibration),
    leads: (scope, own, nearest, next) =>
      next === undefined || leadOf(calibration, nearest.distance, next.distance) >= marginBetween(policy.of(scope), own, next.personId),
  }
}
