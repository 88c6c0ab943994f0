/** The key with which other machines send pictures and see who passes. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretFile } from '../settings/secret-file.ts'
import { writeWhole } from '../settings/whole-file.ts'

const FILE = 'frames-key'
const KEY_BYTES = 32
/** Least number of characters of a chosen key. */
const SHORTEST = 16

/**
 * Return the key in a file, or in the data folder, where it is generated at the first start.
 * @param folder data folder of the terminal
 * @param file contains a chosen key
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
