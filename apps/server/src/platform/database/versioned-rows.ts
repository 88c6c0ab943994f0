/** Rows that count their changes: whoever changes one says which state of it was read, and of two who read the same one only the first succeeds. */
import type { Updateable } from 'kysely'
import { timestamp, type Database } from './database.ts'
import type { Scope } from '../session/session.ts'

interface VersionedRow {
  id: string
  updated_at: Date | number
  version: number
}
type VersionedTable<Tables> = { [Name in keyof Tables & string]: Tables[Name] extends VersionedRow ? Name : never }[keyof Tables & string]

/** A row as somebody read it. */
type ReadRow = Pick<VersionedRow, 'id' | 'version'>

/** The update of a row whose table this file does not know; its columns were checked where it was named. */
function updateOf(db: unknown, table: string, { id, version }: ReadRow, values: object, now: number) {
  return (db as Database<{ row: VersionedRow & { park_id: string } }>)
    .updateTable(table as 'row')
    .set({ ...values, updated_at: timestamp(now), version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
}

/** Writes values into a row; false where it is not at the version any more. */
export async function updateAtVersion<Tables, Name extends VersionedTable<Tables>>(
  scope: Scope,
  db: Database<Tables>,
  table: Name,
  row: ReadRow,
  values: Updateable<Tables[Name]>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, table, row, values, now).where('park_id', '=', scope.parkId).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The same of a table whose rows belong to no park. */
export async function updateAtVersionUnscoped<Tables, Name extends VersionedTable<Tables>>(
  db: Database<Tables>,
  table: Name,
  row: ReadRow,
  values: Updateable<Tables[Name]>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, table, row, values, now).executeTakeFirst()
  return numUpdatedRows === 1n
}
