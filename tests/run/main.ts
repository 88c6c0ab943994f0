/** `npm test`, `test:system`, `test:postgres` and `check`: runs the stages, says what failed and closes with one line of counts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closingLine, sum, type Outcome } from './outcome.ts'
import { ROOT } from './program.ts'
import { stagesOf, type Stage } from './stages.ts'

const say = (line = '') => process.stdout.write(`${line}\n`)

const [suite = '', ...words] = process.argv.slice(2)
const stages = stagesOf(suite, words)
if (!stages) {
  process.stderr.write(`Unknown suite "${suite}".\n`)
  process.exit(1)
}

async function timed(stage: Stage): Promise<{ name: string; seconds: number; outcome: Outcome }> {
  say(`\n── ${stage.name} ${'─'.repeat(Math.max(0, 76 - stage.name.length))}`)
  const startedAt = performance.now()
  const outcome = await stage.run().catch((error: unknown): Outcome => {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return { passed: 0, skipped: 0, failures: [`${stage.name}: ${error instanceof Error ? error.message : String(error)}`] }
  })
  return { name: stage.name, seconds: (performance.now() - startedAt) / 1_000, outcome }
}

const results = []
for (const stage of stages) results.push(await timed(stage))

say(`\n── summary ${'─'.repeat(69)}`)
for (const { name, seconds, outcome } of results) say(`${name.padEnd(28)}${seconds.toFixed(1).padStart(7)} s   ${closingLine(outcome)}`)
const total = sum(results.map((result) => result.outcome))
const failures = total.failures.map((failure) => `  ${failure}\n`).join('')
if (failures) say(`\nFailed:\n${failures}`)
// `.ci/run` says at its end what failed in any of its suites.
mkdirSync(join(ROOT, '.cache', 'test'), { recursive: true })
writeFileSync(join(ROOT, '.cache', 'test', `${suite}.failures`), failures)
say()
say(closingLine(total))
process.exitCode = total.failures.length > 0 ? 1 : 0
