/** Restart in place: nothing that watches the process has to know. */

/** Exit code that asks a supervisor for another start, where a program cannot take its own place. */
const START_AGAIN = 75

/** Ends this program by becoming it afresh, with the same words and environment. Whatever has to be closed is closed. */
export function restartProgram(): never {
  if (process.platform !== 'win32' && process.execve !== undefined)
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)])
  process.exit(START_AGAIN)
}
