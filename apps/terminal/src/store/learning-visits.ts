/** Migration to a store with visits of a visitor machine. It runs within the transaction of the migration, completely or not at all. */
import type { DatabaseSync } from 'node:sqlite'
import { createRuleMarks } from './row-marks.ts'
import type { Vault } from './vault.ts'

/** The previous version ignored that a device is a visitor machine, under the same revision, so the settings are fetched again. */
export function learnVisits(database: DatabaseSync, vault: Vault): void {
  const rules = createRuleMarks(database, vault)
  const areRulesUntouched = rules.fit()
  database.exec(`
    CREATE TABLE IF NOT EXISTS machine_visit (id TEXT PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS machine_event (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, sealed BLOB NOT NULL);
    DELETE FROM meta WHERE name = 'revision';
  `)
  if (areRulesUntouched) rules.adopt()
}
