/** A lock that a program on this machine moves, such as one that sets a pin. */
import { execFile } from 'node:child_process'
import type { DoorOutput } from './door.ts'
import { latestOnly } from './latest.ts'

export interface CommandOutputOptions {
  /** Runs as it is: there is no shell that could read anything else into it. */
  program: string
  /** `{action}` stands for the word of the movement. */
  words?: { open: string; close: string }
  args: readonly string[]
  /** Milliseconds after which it is ended; 3 s unless told. */
  timeout?: number
}

/** A door moved by a program; it is there when the program ends with 0. */
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
        execFile(program, filled, { timeout, signal, killSignal: 'SIGKILL', windowsHide: true, maxBuffer: 65_536 }, (error, _out, said) => {
          if (!error) resolve()
          else reject(new Error(sentenceOf(program, error, said, timeout)))
        })
      }),
  )
  return { open: () => move(words.open), close: () => move(words.close) }
}

function sentenceOf(
  program: string,
  error: Error & { code?: number | string | null; killed?: boolean },
  said: string,
  timeout: number,
): string {
  if (error.code === 'ENOENT' || error.code === 'EACCES') return `${program} cannot be started (${error.code}).`
  if (error.killed) return `${program} did not end within ${timeout / 1000} s.`
  if (typeof error.code === 'number') return `${program} ended with ${error.code}${said.trim() ? `: ${said.trim().slice(0, 200)}` : ''}.`
  return error.message
}
