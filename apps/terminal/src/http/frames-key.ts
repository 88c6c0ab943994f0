/** The key by which other machines show pictures and see who passes. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretFile } from '../settings/secret-file.ts'
import { writeWhole } from '../settings/whole-file.ts'

const FILE = 'frames-key'
const KEY_BYTES = 32
/** Characters of a key somebody chose. */
const SHORTEST = 16

/**
 * Return the key of a file, or of the data folder, where it is made the first time.
 * @param folder data folder of the terminal
 * @param file names a key that somebody chose
 * @throws TypeError when the file cannot be read, or its key is too short
 */
export function framesKeyOf(folder: string, file: string | undefined, log: (sentence: string) => void): string {
  const place = file ?? join(folder, FILE)
  if (file === undefined && !existsSync(place)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeWhole(place, `${randomBytes(KEY_BYTES).toString('base64url')}\n`)
  }
  const key = readSecretFile('--frames-key-file', place, log)
  if (key.length < SHORTEST) throw new TypeError(`The key in ${place} is too short: it needs ${SHORTEST} characters.`)
  log(`Other machines show pictures and see who passes with the key in ${place}.`)
  return key
}
