/** Random directions, which stand for faces nobody has. */

/** Return a generator of normally distributed numbers, repeatable. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  const even = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(1 - even())) * Math.cos(2 * Math.PI * even())
}

/** Return a random direction of length 1. */
export const direction = (dimensions: number, random: () => number): Float32Array => unit(Float32Array.from({ length: dimensions }, random))

/** Return these numbers with the length 1. */
export function unit(numbers: Float32Array): Float32Array {
  let squared = 0
  for (const number of numbers) squared += number * number
  const length = Math.sqrt(squared)
  return numbers.map((number) => number / length)
}
