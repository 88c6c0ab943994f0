/** A lock operated by a program on this machine, such as one that sets a pin. */
import { execFile } from 'node:child_process'
import type { DoorOutput } from './door.ts'
import { latestOnly } from './latest.ts'

export interface CommandOutputOptions {
  /** Path of the program. It runs without a shell, which could interpret parts of the command. */
  program: string
  /** Words for `{action}`. */
  words?: { open: string; close: string }
  args: readonly string[]
  /** Milliseconds after which the program is ended; default 3 s. */
  timeout?: number
}

/** Return a door output that runs a program; a movement is complete when the program exits with 0. */
export function commandOutput({
  program,
  args,
  words = { open: 'open', close: 'close' },
  timeout = 3_000,
}: CommandOutputOptions): DoorOutput {
  const move = latestOnly<string>(
    (word, signal) =>
      new Promise((resolve, reject) => {
        const filled = args.map((argument) => argument.replaceAll('{action}', word))
        execFile(
          program,
          filled,
          { timeout, signal, killSignal: 'SIGKILL', windowsHide: true, maxBuffer: 65_536 },
          (error, _out, stderr) => {
            if (!error) resolve()
            else reject(new Error(sentenceOf(program, error, stderr, timeout)))
          },
        )
      }),
  )
  return { open: () => move(words.open), close: () => move(words.close) }
}

function sentenceOf(
  program: string,
  error: Error & { code?: number | string | null; killed?: boolean },
  stderr: string,
  timeout: number,
): string {
  if (error.code === 'ENOENT' || error.code === 'EACCES') return `${program} cannot be started (${error.code}).`
  if (error.killed) return `${program} did not end within ${timeout / 1000} s.`
  if (typeof error.code === 'number')
    return `${program} ended with ${error.code}${stderr.trim() ? `: ${stderr.trim().slice(0, 200)}` : ''}.`
  return error.message
}
