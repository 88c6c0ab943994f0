/** Console passwords and wireless networks: encrypted with the park's key; values are sent to devices only, others see the names. */
import { randomBytes } from 'node:crypto'
import { SECRET_SETTINGS, type SecretSetting } from '@gatehouse/contract/configuration/settings'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { SettingRow } from './data.ts'
import { SETTING_SECRETS } from './schema.ts'

export interface Secrets {
  consolePassword?: string
  wifi?: { name: string; password: string }
}

/** Secrets in a request body; absent: unchanged, null: none. */
export type SecretChange = { [Name in SecretSetting]?: Secrets[Name] | null | undefined }

/** Secrets of a row, sealed for that row: no other row can use them. */
export type SealedSecrets = Pick<SettingRow, 'secrets' | 'secretNames' | 'secretsRevision'>
export const NO_SECRETS: SealedSecrets = { secrets: null, secretNames: [], secretsRevision: '' }

/** Return only the secrets of a row. */
export const sealedOf = (row: SealedSecrets | undefined): SealedSecrets =>
  row === undefined ? NO_SECRETS : { secrets: row.secrets, secretNames: row.secretNames, secretsRevision: row.secretsRevision }

const newRevision = (): string => randomBytes(9).toString('base64url')

export async function openSecrets(
  crypto: Crypto,
  scope: Scope,
  row: (SealedSecrets & Pick<SettingRow, 'id'>) | undefined,
): Promise<Secrets> {
  if (row === undefined || row.secrets === null) return {}
  return JSON.parse((await crypto.open(scope.parkId, placeOf(SETTING_SECRETS, row.id), row.secrets)).toString('utf8')) as Secrets
}

/**
 * Seal secrets for a row.
 * @param id id of the row
 * @param revision revision of the secrets at their source; absent: a new one
 */
export async function sealSecrets(
  crypto: Crypto,
  scope: Scope,
  id: string,
  secrets: Secrets,
  revision = newRevision(),
): Promise<SealedSecrets> {
  const secretNames = SECRET_SETTINGS.filter((name) => secrets[name] !== undefined)
  if (secretNames.length === 0) return NO_SECRETS
  const sealed = await crypto.seal(scope.parkId, placeOf(SETTING_SECRETS, id), Buffer.from(JSON.stringify(secrets)))
  return { secrets: sealed, secretNames, secretsRevision: revision }
}

/** Return the secrets of a row after a change; unchanged if the change names none. @param id id of the row, existing or new */
export async function changedSecrets(
  crypto: Crypto,
  scope: Scope,
  id: string,
  row: (SealedSecrets & Pick<SettingRow, 'id'>) | undefined,
  change: SecretChange,
): Promise<SealedSecrets> {
  if (SECRET_SETTINGS.every((name) => change[name] === undefined)) return sealedOf(row)
  const next: Record<string, unknown> = { ...(await openSecrets(crypto, scope, row)) }
  for (const name of SECRET_SETTINGS) {
    if (change[name] === null) delete next[name]
    else if (change[name] !== undefined) next[name] = change[name]
  }
  return sealSecrets(crypto, scope, id, next as Secrets)
}

/** Return what the operation log shows of a row: of secrets, only which are set and whether they changed. */
export const logged = ({
  settings,
  secretNames,
  secretsRevision,
}: Pick<SettingRow, 'settings' | 'secretNames' | 'secretsRevision'>): Record<string, unknown> => ({
  ...settings,
  // The names contain "password": the log keeps no values of such fields.
  ...Object.fromEntries(secretNames.map((name) => [name === 'wifi' ? 'wifiPassword' : name, secretsRevision])),
})
