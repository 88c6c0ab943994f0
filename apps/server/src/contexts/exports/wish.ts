/** What an export was asked for, as it is stored: the kind's own wish, and who existed for whoever asked. */
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { EXPORT_WISH } from './schema.ts'

/** @param id of the task */
export const sealWish = (crypto: Pick<Crypto, 'seal'>, { parkId, sees }: Scope, id: string, wish: object): Promise<Buffer> =>
  crypto.seal(parkId, placeOf(EXPORT_WISH, id), Buffer.from(JSON.stringify({ ...wish, sees })))

/** The wish of a task, and the scope it was made in. */
export async function openWish(
  crypto: Pick<Crypto, 'open'>,
  parkId: string,
  task: { id: string; wish: Buffer },
): Promise<{ wish: unknown; scope: Scope }> {
  const opened = await crypto.open(parkId, placeOf(EXPORT_WISH, task.id), task.wish)
  const { sees, ...wish } = JSON.parse(opened.toString('utf8')) as Pick<Scope, 'sees'>
  return { wish, scope: { parkId, ...(sees !== undefined && { sees }) } }
}
