/**
 * 1,024 numbers as 384, so that lengths and angles stay about as they were: a fixed random rotation of which a part is
 * kept. It is a change of signs, a Hadamard transform and a choice of its rows, which is exactly orthogonal, takes
 * 10,240 additions and needs no matrix; signs and rows come from a seed, so nothing of anybody goes with it. Kept
 * templates depend on every step: another one is another model.
 */
import { randomOf } from '../portrait/random.ts'
import { DESCRIPTION_NUMBERS } from './description.ts'

const SEED = 'gatehouse description 1'

export const PROJECTION_NUMBERS = 384

const { signs, rows } = (() => {
  const random = randomOf(SEED)
  const all = Array.from({ length: DESCRIPTION_NUMBERS }, (_, row) => row)
  const chosen = Array.from({ length: PROJECTION_NUMBERS }, (_, at) => {
    const other = at + Math.floor(random.next() * (DESCRIPTION_NUMBERS - at))
    ;[all[at], all[other]] = [all[other]!, all[at]!]
    return all[at]!
  })
  return { signs: Array.from({ length: DESCRIPTION_NUMBERS }, () => (random.next() < 0.5 ? -1 : 1)), rows: chosen }
})()

/**
 * @param numbers `DESCRIPTION_NUMBERS` of them.
 * @returns `PROJECTION_NUMBERS` numbers; of two inputs their angle is kept but for a few hundredths
 */
export function projected(numbers: Float32Array): Float32Array {
  const turned = Float64Array.from(numbers, (number, at) => number * signs[at]!)
  for (let half = 1; half < DESCRIPTION_NUMBERS; half *= 2)
    for (let start = 0; start < DESCRIPTION_NUMBERS; start += 2 * half)
      for (let at = start; at < start + half; at++) {
        const [sum, difference] = [turned[at]! + turned[at + half]!, turned[at]! - turned[at + half]!]
        turned[at] = sum
        turned[at + half] = difference
      }
  const scale = 1 / Math.sqrt(DESCRIPTION_NUMBERS)
  return Float32Array.from(rows, (row) => turned[row]! * scale)
}
