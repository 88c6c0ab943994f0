/** Replaces the master key of an installation. Its server must be stopped: it would go on wrapping keys with the former one. */
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { openInstallation } from '../backup/database.ts'
import type { Config } from '../config.ts'
import { holdDeletions } from '../platform/database/backup-lock.ts'
import { replaceByFile, replaceKeptKey } from '../platform/encryption/master-key.ts'
import { assertRestored } from '../platform/database/restore-mark.ts'
import { openSecrets, randomKey } from '../platform/encryption/secrets.ts'
import { LEADER_LOCK } from '../platform/events/sequencer.ts'

export interface RotationOptions {
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'keyFile'>
  /** File of the new key, created if it does not exist. Null: in the data directory, replacing the former one. */
  newKeyFile: string | null
}

/**
 * Create a new master key and wrap the keys of the installation with it.
 * @returns the number of keys it wraps
 * @throws Error with a sentence if nothing was changed
 */
export async function rotateMasterKey({ config, newKeyFile }: RotationOptions): Promise<number> {
  assertRestored(config.dataDir)
  if (config.keyFile !== null && newKeyFile === null)
    throw new Error('KEY_FILE names the master key. Say where the new one is to lie: npm run rotate-key -- --new-key-file FILE')
  const database = await openInstallation(config as Config)
  try {
    const { rows } = await database.client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LEADER_LOCK])
    if (rows[0]?.locked !== true) throw new Error('A server of this installation is running. Stop it first, and all its nodes.')
    // A running backup would contain keys that its own master key does not open.
    await holdDeletions(database.client)
    const secrets = openSecrets(config.dataDir)
    if (newKeyFile === null) return await replaceKeptKey(database.db, secrets)
    await makeKey(newKeyFile)
    return await replaceByFile(database.db, secrets, { keyFile: config.keyFile, newKeyFile })
  } finally {
    await database.close()
  }
}

/** Write a new key, durably and readable by its owner only, unless the file exists. */
async function makeKey(path: string): Promise<void> {
  if (existsSync(path)) return
  const file = await open(path, 'wx', 0o600)
  await file.writeFile(`${randomKey()}\n`)
  await file.sync()
  await file.close()
}
