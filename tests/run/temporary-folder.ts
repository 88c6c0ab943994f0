/**
 * Keeps temporary files of a test run in memory where there is room: creating and dropping a database there takes a twentieth of the time
 * it takes on a disk.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** Followed by the process number of the run. */
const NAME = 'gatehouse-tests-'
const GIBIBYTE = 1024 ** 3
/** A run keeps up to 3 GiB there, and its programs need as much again. */
const NEEDED = 8 * GIBIBYTE

function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Remove the folders of runs that were killed, which take up memory. */
function removeLeftBehind(): void {
  for (const name of readdirSync(IN_MEMORY))
    if (name.startsWith(NAME) && !isAlive(Number(name.slice(NAME.length)))) rmSync(join(IN_MEMORY, name), { recursive: true, force: true })
}

/**
 * Create a folder for the temporary files of this process and of those it starts from now on, unless `TMPDIR` names one.
 * @returns a function that removes it
 */
export function useTemporaryFolder(): () => void {
  if (process.env.TMPDIR !== undefined || !existsSync(IN_MEMORY)) return () => {}
  removeLeftBehind()
  if (!hasRoom()) return () => {}
  const folder = join(IN_MEMORY, NAME + process.pid)
  mkdirSync(folder)
  // The unprivileged account that databases run under has to enter it.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => {
    delete process.env.TMPDIR
    rmSync(folder, { recursive: true, force: true })
  }
}
