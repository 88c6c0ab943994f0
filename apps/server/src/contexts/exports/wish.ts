/** What an export was asked for, as it is stored: the kind's own wish, and who existed for whoever asked. */
import type { Crypto } from '../../platform/crypto.ts'
import type { Scope } from '../../platform/session.ts'

export const sealWish = (crypto: Pick<Crypto, 'seal'>, { parkId, sees }: Scope, wish: object): Promise<Buffer> =>
  crypto.seal(parkId, Buffer.from(JSON.stringify({ ...wish, sees })))

/** The wish, and the scope it was made in. */
export async function openWish(crypto: Pick<Crypto, 'open'>, parkId: string, sealed: Buffer): Promise<{ wish: unknown; scope: Scope }> {
  const { sees, ...wish } = JSON.parse((await crypto.open(parkId, sealed)).toString('utf8')) as Pick<Scope, 'sees'>
  return { wish, scope: { parkId, ...(sees !== undefined && { sees }) } }
}
