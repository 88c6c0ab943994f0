/** Captures as the tests of the search among them make them. */
import type { CaptureColumns, CaptureFilter } from '../capture-segment.ts'
import type { CaptureMatch } from '../nearest-captures.ts'

export interface Capture {
  id: string
  time: number
  deviceId: string
  numbers: Float32Array
}

/** A filter that lets everything through. */
export const EVER: CaptureFilter = { from: 0, until: 100 * 86_400_000 }

/** An id of a capture that ends with a number. */
export const idOf = (number: number): string => `0190a000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** Ids as a filter lists them. */
export const bytesOfIds = (ids: readonly string[]): Uint8Array => Buffer.from(ids.join('').replaceAll('-', ''), 'hex')

const idsOfBytes = (bytes: Uint8Array): string[] =>
  (Buffer.from(bytes).toString('hex').match(/.{32}/g) ?? []).map((id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))

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

/** The answer by trying everything and sorting it; nothing of the search is used. */
export function byTryingEverything(
  captures: readonly Capture[],
  probes: readonly Float32Array[],
  { limit, within }: { limit: number; within: number },
  { from, until, deviceIds, only }: CaptureFilter = EVER,
): CaptureMatch[] {
  const listed = new Set(idsOfBytes(only ?? new Uint8Array(0)))
  const squaredOf = (numbers: Float32Array) =>
    Math.min(...probes.map((probe) => numbers.reduce((sum, number, i) => sum + (probe[i]! - number) * (probe[i]! - number), 0)))
  return captures
    .filter(({ time, deviceId }) => time >= from && time < until && deviceIds?.has(deviceId) !== false)
    .filter(({ id }) => only === undefined || listed.has(id))
    .map(({ id, numbers }) => ({ id, squared: squaredOf(numbers) }))
    .filter(({ squared }) => within >= 0 && squared <= within * within)
    .sort((a, b) => a.squared - b.squared || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id, squared }) => ({ id, distance: Math.sqrt(squared) }))
}
