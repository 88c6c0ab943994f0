/** Restart in place, without the help of a supervisor. */

/** Exit code that asks a supervisor for a restart, where a process cannot replace itself. */
const START_AGAIN = 75

/** Replace this process by a new one with the same arguments and environment. The caller has closed everything. */
export function restartProgram(): never {
  if (process.platform !== 'win32' && process.execve !== undefined)
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)])
  process.exit(START_AGAIN)
}
