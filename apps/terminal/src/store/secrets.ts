/** The secrets the server sent to this device, sealed: they stay in force after a restart without the server. */
import type { DatabaseSync } from 'node:sqlite'
import { deviceSecrets, type DeviceSecrets } from '@gatehouse/contract/configuration/calls'
import type { Vault } from './vault.ts'

export interface SecretStore {
  /** Return the secrets; null if there are none, or they were sealed under another key. */
  read(): DeviceSecrets | null
  /** @throws when they cannot be written */
  keep(secrets: DeviceSecrets | null): void
}

const PLACE = 'deviceSecrets'

export function createSecretStore(database: DatabaseSync, vault: Vault): SecretStore {
  return {
    read() {
      const row = database.prepare('SELECT value FROM meta WHERE name = ?').get(PLACE) as { value: string } | undefined
      if (!row) return null
      try {
        return deviceSecrets.parse(JSON.parse(Buffer.from(vault.open(Buffer.from(row.value, 'base64'), PLACE)).toString()))
      } catch {
        return null
      }
    },
    keep(secrets) {
      if (secrets === null) database.prepare('DELETE FROM meta WHERE name = ?').run(PLACE)
      else
        database
          .prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
          .run(PLACE, Buffer.from(vault.seal(Buffer.from(JSON.stringify(secrets)), PLACE)).toString('base64'))
    },
  }
}
