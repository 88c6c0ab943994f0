/** `npm run backup` and `npm run restore`. */
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { composeUnstarted, migrationsOf } from '../contexts.ts'
import { takeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'

const USAGE = `Usage: npm run backup -- [FILE] [--allow-missing]
       npm run restore -- FILE

backup writes database, files and secrets of DATA_DIR (and DATABASE_URL) to one file, also while the server runs.
  FILE             default: gatehouse-backup-<time>.tar
  --allow-missing  leave out files that are lost instead of refusing
restore reads such a file into an empty DATA_DIR, and an empty database if DATABASE_URL names one.
Stop the server first.

Whoever can read the file can read the installation: keep it as safe as a password.`

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const fileNow = (): string => `gatehouse-backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.tar`

async function backup(file: string, allowMissing: boolean): Promise<void> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Error('Stopped; no backup was made.')))
  const summary = await takeBackup({ config: readConfig(), file, allowMissing, signal: stopping.signal, say })
  say(`${file}: ${megabytes(summary.size)}, ${summary.files} files${summary.missing > 0 ? `, ${summary.missing} missing` : ''}.`)
  say(
    summary.masterKeyIncluded
      ? 'It holds the secrets of the installation, the master key included. Only its owner can read it; keep it so.'
      : 'It holds the secrets of the installation except the master key, which KEY_FILE names: keep a copy of that key too.',
  )
}

async function restore(file: string): Promise<void> {
  const config = readConfig()
  const { madeAt, files, pending } = await restoreBackup({ config, file, migrations: migrationsOf(composeUnstarted().list), say })
  say(`${config.dataDir} holds the installation of ${madeAt}, ${files} files.`)
  if (pending > 0) say(`The backup is of an older release: the next start brings its database up to date (${pending} changes).`)
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'allow-missing': { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  })
  const [command, file, ...others] = positionals
  if (values.help) say(USAGE)
  else if (others.length > 0) throw new Error(USAGE)
  else if (command === 'backup') await backup(file ?? fileNow(), values['allow-missing'])
  else if (command === 'restore' && file !== undefined && !values['allow-missing']) await restore(file)
  else throw new Error(USAGE)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
