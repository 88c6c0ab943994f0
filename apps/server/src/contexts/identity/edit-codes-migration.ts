/** Codes for changing devices and persons, granted to all who could do so until now by the code for reading them. */
import { sql } from 'kysely'
import type { PermissionCode } from '@gatehouse/contract'
import type { ContextMigration } from '../../platform/database/migrations.ts'

const GRANTED_BY: [code: PermissionCode, enough: PermissionCode][] = [
  ['own:person.edit', 'person.list'],
  ['own:device.edit', 'device.list'],
]

export const editCodesMigration: ContextMigration = {
  name: '20261127T1936-identity-edit-codes',
  async up(db) {
    for (const table of ['role', 'api_client'])
      for (const [code, enough] of GRANTED_BY)
        await sql`UPDATE ${sql.table(table)} SET permissions = array_append(permissions, ${code}), version = version + 1
          WHERE ${enough} = ANY (permissions) AND NOT ${code} = ANY (permissions)`.execute(db)
  },
  columns: {},
}
