/** Runs one project of vitest.config.ts and counts. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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
    assertionResults: { fullName: string; status: string }[]
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
  else if (code !== 0 && outcome.failures.length === 0) outcome.failures.push(`${project}: vitest ended with code ${code} though no test failed`)
  return outcome
}

function read(file: string): Outcome {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  const failures = report.testResults.flatMap((result) => {
    const path = result.name.replace(`${ROOT}/`, '')
    const failed = result.assertionResults.filter((assertion) => assertion.status === 'failed').map((assertion) => `${path} > ${assertion.fullName}`)
    // A file that could not be loaded fails without a test.
    return failed.length === 0 && result.status === 'failed' ? [`${path} could not be run`] : failed
  })
  return { passed: report.numPassedTests, skipped: report.numPendingTests + report.numTodoTests, failures }
}
