/** Runs projects of vitest.config.ts and counts. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { nothing, type Outcome } from './outcome.ts'
import type { Slots } from './schedule.ts'
import { packageProgram, ROOT, type Output } from './program.ts'

interface Report {
  numPassedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message?: string
    startTime: number
    endTime: number
    assertionResults: { fullName: string; status: string; tags: string[]; failureMessages?: string[] }[]
  }[]
}

export interface VitestRun {
  /** Names of projects in vitest.config.ts. */
  projects: readonly string[]
  /** Passed on to vitest, e.g. a file name. */
  words?: readonly string[]
  env?: Record<string, string | undefined>
  workers: Slots
  /** A tag of vitest.config.ts: its tests are left out. */
  without?: string
  /** Failing tests are run once more: tests of files that match are not. */
  unforgiven?: RegExp
}

interface Failure {
  path: string
  /** Absent: the file as a whole could not be run. */
  test?: string
  reason: string
}

const textOf = ({ path, test, reason }: Failure): string => `${path} ${test === undefined ? 'could not be run' : `> ${test}`}${reason}`

/** @param name of the stage, under which its report is kept */
export async function runVitest(name: string, run: VitestRun, output: Output): Promise<Outcome> {
  const { outcome, failures } = await once(name, run, output)
  const forgivable = failures.filter(({ path, test }) => test !== undefined && run.unforgiven?.test(path) === false)
  if (forgivable.length === 0) return outcome
  output.say(`\nOnce more, since they failed:\n${forgivable.map(({ path, test }) => `  ${path} > ${test}`).join('\n')}`)
  // Whole files: tests of one page or one terminal depend on each other.
  const files = [...new Set(forgivable.map(({ path }) => path))]
  const again = await once(`${name}-again`, { ...run, words: files, env: { ...run.env, BROWSER_TRACE: '1' } }, output)
  const isSame = (one: Failure, other: Failure): boolean => one.path === other.path && one.test === other.test
  const failsAgain = (one: Failure): boolean =>
    again.failures.some((other) => isSame(one, other) || (one.path === other.path && other.test === undefined))
  const flaky = again.outcome.passed === 0 ? [] : forgivable.filter((one) => !failsAgain(one))
  const onlyThen = again.failures.filter((one) => one.test !== undefined && !failures.some((other) => isSame(one, other)))
  return {
    ...outcome,
    passed: outcome.passed + flaky.length,
    failures: failures.filter((failure) => !flaky.includes(failure)).map(textOf),
    flakes: [...flaky, ...onlyThen].map(textOf),
  }
}

async function once(
  name: string,
  { projects, words = [], env = {}, workers, without }: VitestRun,
  output: Output,
): Promise<{ outcome: Outcome; failures: Failure[] }> {
  const folder = join(ROOT, '.cache', 'test')
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`)
  mkdirSync(folder, { recursive: true })
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const command = [
    ...packageProgram('vitest', 'vitest'),
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    ...reporters,
    ...(without === undefined ? [] : [`--tags-filter=!${without}`]),
    ...words,
  ]
  const code = await output.run(command, { ...env, TEST_WORKERS: String(workers) })
  const { outcome, failures } = existsSync(file) ? read(file, without) : { outcome: nothing(), failures: [] }
  const { passed, skipped } = outcome
  const named = words.includes('-t') || words.some((word) => word.startsWith('--testNamePattern'))
  for (const word of unmatched(words, outcome.files)) outcome.failures.push(`${name}: no test file is called ${word}`)
  if (passed + failures.length === 0 && (skipped === 0 || named)) outcome.failures.push(`${name}: no test ran`)
  else if (code !== 0 && failures.length === 0) outcome.failures.push(`${name}: vitest ended with code ${code} though no test failed`)
  return { outcome, failures }
}

function read(file: string, without?: string): { outcome: Outcome; failures: Failure[] } {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  const failures = report.testResults.flatMap((result): Failure[] => {
    const path = result.name.replace(`${ROOT}/`, '')
    const failed = result.assertionResults
      .filter((assertion) => assertion.status === 'failed')
      .map((assertion) => ({ path, test: assertion.fullName, reason: why(assertion.failureMessages?.[0]) }))
    // A file that could not be loaded fails without a test.
    return failed.length === 0 && result.status === 'failed' ? [{ path, reason: why(result.message) }] : failed
  })
  const files = report.testResults.map(({ name, startTime, endTime }) => ({
    path: name.replace(`${ROOT}/`, ''),
    seconds: (endTime - startTime) / 1_000,
  }))
  const leftOut = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags }) => status === 'skipped' && without !== undefined && tags.includes(without)).length
  const outcome = {
    passed: report.numPassedTests,
    skipped: report.numPendingTests + report.numTodoTests - leftOut,
    leftOut,
    failures: failures.map(textOf),
    flakes: [],
    files,
  }
  return { outcome, failures }
}

/** Return paths among the words for vitest that match no file that ran. A word behind an option may be its value. */
export function unmatched(words: readonly string[], files: Outcome['files']): string[] {
  return words.filter((word, at) => {
    if (word.startsWith('-') || words[at - 1]?.startsWith('-')) return false
    const wanted = relative(ROOT, resolve(ROOT, word.replace(/:\d+$/, '')))
    return !files.some(({ path }) => path.toLowerCase().includes(wanted.toLowerCase()))
  })
}

const LINES_OF_A_REASON = 12

/**
 * Return the beginning of a failure's message, shown beneath its name: enough to see what happened where only the end of an output is kept.
 */
function why(message: string | undefined): string {
  const lines = stripVTControlCharacters(message ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines
    .slice(0, LINES_OF_A_REASON)
    .map((line) => `\n      ${line.slice(0, 200)}`)
    .join('')
}
