/** Stored options of an export: those of its kind, and what its requester was allowed to see (`sees`). */
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { EXPORT_OPTIONS } from './schema.ts'

/** @param id of the task */
export const sealOptions = (crypto: Pick<Crypto, 'seal'>, { parkId, sees }: Scope, id: string, options: object): Promise<Buffer> =>
  crypto.seal(parkId, placeOf(EXPORT_OPTIONS, id), Buffer.from(JSON.stringify({ ...options, sees })))

/** Return the options of a task, and the scope it was made in. */
export async function openOptions(
  crypto: Pick<Crypto, 'open'>,
  parkId: string,
  task: { id: string; wish: Buffer },
): Promise<{ options: unknown; scope: Scope }> {
  const opened = await crypto.open(parkId, placeOf(EXPORT_OPTIONS, task.id), task.wish)
  const { sees, ...options } = JSON.parse(opened.toString('utf8')) as Pick<Scope, 'sees'>
  return { options, scope: { parkId, ...(sees !== undefined && { sees }) } }
}
