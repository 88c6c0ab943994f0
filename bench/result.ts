/** One measured number beside what it is held against. */
export interface BenchResult {
  /** What was measured, in words. */
  name: string
  value: number
  /** 95 % lie between these. */
  interval?: readonly [low: number, high: number]
  /** `ms`, `s`, `1/s`, `MB`, … */
  unit: string
  /** What the value is divided by, in words; absent: the value speaks for itself. */
  ratioTo?: string
  ratio?: number
  /** Largest ratio (or, without one, largest value) that is good enough. */
  goal?: number
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
