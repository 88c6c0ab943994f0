/** Rows that belong to a node of the tree itself. A node with such rows stays. */
import type { Database } from '../../platform/database/database.ts'

/** Return the counts of accounts, roles and API users of a node, without the nodes below it. Unscoped: a node of the tree is no park. */
export async function countBelongingUnscoped(
  db: Database,
  organisationId: string,
): Promise<{ users: number; roles: number; clients: number }> {
  const count = async (table: 'userAccount' | 'role' | 'apiClient'): Promise<number> => {
    const { rows } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('organisationId', '=', organisationId)
      .executeTakeFirstOrThrow()
    return rows
  }
  return { users: await count('userAccount'), roles: await count('role'), clients: await count('apiClient') }
}
