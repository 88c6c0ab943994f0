/** Secrets in files named at the start, because everybody on the machine can read the command line. */
import { readFileSync, statSync } from 'node:fs'

/** Permission to read for users other than owner and group. */
const OTHERS_READ = 0o004

/**
 * Return the content of a file, trimmed.
 * @param option that named the file, such as `--secret-file`
 * @param warn called when others on this machine can read the file
 * @throws TypeError when it cannot be read, or is empty
 */
export function readSecretFile(option: string, file: string, warn: (sentence: string) => void): string {
  let content: string
  try {
    content = readFileSync(file, 'utf8').trim()
    if (process.platform !== 'win32' && (statSync(file).mode & OTHERS_READ) !== 0)
      warn(`Everybody on this machine can read ${file}: chmod 600 ${file} leaves it to its owner.`)
  } catch (error) {
    throw new TypeError(`${option} ${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  if (content === '') throw new TypeError(`${option} ${file} is empty.`)
  return content
}
