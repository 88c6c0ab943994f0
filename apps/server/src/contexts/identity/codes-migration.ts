/** Codes of our own, granted to whoever could do the same by a code of the specification until now. */
import { sql } from 'kysely'
import type { PermissionCode } from '@gatehouse/contract'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** What was enough before. Pairing also asks for the persons whom the device will be told. */
const HELD_BEFORE: [code: PermissionCode, enough: PermissionCode[]][] = [
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
      for (const [code, enough] of HELD_BEFORE)
        await sql`UPDATE ${sql.table(table)} SET permissions = array_append(permissions, ${code}), version = version + 1
          WHERE permissions @> ${sql.val(enough)}::text[] AND NOT ${code} = ANY (permissions)`.execute(db)
  },
  columns: {},
}
