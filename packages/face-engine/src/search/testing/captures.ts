/** Captures as the tests of the search among them make them. */
import type { CaptureColumns } from '../capture-segment.ts'

export interface Capture {
  id: string
  time: number
  deviceId: string
  numbers: Float32Array
}

/** An id of a capture that ends with a number. */
export const idOf = (number: number): string => `0190a000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

export function columnsOf(captures: readonly Capture[]): CaptureColumns {
  const dimensions = captures[0]?.numbers.length ?? 0
  const numbers = new Float32Array(captures.length * dimensions)
  for (const [index, capture] of captures.entries()) numbers.set(capture.numbers, index * dimensions)
  return {
    ids: captures.map(({ id }) => id),
    times: Float64Array.from(captures, ({ time }) => time),
    deviceIds: captures.map(({ deviceId }) => deviceId),
    numbers,
  }
}
