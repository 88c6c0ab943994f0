/** Seeded randomness: the same seed gives the same portrait on every machine. */

export interface Random {
  /** 0 up to, not including, 1. */
  next(): number
  between(low: number, high: number): number
  pick<T>(choices: readonly T[]): T
  chance(probability: number): boolean
}

/** Mulberry32. @param seed any number or text */
export function randomOf(seed: number | string): Random {
  let state = 0x811c9dc5
  for (const letter of String(seed)) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: (choices) => choices[Math.floor(next() * choices.length)]!,
    chance: (probability) => next() < probability,
  }
}
