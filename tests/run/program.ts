import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')

/** A package's program as words for this Node, without a shell or a search path. */
export function packageProgram(packageName: string, program: string): string[] {
  const folder = join(ROOT, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: string | Record<string, string> }
  const file = typeof bin === 'string' ? bin : bin[program]
  if (!file) throw new Error(`${packageName} has no program ${program}`)
  return [process.execPath, join(folder, file)]
}

/** Runs a program in the repository's root on our terminal; the result is its exit code, 1 where a signal ended it. */
export function runProgram(command: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const [file = '', ...words] = command
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
