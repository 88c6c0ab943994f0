/** Comparison of the face before the machine with the photo of an appointment. */
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import { code } from '@gatehouse/contract'
import { acceptedFace, distanceOf, FacePoolBusy, PhotoRefusal, scoreOf, type FacePool } from '@gatehouse/face-engine'
import { FrameDropped, type FrameQueue } from '../passage/camera.ts'
import { decodeTemplate } from '../store/template.ts'
import type { StoredVisit } from '../store/visits.ts'

/** Raw score and liveness of a face, or the business code of a picture that shows none to compare. */
export type Compared = { score: number; livenessScore: number | undefined } | { picture: number }

export interface FaceComparison {
  /** Whether the photo of an appointment can be compared by the model that runs here. */
  canCompare(visit: Pick<StoredVisit, 'template' | 'modelId'>): boolean
  /** @returns null if the photo cannot be compared here @throws FrameDropped `busy` */
  compare(visit: Pick<StoredVisit, 'template' | 'modelId'>, picture: Uint8Array): Promise<Compared | null>
}

export interface FaceComparisonOptions {
  pool: Pick<FacePool, 'analyse' | 'description'>
  queue: FrameQueue
  settings: () => Pick<DeviceSettings, 'liveness'> | null
  log: (sentence: string) => void
}

export function createFaceComparison({ pool, queue, settings, log }: FaceComparisonOptions): FaceComparison {
  const { modelId, dimensions, calibration } = pool.description
  const embeddingOf = (visit: Pick<StoredVisit, 'template' | 'modelId'>): Float32Array | null =>
    visit.template === null || visit.modelId !== modelId ? null : decodeTemplate(visit.template, dimensions)

  async function faceOf(picture: Uint8Array) {
    try {
      const needsLiveness = settings()?.liveness?.refuses ?? false
      return acceptedFace(await pool.analyse(picture, { embed: 'first', liveness: needsLiveness }), { faceIndex: 0 })
    } catch (error) {
      if (error instanceof PhotoRefusal) return error.code
      if (error instanceof FacePoolBusy) throw new FrameDropped('busy')
      log(`The face engine failed on a picture of ${picture.length} bytes: ${error instanceof Error ? error.message : String(error)}`)
      return code.imageUnreadable
    }
  }

  return {
    canCompare: (visit) => embeddingOf(visit) !== null,
    async compare(visit, picture) {
      const embedding = embeddingOf(visit)
      if (embedding === null) return null
      const face = await queue.picture(() => faceOf(picture))
      if (typeof face === 'number') return { picture: face }
      const distance = distanceOf({ modelId, embedding }, { modelId, embedding: face.embedding })
      return { score: scoreOf(calibration, distance), livenessScore: face.livenessScore }
    },
  }
}
