/** Calls for the whole installation require a code in addition to the role sign. All who could open their screens until now receive it. */
import { sql } from 'kysely'
import type { PermissionCode } from '@gatehouse/contract'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/**
 * Administrators have had all of these rights. Operators whose role opens the system area keep its settings, and gain neither organisations
 * nor the log.
 */
const GRANTED: [roleSign: 'admin' | 'operator', enough: PermissionCode[], codes: PermissionCode[]][] = [
  ['admin', [], ['system.base', 'system.domainName', 'system.area', 'system.log']],
  ['operator', ['system'], ['system.base', 'system.domainName']],
]

export const installationCodesMigration: ContextMigration = {
  name: '20261127T0705-identity-installation-codes',
  async up(db) {
    // Only users of the topmost organisation could make these calls.
    const isGivenAtRoot = sql`EXISTS (SELECT FROM user_role held JOIN user_account holder ON holder.id = held.user_id
      JOIN organisation node ON node.id = holder.organisation_id WHERE held.role_id = role.id AND node.parent_id IS NULL)`
    for (const [roleSign, enough, codes] of GRANTED)
      for (const code of codes)
        await sql`UPDATE role SET permissions = array_append(permissions, ${code}), version = version + 1
          WHERE role_sign = ${roleSign} AND permissions @> ${sql.val(enough)}::text[] AND NOT ${code} = ANY (permissions)
          AND ${isGivenAtRoot}`.execute(db)
  },
  columns: {},
}
