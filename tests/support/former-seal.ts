/** Sealing as it was before sealed bytes were bound to their place: what older installations hold. */
import { createCipheriv, randomBytes } from 'node:crypto'
import { openCrypto } from '@gatehouse/server/platform/encryption/crypto'
import type { Database } from '@gatehouse/server/platform/database/database'
import { openMasterKey, unwrap, type KeyTables } from '@gatehouse/server/platform/encryption/master-key'
import { openSecrets } from '@gatehouse/server/platform/encryption/secrets'

/** Seals for a park of an installation. @param untyped its database */
export async function formerSeal(untyped: unknown, dataDir: string, parkId: string): Promise<(plain: Uint8Array) => Buffer> {
  const db = untyped as Database<KeyTables>
  const secrets = openSecrets(dataDir)
  // Makes the key of a park that has none.
  await (await openCrypto(db, secrets, null)).opener(parkId)
  const { wrapped } = await db.selectFrom('data_key').select('wrapped').where('park_id', '=', parkId).executeTakeFirstOrThrow()
  const key = unwrap(await openMasterKey(db, secrets, null), parkId, wrapped)
  return (plain) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }
}
