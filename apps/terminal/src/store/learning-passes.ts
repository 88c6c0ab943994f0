/** Migration to a store with passes of visitors. It runs within the transaction of the migration, completely or not at all. */
import type { DatabaseSync } from 'node:sqlite'
import { createRuleMarks } from './row-marks.ts'
import type { Vault } from './vault.ts'

/** The previous version ignored the keys of passes, under the same revision, so the settings are fetched again. */
export function learnPasses(database: DatabaseSync, vault: Vault): void {
  const rules = createRuleMarks(database, vault)
  const areRulesUntouched = rules.fit()
  database.exec(`
    CREATE TABLE IF NOT EXISTS used_pass (id TEXT PRIMARY KEY, valid_to INTEGER NOT NULL) WITHOUT ROWID;
    DELETE FROM meta WHERE name = 'revision';
  `)
  if (areRulesUntouched) rules.adopt()
}
