/**
 * `npm run test:faults -- 30`: plants small faults in the server and the console, one at a time, and reports which the tests detect. The
 * same tree and SEED give the same faults. `--list` shows them, `--only 3,7` takes some of them, `--patches FOLDER` writes them as patches,
 * `--planted 3,7` leaves these planted.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startRunMemo } from '@gatehouse/dev-env/run-memo'
import { readModules, type Module } from './changed.ts'
import { concernedTests } from './faults/concerned.ts'
import { drawFaults, everyFault, patchOf, sourceOf, withFault, type Fault } from './faults/draw.ts'
import { keptOutput, liveOutput, printedBy, ROOT } from './program.ts'
import { useTemporaryFolder } from './temporary-folder.ts'
import { runVitest, type VitestRun } from './vitest.ts'

type Numbered = Fault & { number: number }
/** `build`: the console could not be built, or a test file could not be run at all. */
type Verdict = { caught: 'test' | 'build' | 'no'; words: string }

const { say } = liveOutput
/** The end of a failure's line that is not that of a test. */
const NOT_RUN = /(could not be run|no test ran)$/
const nameOf = ({ number, kind, path, line }: Numbered): string => `${String(number).padStart(3)}  ${kind.padEnd(26)}${path}:${line}`

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/** Original texts of files that have a fault now. */
const before = new Map<string, string>()

function plant(fault: Fault): void {
  const text = sourceOf(fault.path)
  before.set(fault.path, text)
  writeFileSync(join(ROOT, fault.path), withFault(text, fault))
}

function putBack(): void {
  for (const [path, text] of before) writeFileSync(join(ROOT, path), text)
  before.clear()
}

async function tryFault(fault: Numbered, modules: readonly Module[]): Promise<Verdict> {
  for (const { name, tests } of concernedTests(modules, fault.path)) {
    const inBrowser = name === 'browser' || name === 'every screen'
    // Builds where the sources are not those of the last build, as after another fault.
    if (inBrowser && (await keptOutput().run([process.execPath, join(ROOT, 'scripts', 'run.mjs'), 'console'])) !== 0)
      return { caught: 'build', words: 'caught by the build of the console' }
    const projects = inBrowser ? ['browser'] : ['unit', 'isolated', 'integration']
    const run: VitestRun = { projects, workers: 3, words: [...tests, '--bail=1'] }
    const failures = (await runVitest(`fault ${fault.number} ${name}`, run, keptOutput())).failures.map((one) => one.split('\n')[0]!)
    // Files that were running when a test of another file failed could not finish either.
    const by = failures.find((one) => !NOT_RUN.test(one)) ?? failures[0] ?? ''
    if (NOT_RUN.test(by)) return { caught: 'build', words: `caught by the build: ${by}` }
    if (by !== '') return { caught: 'test', words: `caught by ${by}` }
  }
  return { caught: 'no', words: 'SURVIVED' }
}

/** Plant and test faults one after the other. @returns whether all were detected */
async function tryAll(faults: readonly Numbered[]): Promise<boolean> {
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, '.cache', 'compile')
  const removeTemporaryFolder = useTemporaryFolder()
  const endRunMemo = startRunMemo()
  const modules = await readModules()
  const results: { kind: string; caught: Verdict['caught'] }[] = []
  for (const fault of faults) {
    try {
      plant(fault)
      const verdict = await tryFault(fault, modules)
      results.push({ kind: fault.kind, caught: verdict.caught })
      say(`${nameOf(fault)}  ${verdict.words}`)
    } finally {
      putBack()
    }
  }
  endRunMemo()
  removeTemporaryFolder()
  const row = (name: string, cells: (string | number)[]): string =>
    name.padEnd(26) + cells.map((cell) => String(cell).padStart(14)).join('')
  const counts = (of: typeof results): number[] =>
    (['test', 'build', 'no'] as const).map((caught) => of.filter((one) => one.caught === caught).length)
  say(`\n${row('', ['by a test', 'by the build', 'survived'])}`)
  for (const [kind, of] of Map.groupBy(results, (result) => result.kind)) say(row(kind, counts(of)))
  say(row('all', counts(results)))
  return results.every(({ caught }) => caught !== 'no')
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, only: { type: 'string' }, patches: { type: 'string' }, planted: { type: 'string' } },
})
const count = Number(positionals[0] ?? 30)
if (!Number.isInteger(count) || count < 1) refuse(`How many faults? ${positionals[0]} is none.`)
const seed = process.env.SEED ?? randomBytes(4).toString('hex')
// The tests and the server they start must not use it as their own.
delete process.env.SEED
const drawn = drawFaults(everyFault(), count, seed).map((fault, at): Numbered => ({ ...fault, number: at + 1 }))
const faults =
  (values.planted ?? values.only)?.split(',').map((number) => drawn[Number(number) - 1] ?? refuse(`No fault is number ${number}.`)) ?? drawn
say(`SEED=${seed}, ${faults.length} faults.`)

if (values.list) for (const fault of faults) say(`\n${nameOf(fault)}\n${patchOf(fault, 1).split('\n').slice(3, -1).join('\n')}`)
else if (values.patches !== undefined) {
  mkdirSync(resolve(values.patches), { recursive: true })
  for (const fault of faults) {
    const name = `${String(fault.number).padStart(2, '0')}-${fault.kind.replaceAll(' ', '-')}.patch`
    writeFileSync(resolve(values.patches, name), patchOf(fault))
  }
} else {
  if ((await printedBy(['git', 'status', '--porcelain'], { empty: true })) !== '')
    refuse('There are uncommitted changes. Faults are planted in a clean checkout only, so that taking them out loses nothing.')
  if (values.planted !== undefined) {
    for (const fault of faults) plant(fault)
    say(`${faults.map(nameOf).join('\n')}\nThese are planted now. To take them out: git checkout -- .`)
  } else {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        putBack()
        process.exit(128 + constants.signals[signal])
      })
    process.exitCode = (await tryAll(faults)) ? 0 : 1
  }
}
