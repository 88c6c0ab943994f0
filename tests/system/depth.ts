/**
 * The number of repetitions and the duration of the system tests. The usual depth proves each kind of work and of failure in a few minutes;
 * `TEST_DEPTH=soak` repeats them as often as a release requires. `SEED=<seed>` draws what an earlier run drew.
 */
import { randomBytes } from 'node:crypto'
import type { Random } from '@gatehouse/face-engine/portrait/random'

const DEPTHS = ['usual', 'soak'] as const
type Depth = (typeof DEPTHS)[number]

const asked = process.env['TEST_DEPTH'] || 'usual'
const chosen = DEPTHS.find((name) => name === asked)
if (chosen === undefined) throw new Error(`TEST_DEPTH is ${DEPTHS.join(' or ')}, not ${asked}`)

/** Return the value for the depth of this run. */
export const depth = <Value>(values: Record<Depth, Value>): Value => values[chosen]

/** Seed of all random choices of a test file: `SEED`, else new in each run. Tests print it. */
export const SEED = process.env['SEED'] || randomBytes(4).toString('hex')

export interface Draws<Kind extends string> {
  next(): Kind
  /** Return the kinds that were never drawn. */
  missing(): Kind[]
}

/** Draw kinds by weight, but each of them once before any is drawn again. */
export function createDraws<Kind extends string>(weights: Readonly<Record<Kind, number>>, random: Random): Draws<Kind> {
  const kinds = Object.keys(weights) as Kind[]
  const undrawn = new Set(kinds)
  return {
    next() {
      const candidates = undrawn.size > 0 ? [...undrawn] : kinds
      let left = random.next() * candidates.reduce((sum, kind) => sum + weights[kind], 0)
      const drawn = candidates.find((kind) => (left -= weights[kind]) < 0) ?? candidates.at(-1)!
      undrawn.delete(drawn)
      return drawn
    },
    missing: () => [...undrawn],
  }
}
