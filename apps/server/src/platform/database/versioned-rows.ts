/**
 * Rows with a version that counts their changes. A writer states the version it read; of two writers that read the same version only the
 * first succeeds.
 */
import type { Selectable, UpdateObject, UpdateQueryBuilder, UpdateResult } from 'kysely'
import { timestamp, type Database } from './database.ts'
import type { Tables } from './tables.ts'
import type { Scope } from '../session/session.ts'

interface VersionedRow {
  id: string
  updatedAt: number
  version: number
}
type VersionedTable = { [Name in keyof Tables]: Selectable<Tables[Name]> extends VersionedRow ? Name : never }[keyof Tables]
type VersionedTableOfParks = { [Name in VersionedTable]: 'parkId' extends keyof Tables[Name] ? Name : never }[VersionedTable]

/** A row as the writer read it. */
type ReadRow = Pick<VersionedRow, 'id' | 'version'>

/**
 * Return the update of a row of any versioned table, typed as one of them: the columns used are the same, and the values were checked
 * where the table was named.
 */
function updateOf(db: Database, table: VersionedTable, { id, version }: ReadRow, values: object, now: number) {
  return (db.updateTable(table as 'timeRule') as UpdateQueryBuilder<Tables, 'timeRule', 'timeRule', UpdateResult>)
    .set({ ...values, updatedAt: timestamp(now), version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
}

/** Write values into a row. Return false if the row is no longer at that version. */
export async function updateAtVersion<Name extends VersionedTableOfParks>(
  scope: Scope,
  db: Database,
  table: Name,
  row: ReadRow,
  values: UpdateObject<Tables, Name>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, table, row, values, now).where('parkId', '=', scope.parkId).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The same for a table whose rows belong to no park. */
export async function updateAtVersionUnscoped<Name extends VersionedTable>(
  db: Database,
  table: Name,
  row: ReadRow,
  values: UpdateObject<Tables, Name>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, table, row, values, now).executeTakeFirst()
  return numUpdatedRows === 1n
}
