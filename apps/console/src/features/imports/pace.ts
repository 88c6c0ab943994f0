/** How fast long work goes, from how far it was a while ago. */

export interface Sample {
  /** Epoch milliseconds. */
  at: number
  done: number
}

/** The last seconds count: work that begins slowly is not slow. */
const WINDOW_MS = 20_000
/** Less than this says nothing yet. */
const LEAST_MS = 2_000

/** The samples that count, with one more. */
export const withSample = (samples: readonly Sample[], sample: Sample): Sample[] => [
  ...samples.filter(({ at, done }) => at > sample.at - WINDOW_MS && done <= sample.done),
  sample,
]

/** Steps a second; null while nothing can be said. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < LEAST_MS || last.done <= first.done) return null
  return ((last.done - first.done) / (last.at - first.at)) * 1000
}

/** Seconds or minutes, as one would say them. */
export const spokenDuration = (seconds: number): { unit: 'second' | 'minute'; count: number } =>
  seconds < 90 ? { unit: 'second', count: Math.max(1, Math.round(seconds)) } : { unit: 'minute', count: Math.round(seconds / 60) }
