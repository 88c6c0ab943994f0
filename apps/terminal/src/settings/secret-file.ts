/** Secrets in files named at the start: on the command line everybody on the machine could read them. */
import { readFileSync, statSync } from 'node:fs'

/** Permission of others than owner and group to read. */
const OTHERS_READ = 0o004

/**
 * Return what a file holds, without spaces and line ends around it.
 * @param option what named the file, such as `--secret-file`
 * @param warn told when others on this machine can read the file
 * @throws TypeError when it cannot be read, or holds nothing
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
