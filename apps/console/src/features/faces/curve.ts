/** Error curves in the form in which they are drawn. */
export interface Curve {
  /** Kind of error: a stranger is taken for a registered person, or the right person is not recognised. */
  kind: 'stranger' | 'own'
  name: string
  /** Sorted by `at`, lowest first; `low` and `high` bound the rate with 95 % confidence. */
  points: { at: number; rate: number; low?: number; high?: number }[]
}

export interface CurvesProps {
  curves: Curve[]
  /** Scale of the rates: `powers` of ten for rates that span several of them, otherwise `even`. */
  scale: 'powers' | 'even'
  /** Name of `at`, and its format (`written`). */
  axis: string
  written: (at: number) => string
  /** A setting to point out. */
  mark?: { at: number; words: string } | undefined
  /** Text for users who cannot see the drawing. */
  words: string
}
