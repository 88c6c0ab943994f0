/** Curves of errors, as they are given to be drawn. */
export interface Curve {
  /** Which error: strangers taken for somebody, or the right person not recognised. */
  kind: 'stranger' | 'own'
  name: string
  /** By rising `at`; `low` and `high` bound the rate with 95 % confidence. */
  points: { at: number; rate: number; low?: number; high?: number }[]
}

export interface CurvesProps {
  curves: Curve[]
  /** Rates that span powers of ten are drawn so. */
  scale: 'powers' | 'even'
  /** What `at` is called, and how it is written. */
  axis: string
  written: (at: number) => string
  /** A setting to point out. */
  mark?: { at: number; words: string } | undefined
  /** What the picture says. */
  words: string
}
