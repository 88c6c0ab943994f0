/**
 * Delays callers who try out numbers at a reader: unknown cards, ID cards, codes and hands. Each unknown number costs a second, and up to
 * ten may be owed. People at a door never come that fast, so only a program that guesses has to wait.
 */
import { isSameInput, type Input } from './inputs.ts'

export type NumberedInput = Exclude<Input, { kind: 'face' | 'password' }>

export interface NumberThrottle {
  /** Return the milliseconds until a number may be checked; 0 if at once. */
  wait(source: string, input: NumberedInput, now: number): number
  /** Count a number that is unknown here. */
  unknown(source: string, input: NumberedInput, now: number): void
}

/** Milliseconds one unknown number costs. */
const COST = 1_000
/** Unknown numbers that are checked without a wait. */
const MOST = 10

interface Count {
  /** Milliseconds still owed. */
  debt: number
  at: number
  /** The last number. Shown again, it is not a further guess. */
  last: NumberedInput
  /** Whether the delay has been logged. */
  isLogged: boolean
}

/** @param log called once when the delay of a source begins */
export function createNumberThrottle(log: (sentence: string) => void): NumberThrottle {
  /** Counts by source and kind. */
  const counts = new Map<string, Count>()
  const keyOf = (source: string, { kind }: NumberedInput) => `${source} ${kind}`

  /** Return the milliseconds still owed. A clock that was set back neither reduces nor increases them. */
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
      const isThrottled = debt + COST >= MOST * COST
      const wasLogged = debt > 0 && before?.isLogged === true
      if (isThrottled && !wasLogged) log(`${MOST} unknown numbers came in a row from one source (${key}): now one a second is looked at.`)
      counts.set(key, { debt: debt + COST, at: now, last: input, isLogged: wasLogged || isThrottled })
    },
  }
}
