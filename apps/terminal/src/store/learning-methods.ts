/** Migration to a store with access methods of persons. It runs within the transaction of the migration, completely or not at all. */
import type { DatabaseSync } from 'node:sqlite'
import { changeMarkedColumns } from './remarking.ts'
import { LOOSENING_MARKED, PERSON_COLUMNS } from './row-marks.ts'
import type { Vault } from './vault.ts'

/** The previous version ignored the methods, under the same versions, so all persons are fetched again. */
export function learnMethods(database: DatabaseSync, vault: Vault): void {
  changeMarkedColumns(
    database,
    vault,
    { before: LOOSENING_MARKED, after: PERSON_COLUMNS },
    `
    ALTER TABLE person ADD COLUMN methods TEXT;
    UPDATE person SET version = 'ffffffffffffffff';
    DELETE FROM position;
  `,
  )
}
