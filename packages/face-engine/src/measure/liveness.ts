/** What captures of living faces and of pictures held up say about a threshold. Each capture is a trial of its own. */
import type { LivenessPoint } from '@gatehouse/contract/faces/liveness'
import { wilsonInterval } from './interval.ts'

/** Of living faces, how many a suggested threshold may refuse. */
const GENUINE_REFUSED_AT_MOST = 0.01
/** Hundredths: fine enough to choose by, and few enough to draw. */
const THRESHOLDS = Array.from({ length: 101 }, (_, hundredths) => hundredths / 100)

/**
 * Both errors at each threshold from 0 to 1, by rising threshold; a face passes from the threshold on. Empty without
 * captures of both kinds.
 * @param genuineScores, spoofScores 0 to 1
 */
export function livenessCurve(genuineScores: readonly number[], spoofScores: readonly number[]): LivenessPoint[] {
  if (genuineScores.length === 0 || spoofScores.length === 0) return []
  const share = (scores: readonly number[], counts: (score: number) => boolean) =>
    wilsonInterval(scores.filter(counts).length / scores.length, scores.length)
  return THRESHOLDS.map((threshold) => ({
    threshold,
    genuineRefused: share(genuineScores, (score) => score < threshold),
    spoofAccepted: share(spoofScores, (score) => score >= threshold),
  }))
}

/**
 * The threshold at which at most one living face in a hundred was refused and fewest pictures passed; of several alike the middle one, as
 * far from either kind as can be. Null while there are fewer captures of a kind than `wanted`: of 30 pictures of which none passed, one in
 * nine may.
 */
export function suggestedLiveness(
  genuineScores: readonly number[],
  spoofScores: readonly number[],
  minimumCaptures: number,
): LivenessPoint | null {
  if (Math.min(genuineScores.length, spoofScores.length) < minimumCaptures) return null
  const bearable = livenessCurve(genuineScores, spoofScores).filter(({ genuineRefused }) => genuineRefused.rate <= GENUINE_REFUSED_AT_MOST)
  const fewest = lowest(bearable, ({ spoofAccepted }) => spoofAccepted.rate)
  const alike = lowest(fewest, ({ genuineRefused }) => genuineRefused.rate)
  return alike[Math.floor((alike.length - 1) / 2)] ?? null
}

function lowest(points: readonly LivenessPoint[], rate: (point: LivenessPoint) => number): LivenessPoint[] {
  const least = Math.min(...points.map(rate))
  return points.filter((point) => rate(point) === least)
}
