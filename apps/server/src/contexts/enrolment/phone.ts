/** The phone of an application, which is stored encrypted. */
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { ApplicationRow } from './data.ts'
import { APPLICATION_PHONE } from './schema.ts'

export const phoneOf = async (
  crypto: Pick<Crypto, 'reader'>,
  { parkId }: Scope,
  { id, phoneSealed }: Pick<ApplicationRow, 'id' | 'phoneSealed'>,
): Promise<string | null> =>
  (phoneSealed && (await crypto.reader(parkId))(placeOf(APPLICATION_PHONE, id), phoneSealed)?.toString('utf8')) ?? null
