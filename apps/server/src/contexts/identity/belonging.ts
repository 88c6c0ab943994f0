/** What belongs to a node of the tree itself: while there is any, the node stays. */
import type { Database } from '../../platform/database/database.ts'
import type { IdentityTables } from './schema.ts'

/** Counts of accounts, roles and API users of a node, not of those below it. Unscoped: a node of the tree is no park. */
export async function countBelongingUnscoped(
  db: Database<IdentityTables>,
  organisationId: string,
): Promise<{ users: number; roles: number; clients: number }> {
  const count = async (table: 'user_account' | 'role' | 'api_client'): Promise<number> => {
    const { rows } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('organisation_id', '=', organisationId)
      .executeTakeFirstOrThrow()
    return rows
  }
  return { users: await count('user_account'), roles: await count('role'), clients: await count('api_client') }
}
