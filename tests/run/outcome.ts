/** What a stage of a test run ends with. */
export interface Outcome {
  passed: number
  skipped: number
  /** One line for each failure. */
  failures: string[]
}

/** The outcome of a check that holds or does not. */
export const checked = (name: string, holds: boolean): Outcome => ({ passed: holds ? 1 : 0, skipped: 0, failures: holds ? [] : [name] })

export function sum(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((total, outcome) => total + outcome.passed, 0),
    skipped: outcomes.reduce((total, outcome) => total + outcome.skipped, 0),
    failures: outcomes.flatMap((outcome) => outcome.failures),
  }
}

/** The line every run closes with, read by continuous integration. */
export function closingLine({ passed, skipped, failures }: Outcome): string {
  return `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
