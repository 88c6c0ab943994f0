/** Encryption as it was before encrypted bytes were bound to their place: what older installations have stored. */
import { createCipheriv, randomBytes } from 'node:crypto'
import { openCrypto } from '@gatehouse/server/platform/encryption/crypto'
import type { Database } from '@gatehouse/server/platform/database/database'
import { openMasterKey, unwrap } from '@gatehouse/server/platform/encryption/master-key'
import { openSecrets } from '@gatehouse/server/platform/encryption/secrets'

/** Return a function that encrypts for a park of an installation. */
export async function formerSeal(db: Database, dataDir: string, parkId: string): Promise<(plain: Uint8Array) => Buffer> {
  const secrets = openSecrets(dataDir)
  // Creates the key of a park that has none.
  await (await openCrypto(db, secrets, null)).opener(parkId)
  const { wrapped } = await db.selectFrom('dataKey').select('wrapped').where('parkId', '=', parkId).executeTakeFirstOrThrow()
  const key = unwrap(await openMasterKey(db, secrets, null), parkId, wrapped)
  return (plain) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }
}
