/** Telephones and ID cards of accounts: encrypted at rest under the installation's key. */
import type { Platform } from '../../platform/context.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { placeOf, type SealedColumn } from '../../platform/encryption/sealed-column.ts'
import { ID_CARD, TELEPHONE } from './personal-numbers-migration.ts'

/** Telephone and ID card of an account; empty where it has none. */
export interface PersonalNumbers {
  telephone: string
  idCard: string
}
/** The same values as stored; null for none. */
export interface SealedNumbers {
  telephoneSealed: Buffer | null
  idCardSealed: Buffer | null
}

export async function sealNumbers(
  { crypto }: Pick<Platform, 'crypto'>,
  userId: string,
  { telephone, idCard }: PersonalNumbers,
): Promise<SealedNumbers> {
  const sealed = async (column: SealedColumn, text: string): Promise<Buffer | null> =>
    text === '' ? null : crypto.seal(INSTALLATION_ID, placeOf(column, userId), Buffer.from(text))
  return { telephoneSealed: await sealed(TELEPHONE, telephone), idCardSealed: await sealed(ID_CARD, idCard) }
}

export async function openNumbers(
  { crypto }: Pick<Platform, 'crypto'>,
  { id, telephoneSealed, idCardSealed }: SealedNumbers & { id: string },
): Promise<PersonalNumbers> {
  const read = await crypto.reader(INSTALLATION_ID)
  const opened = (column: SealedColumn, sealed: Buffer | null): string =>
    (sealed && read(placeOf(column, id), sealed)?.toString('utf8')) ?? ''
  return { telephone: opened(TELEPHONE, telephoneSealed), idCard: opened(ID_CARD, idCardSealed) }
}
