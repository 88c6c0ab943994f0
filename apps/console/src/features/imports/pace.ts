/** The rate of long work, from samples of its progress. */

export interface Sample {
  /** Epoch milliseconds. */
  at: number
  done: number
}

/** Only recent samples count: work that starts slowly need not stay slow. */
const WINDOW_MS = 20_000
/** Samples that span less time give no rate. */
const LEAST_MS = 2_000

/** Return the samples that count, with one more. */
export const withSample = (samples: readonly Sample[], sample: Sample): Sample[] => [
  ...samples.filter(({ at, done }) => at > sample.at - WINDOW_MS && done <= sample.done),
  sample,
]

/** Return the steps a second; null while the samples are too few. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < LEAST_MS || last.done <= first.done) return null
  return ((last.done - first.done) / (last.at - first.at)) * 1000
}

/** Return a duration in whole seconds, or from 90 seconds on in whole minutes. */
export const spokenDuration = (seconds: number): { unit: 'second' | 'minute'; count: number } =>
  seconds < 90 ? { unit: 'second', count: Math.max(1, Math.round(seconds)) } : { unit: 'minute', count: Math.round(seconds / 60) }
