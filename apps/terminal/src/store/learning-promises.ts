/**
 * Migration to a store with promises and thresholds that loosen. It runs within the transaction of the migration, completely or not at all.
 */
import type { DatabaseSync } from 'node:sqlite'
import { createPersonMarks, createRuleMarks, FIRST_MARKED } from './row-marks.ts'
import type { Vault } from './vault.ts'

/**
 * The previous version ignored the promise and loosening thresholds, under the same revision and versions, so all are fetched again. Only
 * data that match their mark get a new one: tampering is found after this step as before.
 */
export function learnPromises(database: DatabaseSync, vault: Vault): void {
  const model = database.prepare("SELECT value FROM meta WHERE name = 'modelId'").get() as { value: string } | undefined
  const modelId = model?.value ?? ''
  const before = createPersonMarks(database, vault, modelId, FIRST_MARKED)
  const ids = (database.prepare('SELECT id FROM person').all() as { id: string }[]).map(({ id }) => id)
  const untouched = ids.filter(before.fits)
  const rules = createRuleMarks(database, vault)
  const areRulesUntouched = rules.fit()
  database.exec(`
    ALTER TABLE person ADD COLUMN face_threshold_loosens INTEGER;
    UPDATE person SET version = 'ffffffffffffffff';
    DELETE FROM position;
    DELETE FROM meta WHERE name = 'revision';
  `)
  const after = createPersonMarks(database, vault, modelId)
  for (const id of untouched) after.adopt(id)
  if (areRulesUntouched) rules.adopt()
}
