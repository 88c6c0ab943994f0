/**
 * What a lead of the best person over the second best does in lists longer than any that was measured: calculated from
 * the model's curve.
 */
import { rateOfScore } from '@gatehouse/contract'
import { chanceAmong } from '@gatehouse/contract/faces/precision'
import { distanceOfScore, scoreOf } from '../calibration.ts'
import type { Calibration } from '../calibration.ts'

/** A list of photographs of people who do not look alike, and what is asked of the best of them. */
export interface LongList {
  calibration: Calibration
  photographs: number
  score: number
  margin: number
}

const rateAt = (calibration: Calibration, distance: number): number => rateOfScore(scoreOf(calibration, distance))

/**
 * Of strangers, how many are taken for somebody. A stranger's N comparisons have rates spread evenly from 0 to 1, and a lead of m points
 * asks that the second lowest is c = 10^(m/10) times the lowest: N ∫ (1 − c·u)^(N − 1) du up to the threshold's rate.
 */
export function strangersAccepted({ calibration, photographs, score, margin }: LongList): number {
  const times = 10 ** (margin / 10)
  return chanceAmong(Math.min(1, times * rateAt(calibration, distanceOfScore(calibration, score))), photographs) / times
}

/**
 * Of photographs of enrolled persons, how many are refused: too far from their enrolment, or not leading somebody else of the list.
 * @param mates distances to the right enrolment
 * @param lead points by which one distance leads another; grows with the second
 */
export function refusedOf(
  { calibration, photographs, score, margin }: LongList,
  mates: readonly number[],
  lead: (mate: number, other: number) => number,
): number {
  const shares = mates.map((mate) => {
    if (scoreOf(calibration, mate) < score) return 1
    // How near the others may be, by halving.
    let [near, far] = [mate, calibration.unlike]
    while (far - near > 1e-6) {
      const middle = (near + far) / 2
      if (lead(mate, middle) >= margin) far = middle
      else near = middle
    }
    return chanceAmong(rateAt(calibration, far), photographs)
  })
  return shares.reduce((sum, share) => sum + share, 0) / mates.length
}
