/** Rows of one's own account. Unscoped: an account belongs to a node of the tree, not to a park. */
import { timestamp, type Database } from '../../platform/database.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

export interface PersonalRow {
  realName: string
  email: string
  telephone: string
  idCardSealed: Buffer | null
}

export async function updatePersonalUnscoped(
  db: Db,
  userId: string,
  { realName, email, telephone, idCardSealed }: PersonalRow,
  now: number,
): Promise<void> {
  await db
    .updateTable('user_account')
    .set((eb) => ({
      real_name: realName,
      email,
      telephone,
      id_card: '',
      id_card_sealed: idCardSealed,
      updated_at: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', userId)
    .execute()
}

/** ID cards that still stand in clear. */
export function listClearIdCardsUnscoped(db: Db): Promise<{ id: string; idCard: string }[]> {
  return db.selectFrom('user_account').select(['id', 'id_card as idCard']).where('id_card', '<>', '').limit(500).execute()
}

export async function sealIdCardUnscoped(db: Db, userId: string, sealed: Buffer): Promise<void> {
  await db.updateTable('user_account').set({ id_card: '', id_card_sealed: sealed }).where('id', '=', userId).execute()
}
