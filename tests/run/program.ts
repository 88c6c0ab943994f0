import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')

/** Return the command of a package's program for this Node, without a shell or a search path. */
export function packageProgram(packageName: string, program: string): string[] {
  const folder = join(ROOT, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: string | Record<string, string> }
  const file = typeof bin === 'string' ? bin : bin[program]
  if (!file) throw new Error(`${packageName} has no program ${program}`)
  return [process.execPath, join(folder, file)]
}

/** Output of a stage. */
export interface Output {
  /** Print a line, or several. */
  say(text: string): void
  /**
   * Run a program in the repository's root.
   * @param env `undefined` removes a variable
   * @returns its exit code, 1 where a signal ended it
   */
  run(command: readonly string[], env?: Record<string, string | undefined>): Promise<number>
}

/** Output on our terminal, as it arrives. */
export const liveOutput: Output = {
  say: (text) => void process.stdout.write(`${text}\n`),
  run: (command, env) => runProgram(command, env, 'inherit'),
}

/** Return an output that is kept until the stage has ended: the mixed output of two stages cannot be read. */
export function keptOutput(): Output & { text(): string } {
  const chunks: string[] = []
  return {
    say: (text) => void chunks.push(`${text}\n`),
    run: (command, env) => runProgram(command, env, (chunk) => chunks.push(chunk)),
    text: () => chunks.join(''),
  }
}

function runProgram(
  command: readonly string[],
  env: Record<string, string | undefined> = {},
  output: 'inherit' | ((chunk: string) => void),
): Promise<number> {
  const [file = '', ...words] = command
  const stdio = output === 'inherit' ? 'inherit' : 'pipe'
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', stdio, stdio] })
    if (output !== 'inherit') for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', output)
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}

/**
 * Return what a program prints, run in the repository's root.
 * @throws Error with its error output where it fails, or where it prints nothing unless `empty`
 */
export async function printedBy(command: readonly string[], { empty = false } = {}): Promise<string> {
  const printed: string[] = []
  const [file = '', ...words] = command
  const child = spawn(file, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const complaints: string[] = []
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => printed.push(chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => complaints.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  // Some programs print a complete answer and fail: what they found is an error to them, not to us.
  if (printed.length === 0 && (code !== 0 || !empty)) throw new Error(`${file} ${words[0] ?? ''} printed nothing: ${complaints.join('')}`)
  return printed.join('')
}
