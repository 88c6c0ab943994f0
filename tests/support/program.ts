/** Programs of tests: started as processes of their own, so that they can be killed without a chance to clean up. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { join } from 'node:path'

export interface ProgramOptions {
  args?: readonly string[]
  env?: Record<string, string>
  /** File to which its output is appended; the first line of JSON on its standard output is its answer. */
  log: string
  /** Whether to open a channel for messages in both directions. */
  ipc?: boolean
}

export interface Program<Answer> {
  child: ChildProcess
  answer: Answer
}

/**
 * Start `tests/support/<name>.process.ts` and wait for its first line of JSON.
 * @throws Error when it ends before
 */
export async function startProgram<Answer>(
  name: string,
  { args = [], env = {}, log, ipc = false }: ProgramOptions,
): Promise<Program<Answer>> {
  const file = join(import.meta.dirname, `${name}.process.ts`)
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  })
  const written = createWriteStream(log, { flags: 'a' })
  child.stderr!.pipe(written, { end: false })
  const answered = Promise.withResolvers<Answer>()
  createInterface(child.stdout!).on('line', (line) => {
    if (line.startsWith('{"answer"')) answered.resolve((JSON.parse(line) as { answer: Answer }).answer)
    else written.write(`${line}\n`)
  })
  child.once('error', answered.reject)
  child.once('exit', (exitCode) => answered.reject(new Error(`${name} ended before it answered (exit code ${exitCode}); see ${log}`)))
  child.once('close', () => written.end())
  return { child, answer: await answered.promise }
}

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** End a program with SIGKILL and wait for its end; do nothing if it has ended. */
export async function killProgram(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
