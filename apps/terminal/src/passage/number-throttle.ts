/**
 * Holds up whoever tries out numbers at a reader: cards, ID cards, codes and hands of nobody. Each unknown one costs a second, and
 * ten may be owed. People at a door never come that fast, so nobody is kept waiting but the program that guesses.
 */
import { isSameInput, type Input } from './inputs.ts'

export type NumberedInput = Exclude<Input, { kind: 'face' | 'password' }>

export interface NumberThrottle {
  /** Milliseconds until a number is looked at; 0 when it is at once. */
  wait(source: string, input: NumberedInput, now: number): number
  /** Counts a number that nobody here has. */
  unknown(source: string, input: NumberedInput, now: number): void
}

/** Milliseconds one unknown number costs. */
const COST = 1_000
/** Unknown numbers that are looked at without a wait. */
const MOST = 10

interface Count {
  /** Milliseconds still to be waited out. */
  debt: number
  at: number
  /** The number shown last: shown again, it is no other guess. */
  last: NumberedInput
  /** The hold-up is in the log already. */
  said: boolean
}

/** @param log told once when a source begins to be held up */
export function createNumberThrottle(log: (sentence: string) => void): NumberThrottle {
  /** By source and kind. */
  const counts = new Map<string, Count>()
  const keyOf = (source: string, { kind }: NumberedInput) => `${source} ${kind}`

  /** A clock that was put back forgives nothing, and costs nothing. */
  const debtOf = ({ debt, at }: Count, now: number) => Math.max(0, debt - Math.max(0, now - at))

  return {
    wait(source, input, now) {
      const count = counts.get(keyOf(source, input))
      if (!count || isSameInput(count.last, input)) return 0
      return Math.max(0, debtOf(count, now) - (MOST - 1) * COST)
    },
    unknown(source, input, now) {
      const key = keyOf(source, input)
      const before = counts.get(key)
      if (before && isSameInput(before.last, input)) return
      const debt = before ? debtOf(before, now) : 0
      const isHeldUp = debt + COST >= MOST * COST
      const wasSaid = debt > 0 && before?.said === true
      if (isHeldUp && !wasSaid) log(`${MOST} unknown numbers came in a row from one source (${key}): now one a second is looked at.`)
      counts.set(key, { debt: debt + COST, at: now, last: input, said: wasSaid || isHeldUp })
    },
  }
}
