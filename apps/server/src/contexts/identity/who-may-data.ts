/** Rows about the holders of permissions. Unscoped: an account belongs to a node of the tree, not to a park. */
import type { ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'

/** A query for the holders of permissions. */
export interface PermissionQuery {
  codes: readonly string[]
  /** Nodes of the accounts. Accounts of the first node are named first. */
  nodeIds: readonly string[]
  /** Account that is left out. */
  exceptId: string
  /** Whether to name accounts, by their real name, or the roles that give them the permission. */
  by: 'user' | 'role'
  /** Most names for each code. */
  most: number
  /** Names of the ready roles. */
  readyNames: Readonly<Record<ReadyRoleKey, string>>
  /** Whether the caller sees names masked: then they come in the order in which the accounts were created. */
  masked: boolean
}

/** Return, for each code that an enabled and unexpired account holds, the number of accounts or roles, and the first names. */
export async function holdersOfCodesUnscoped(
  db: Database,
  { codes, nodeIds, exceptId, by, most, readyNames, masked }: PermissionQuery,
  now: number,
): Promise<{ code: string; total: number; names: string[] }[]> {
  const named =
    by === 'user'
      ? sql`SELECT DISTINCT code, id, place, real_name AS name FROM holder`
      : sql`SELECT DISTINCT code, role_id AS id, 0 AS place, role_name AS name FROM holder`
  const order = by === 'user' && masked ? sql`place, id` : sql`place, name, id`
  const { rows } = await sql<{ code: string; total: number; names: string[] }>`WITH holder AS (
      SELECT code, user_account.id, real_name, array_position(${sql.val(nodeIds)}::uuid[], user_account.organisation_id) AS place,
      role.id AS role_id,
        coalesce(${JSON.stringify(readyNames)}::jsonb ->> role.ready, role.name) AS role_name
      FROM user_account
      JOIN user_role ON user_role.user_id = user_account.id
      JOIN role ON role.id = user_role.role_id
      JOIN unnest(${sql.val(codes)}::text[]) AS code ON code = ANY(role.permissions)
      WHERE user_account.organisation_id = ${oneOf(nodeIds)} AND user_account.id <> ${exceptId}
        AND enabled AND (expires_at IS NULL OR expires_at > ${timestamp(now)})
    ), named AS (${named})
    SELECT code, count(*) AS total, (array_agg(name ORDER BY ${order}))[1:${sql.lit(most)}] AS names FROM named GROUP BY code`.execute(db)
  return rows
}
