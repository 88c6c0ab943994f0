/** Rows of one's own account. Unscoped: an account belongs to a node of the tree, not to a park. */
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

export interface PersonalRow {
  realName: string
  email: string
  telephoneSealed: Buffer | null
  idCardSealed: Buffer | null
}

export async function updatePersonalUnscoped(
  db: Db,
  userId: string,
  { realName, email, telephoneSealed, idCardSealed }: PersonalRow,
  now: number,
): Promise<void> {
  await db
    .updateTable('user_account')
    .set((eb) => ({
      real_name: realName,
      email,
      telephone_sealed: telephoneSealed,
      id_card_sealed: idCardSealed,
      updated_at: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', userId)
    .execute()
}
