/** Rows of one's own account. Unscoped: an account belongs to a node of the tree, not to a park. */
import { timestamp, type Database } from '../../platform/database/database.ts'

export interface PersonalRow {
  realName: string
  email: string
  telephoneSealed: Buffer | null
  idCardSealed: Buffer | null
}

export async function updatePersonalUnscoped(
  db: Database,
  userId: string,
  { realName, email, telephoneSealed, idCardSealed }: PersonalRow,
  now: number,
): Promise<void> {
  await db
    .updateTable('userAccount')
    .set((eb) => ({
      realName,
      email,
      telephoneSealed,
      idCardSealed,
      updatedAt: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', userId)
    .execute()
}
