/** Runs one project of vitest.config.ts and counts. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Outcome } from './outcome.ts'
import { packageProgram, ROOT, runProgram } from './program.ts'

interface Report {
  numPassedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

/** @param words passed on to vitest, e.g. a file name */
export async function runVitest(project: string, words: readonly string[] = [], env: Record<string, string> = {}): Promise<Outcome> {
  const folder = join(ROOT, '.cache', 'test')
  const file = join(folder, `${project}.json`)
  mkdirSync(folder, { recursive: true })
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await runProgram([...packageProgram('vitest', 'vitest'), 'run', '--project', project, ...reporters, ...words], env)
  const outcome = existsSync(file) ? read(file) : { passed: 0, skipped: 0, failures: [] }
  if (outcome.passed + outcome.skipped + outcome.failures.length === 0) outcome.failures.push(`${project}: no test ran`)
  else if (code !== 0 && outcome.failures.length === 0)
    outcome.failures.push(`${project}: vitest ended with code ${code} though no test failed`)
  return outcome
}

function read(file: string): Outcome {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  const failures = report.testResults.flatMap((result) => {
    const path = result.name.replace(`${ROOT}/`, '')
    const failed = result.assertionResults
      .filter((assertion) => assertion.status === 'failed')
      .map((assertion) => `${path} > ${assertion.fullName}${why(assertion.failureMessages?.[0])}`)
    // A file that could not be loaded fails without a test.
    return failed.length === 0 && result.status === 'failed' ? [`${path} could not be run${why(result.message)}`] : failed
  })
  return { passed: report.numPassedTests, skipped: report.numPendingTests + report.numTodoTests, failures }
}

const LINES_OF_A_REASON = 12

/** The beginning of a failure's message, beneath its name: enough to tell what happened where only the end of an output is kept. */
function why(message: string | undefined): string {
  const lines = stripVTControlCharacters(message ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines
    .slice(0, LINES_OF_A_REASON)
    .map((line) => `\n      ${line.slice(0, 200)}`)
    .join('')
}
