/** Whether two inputs are the same face or thing, shown twice. */
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import { distanceOf, distanceOfScore, recommendedScore, type FacePool } from '@gatehouse/face-engine'
import type { Decider } from './decision.ts'
import { isSameInput, type Input, type SeenFace } from './inputs.ts'

export interface InputComparison {
  /**
   * Whether two faces are as similar as the door requires of a person's faces, but at most as the engine recommends for a door: two frames
   * are compared with each other, however many persons are stored.
   */
  isSameFace(one: SeenFace, other: SeenFace, settings: DeviceSettings): boolean
  isSame(one: Input, other: Input, settings: DeviceSettings): boolean
}

export function createInputComparison(
  pool: Pick<FacePool, 'modelId' | 'description'>,
  decider: Pick<Decider, 'thresholds'>,
): InputComparison {
  function isSameFace(one: SeenFace, other: SeenFace, settings: DeviceSettings): boolean {
    const { calibration } = pool.description
    const template = ({ embedding }: SeenFace) => ({ modelId: pool.modelId, embedding })
    const score = Math.min(decider.thresholds(settings).face, recommendedScore(calibration, 'door'))
    return distanceOf(template(one), template(other)) <= distanceOfScore(calibration, score)
  }

  return {
    isSameFace,
    isSame: (one, other, settings) =>
      one.kind === 'face' && other.kind === 'face' ? isSameFace(one.face, other.face, settings) : isSameInput(one, other),
  }
}
