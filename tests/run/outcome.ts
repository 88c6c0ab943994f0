/** The result of a stage of a test run. */
export interface Outcome {
  passed: number
  skipped: number
  /** Tests that were not part of this run. */
  leftOut: number
  /** One entry for each failure. */
  failures: string[]
  /** Tests that failed, and passed when they were run once more. */
  flakes: string[]
  /** Duration of each test file. */
  files: { path: string; seconds: number }[]
}

export const nothing = (): Outcome => ({ passed: 0, skipped: 0, leftOut: 0, failures: [], flakes: [], files: [] })

export const failed = (failure: string): Outcome => ({ ...nothing(), failures: [failure] })

/** Return the outcome of a check that passes or fails. */
export const checked = (name: string, holds: boolean): Outcome => (holds ? { ...nothing(), passed: 1 } : failed(name))

export function sum(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((total, outcome) => total + outcome.passed, 0),
    skipped: outcomes.reduce((total, outcome) => total + outcome.skipped, 0),
    leftOut: outcomes.reduce((total, outcome) => total + outcome.leftOut, 0),
    failures: outcomes.flatMap((outcome) => outcome.failures),
    flakes: outcomes.flatMap((outcome) => outcome.flakes),
    files: outcomes.flatMap((outcome) => outcome.files),
  }
}

/** Return the last line of every run, which continuous integration reads. */
export function closingLine({ passed, skipped, failures }: Outcome): string {
  return `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
