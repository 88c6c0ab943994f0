/** ID cards of accounts: encrypted at rest under the installation's key. */
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { listClearIdCardsUnscoped, sealIdCardUnscoped } from './own-data.ts'
import type { IdentityTables } from './schema.ts'

/** What is stored; null for none. */
export const sealIdCard = async ({ crypto }: Pick<Platform, 'crypto'>, idCard: string): Promise<Buffer | null> =>
  idCard === '' ? null : crypto.seal(INSTALLATION_ID, Buffer.from(idCard))

/** What was stored; empty where there is none. */
export const openIdCard = async ({ crypto }: Pick<Platform, 'crypto'>, sealed: Buffer | null): Promise<string> =>
  sealed === null ? '' : (await crypto.open(INSTALLATION_ID, sealed)).toString('utf8')

/** Encrypts those that were stored before there was a column for it. */
export async function sealClearIdCards(platform: Platform): Promise<void> {
  const db = platform.db as unknown as Database<IdentityTables>
  for (let rows = await listClearIdCardsUnscoped(db); rows.length > 0; rows = await listClearIdCardsUnscoped(db))
    for (const { id, idCard } of rows) await sealIdCardUnscoped(db, id, (await sealIdCard(platform, idCard))!)
}
