/** Starting programs so that signals and exit codes pass through. */
import { spawn } from 'node:child_process'

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']
const REPEAT_MS = 1000

/**
 * Runs a program on our terminal and waits for its end; the result is its exit code, 128 + 15 for SIGTERM and so on.
 * It gets a process group of its own and each signal once: npm and the terminal both pass on the same Ctrl-C.
 */
export function runProgram(file, words, { cwd, env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, words, { cwd, env, stdio: 'inherit', detached: process.platform !== 'win32' })
    const sentAt = new Map()
    const forward = (signal) => {
      const now = Date.now()
      if (now - (sentAt.get(signal) ?? 0) < REPEAT_MS) return
      sentAt.set(signal, now)
      child.kill(signal)
    }
    for (const signal of FORWARDED) process.on(signal, forward)
    const end = (code) => {
      for (const signal of FORWARDED) process.off(signal, forward)
      resolve(code)
    }
    child.once('error', (error) => {
      console.error(`${file} could not be started: ${error.message}`)
      end(127)
    })
    child.once('exit', (code, signal) => end(code ?? 128 + signalNumber(signal)))
  })
}

const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 }
const signalNumber = (signal) => SIGNAL_NUMBERS[signal] ?? 0

/**
 * Ends this script by becoming the program, where this Node can do that, so that nothing stands between the program
 * and whoever stops it; otherwise runs it and ends with its exit code.
 */
export async function becomeProgram(file, words, env = process.env) {
  if (process.platform !== 'win32' && typeof process.execve === 'function') process.execve(file, [file, ...words], env)
  process.exit(await runProgram(file, words, { env }))
}
