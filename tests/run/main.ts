/**
 * `npm test`, `test:system`, `test:soak`, `test:postgres`, `test:flakes` and `check`: runs the stages, reports what failed and ends with
 * one line of counts.
 */
import { join } from 'node:path'
import { startRunMemo } from '@gatehouse/dev-env/run-memo'
import { countFlakes } from './flakes.ts'
import { closingLine, sum } from './outcome.ts'
import { liveOutput, ROOT } from './program.ts'
import { runStages } from './schedule.ts'
import { stagesOf } from './stages.ts'
import { useTemporaryFolder } from './temporary-folder.ts'

/** If more tests than these pass only at the second attempt, the run fails. */
const FLAKES_AT_MOST = 2
const SLOWEST = 10

const say = (line = '') => liveOutput.say(line)
const [suite = '', ...words] = process.argv.slice(2)
const stages = await stagesOf(suite, words)
if (!stages) {
  process.stderr.write(`Unknown suite "${suite}".\n`)
  process.exit(1)
}

// Node caches compiled code: most stages start many programs.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, '.cache', 'compile')
// A soak test, which is run before a release, keeps its files on a disk.
const removeTemporaryFolder = suite === 'soak' ? () => {} : useTemporaryFolder()
// Face analyses and drawn portraits are cached across the stages of one run, and no longer.
const endRunMemo = startRunMemo()
const startedAt = performance.now()
const results = await runStages(stages)
if (suite === 'flakes') results.push(...(await countFlakes(words)))
endRunMemo()
removeTemporaryFolder()

const seconds = (value: number): string => `${value.toFixed(1).padStart(7)} s`
say(`\n── summary ${'─'.repeat(69)}`)
for (const result of results) say(`${result.name.padEnd(32)}${seconds(result.seconds)}   ${closingLine(result.outcome)}`)
say(`${'all of it'.padEnd(32)}${seconds((performance.now() - startedAt) / 1_000)}`)

const total = sum(results.map(({ outcome }) => outcome))
const slowest = total.files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST)
if (slowest.length > 1) say(`\nSlowest files:\n${slowest.map((file) => `${seconds(file.seconds)}   ${file.path}`).join('\n')}`)

if (total.flakes.length > FLAKES_AT_MOST)
  total.failures.push(`${total.flakes.length} tests passed only at the second try; ${FLAKES_AT_MOST} are let pass`)
if (total.flakes.length > 0) say(`\nFlaky, passed at the second try:\n${total.flakes.map((flake) => `  ${flake}\n`).join('')}`)
if (total.leftOut > 0) say(`\n${total.leftOut} extended tests were left out: npm test -- --all runs them.`)
if (total.failures.length > 0) say(`\nFailed:\n${total.failures.map((failure) => `  ${failure}\n`).join('')}`)
say()
say(closingLine(total))
process.exitCode = total.failures.length > 0 ? 1 : 0
