/** The one place that says what the distance of two embeddings is, to the last bit: 64-bit sums, from the first number to the last. */
export function squaredDistance(probe: Float32Array, numbers: Float32Array, start: number): number {
  let squared = 0
  for (let i = 0; i < probe.length; i++) {
    const difference = probe[i]! - numbers[start + i]!
    squared += difference * difference
  }
  return squared
}
