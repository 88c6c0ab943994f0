/**
 * Migration to a store with promises and thresholds that loosen. It runs within the transaction of the migration, completely or not at all.
 */
import type { DatabaseSync } from 'node:sqlite'
import { changeMarkedColumns } from './remarking.ts'
import { createRuleMarks, FIRST_MARKED, LOOSENING_MARKED } from './row-marks.ts'
import type { Vault } from './vault.ts'

/** The previous version ignored the promise and loosening thresholds, under the same revision and versions, so all are fetched again. */
export function learnPromises(database: DatabaseSync, vault: Vault): void {
  const rules = createRuleMarks(database, vault)
  const areRulesUntouched = rules.fit()
  changeMarkedColumns(
    database,
    vault,
    { before: FIRST_MARKED, after: LOOSENING_MARKED },
    `
    ALTER TABLE person ADD COLUMN face_threshold_loosens INTEGER;
    UPDATE person SET version = 'ffffffffffffffff';
    DELETE FROM position;
    DELETE FROM meta WHERE name = 'revision';
  `,
  )
  if (areRulesUntouched) rules.adopt()
}
