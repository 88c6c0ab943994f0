/**
 * Starts the version an installation points to, and supervises it. A new version has a minute to report that it is ready; otherwise the
 * previous one is started again. Run `node launcher.ts [--arguments of the terminal]` in the folder of the installation.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { goneBack, proven, readPointer, TRIAL_STARTS, writePointer, type Pointer } from './pointer.ts'

/** Exit code of a program that requests a restart. */
const RESTART = 75
const READY_WITHIN_MS = 60_000
/** Environment variable of the started program: the folder of the installation, in which it may install versions. */
const INSTALLATION = 'GATEHOUSE_INSTALLATION'

const say = (sentence: string): void => void process.stdout.write(`${new Date().toISOString()} launcher: ${sentence}\n`)

interface Ending {
  /** The program ended, or timed out, before it was ready. */
  unready: boolean
  code: number
}

/** Start the version pointed to; resolves when it has ended. @param ready called once, when it reports to be ready */
function run(
  root: string,
  pointer: Pointer,
  { withinMs, ready, started }: { withinMs: number; ready: () => void; started: (child: ChildProcess) => void },
): Promise<Ending> {
  const folder = join(root, 'client', pointer.client.versionNumber)
  const { entry } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { entry: string }
  const models = pointer.algorithm && join(root, 'algorithm', pointer.algorithm.versionNumber, 'models')
  const surroundings = { ...env, [INSTALLATION]: root, ...(models && existsSync(models) && { MODEL_DIR: models }) }
  const child = spawn(process.execPath, [join(folder, entry), '--supervised', ...process.argv.slice(2)], {
    env: surroundings,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  started(child)
  const ended = Promise.withResolvers<Ending>()
  let isReady = pointer.trial === null
  const late = isReady
    ? undefined
    : setTimeout(() => {
        say(`${pointer.trial?.kind} is not ready after ${withinMs / 1000} s.`)
        child.kill('SIGKILL')
      }, withinMs)
  child.on('message', (message) => {
    if (isReady || (message as { ready?: unknown }).ready !== true) return
    isReady = true
    clearTimeout(late)
    ready()
    child.send({ proven: true }, () => {})
  })
  child.on('error', (error) => say(error.message))
  child.once('close', (code) => {
    clearTimeout(late)
    ended.resolve({ unready: !isReady, code: code ?? 1 })
  })
  return ended.promise
}

/** Run until the program ends for good. @returns its exit code */
async function launch(root: string, withinMs: number): Promise<number> {
  let child: ChildProcess | undefined
  let leaving = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      leaving = true
      child?.kill(signal)
    })
  }
  for (;;) {
    let pointer = readPointer(root)
    const { trial } = pointer
    if (trial !== null) {
      if (trial.starts >= TRIAL_STARTS) {
        back(pointer)
        continue
      }
      pointer = { ...pointer, trial: { ...trial, starts: trial.starts + 1 } }
      writePointer(root, pointer)
    }
    let ending: Ending
    try {
      ending = await run(root, pointer, {
        withinMs,
        ready: () => writePointer(root, proven(readPointer(root))),
        started: (started) => void (child = started),
      })
    } catch (error) {
      // Without its manifest no version can be started.
      say((error as Error).message)
      if (trial === null) return 1
      ending = { unready: true, code: 1 }
    }
    if (leaving) return ending.code
    if (ending.unready) back(readPointer(root))
    else if (ending.code !== RESTART) return ending.code
  }

  function back(pointer: Pointer): void {
    const before = goneBack(pointer)
    writePointer(root, before)
    say(`${pointer.trial?.kind} goes back; client ${before.client.versionNumber} is started.`)
  }
}

/** Return the milliseconds a version has to become ready; end the program if the variable is not a valid number. */
function readyWithinMs(): number {
  const text = env['READY_WITHIN_MS']
  const milliseconds = Number(text || READY_WITHIN_MS)
  if (Number.isInteger(milliseconds) && milliseconds > 0) return milliseconds
  say(`READY_WITHIN_MS must be a number of milliseconds, not "${text}".`)
  return process.exit(1)
}

if (import.meta.main) process.exit(await launch(import.meta.dirname, readyWithinMs()))
