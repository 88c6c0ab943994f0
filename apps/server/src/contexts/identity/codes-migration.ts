/** Permission codes that the specification lacks, granted to all who could do the same until now by a code of the specification. */
import { sql } from 'kysely'
import type { PermissionCode } from '@gatehouse/contract'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** Codes that were sufficient before. Pairing also requires the code for the persons that the device receives. */
const GRANTED_BY: [code: PermissionCode, enough: PermissionCode[]][] = [
  ['own:person.export', ['person.list']],
  ['own:person.erase', ['person.list']],
  ['own:access.record.export', ['access.record']],
  ['own:access.record.delete', ['access.record']],
  ['own:device.pair', ['device.list', 'person.list']],
  ['own:door.open', ['device.list']],
]

export const codesMigration: ContextMigration = {
  name: '20261126T1730-identity-own-codes',
  async up(db) {
    for (const table of ['role', 'api_client'])
      for (const [code, enough] of GRANTED_BY)
        await sql`UPDATE ${sql.table(table)} SET permissions = array_append(permissions, ${code}), version = version + 1
          WHERE permissions @> ${sql.val(enough)}::text[] AND NOT ${code} = ANY (permissions)`.execute(db)
  },
  columns: {},
}
