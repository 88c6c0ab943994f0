/** One measured number with its reference. */
export interface BenchResult {
  /** What was measured, in words. */
  name: string
  value: number
  /** The interval that contains 95 % of the values. */
  interval?: readonly [low: number, high: number]
  /** `ms`, `s`, `1/s`, `MB`, … */
  unit: string
  /** The reference by which the value is divided, in words; absent: there is none. */
  ratioTo?: string
  ratio?: number
  /** Largest acceptable ratio (or, without one, largest value). */
  goal?: number
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
