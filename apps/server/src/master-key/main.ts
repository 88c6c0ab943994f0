/** `npm run rotate-key`. */
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { rotateMasterKey } from './rotate.ts'

const USAGE = `Usage: npm run rotate-key -- [--new-key-file FILE]

Makes a new master key for the installation in DATA_DIR (and DATABASE_URL). Stop the server first.
  --new-key-file FILE  the new key lies in FILE, outside DATA_DIR, and is made if nothing lies there.
                       Needed where KEY_FILE names the key; set KEY_FILE to FILE afterwards.

A backup is opened by the key of the day it was made: backups of before hold the former key or need it.`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'new-key-file': { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  })
  if (positionals.length > 0) throw new Error(USAGE)
  if (values.help) process.stdout.write(`${USAGE}\n`)
  else {
    const newKeyFile = values['new-key-file'] ?? null
    const count = await rotateMasterKey({ config: readConfig(), newKeyFile })
    process.stdout.write(`There is a new master key; it wraps ${count} keys.\n`)
    process.stdout.write(
      newKeyFile === null
        ? 'Take a backup now: the former key opens nothing any more.\n'
        : `Set KEY_FILE to ${newKeyFile} before the next start, and keep a copy of it. ` +
            `Keep the former key as long as the backups made with it.\n`,
    )
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
