/** The same direction at length 1; what has no length has no direction either, and stays as it is. */
export function atUnitLength(numbers: Float32Array): Float32Array {
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0))
  return length === 0 ? numbers.slice() : numbers.map((number) => number / length)
}
