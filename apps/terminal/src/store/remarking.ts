/** New marks of persons, for migrations that add a marked column. They run within the transaction of the migration. */
import type { DatabaseSync } from 'node:sqlite'
import { createPersonMarks } from './row-marks.ts'
import type { Vault } from './vault.ts'

/**
 * Change the table of persons and mark them again. Only data that match their mark get a new one: tampering is found after this step
 * as before.
 * @param columns that are marked before and after the change
 * @param statements that change the table
 */
export function changeMarkedColumns(
  database: DatabaseSync,
  vault: Vault,
  columns: { before: readonly string[]; after: readonly string[] },
  statements: string,
): void {
  const model = database.prepare("SELECT value FROM meta WHERE name = 'modelId'").get() as { value: string } | undefined
  const modelId = model?.value ?? ''
  const before = createPersonMarks(database, vault, modelId, columns.before)
  const ids = (database.prepare('SELECT id FROM person').all() as { id: string }[]).map(({ id }) => id)
  const untouched = ids.filter(before.fits)
  database.exec(statements)
  const after = createPersonMarks(database, vault, modelId, columns.after)
  for (const id of untouched) after.adopt(id)
}
