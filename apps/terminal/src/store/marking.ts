/** Migration to a store with marked rows. It runs within the transaction of the migration, completely or not at all. */
import type { DatabaseSync } from 'node:sqlite'
import { createConsolePassword } from './console-password.ts'
import { localFaceOf, localPersonOf } from './local-seals.ts'
import { createPersonMarks, createRuleMarks, FIRST_MARKED } from './row-marks.ts'
import type { Vault } from './vault.ts'

export function markRows(database: DatabaseSync, vault: Vault): void {
  database.exec(`
    ALTER TABLE person ADD COLUMN mark BLOB;
    UPDATE person SET version = 'ffffffffffffffff';
    DELETE FROM position;
    DELETE FROM meta WHERE name = 'revision';
  `)
  const model = database.prepare("SELECT value FROM meta WHERE name = 'modelId'").get() as { value: string } | undefined
  const marks = createPersonMarks(database, vault, model?.value ?? '', FIRST_MARKED)
  for (const { id } of database.prepare('SELECT id FROM person').all() as { id: string }[]) marks.adopt(id)
  createRuleMarks(database, vault).adopt()
  createConsolePassword(database, vault).adopt()
  sealLocalPeople(database, vault)
}

/**
 * Seal the people registered here again. Before, they were bound to their ids alone, so that a face could be given to another person, and
 * one kind of data put in the place of another.
 */
function sealLocalPeople(database: DatabaseSync, vault: Vault): void {
  const bodyOf = database.prepare('SELECT body FROM local_person WHERE id = ?')
  const putBody = database.prepare('UPDATE local_person SET body = ? WHERE id = ?')
  const faceOf = database.prepare('SELECT person_id AS personId, picture, template FROM local_face WHERE id = ?')
  const putFace = database.prepare('UPDATE local_face SET picture = ?, template = ? WHERE id = ?')
  const idsIn = (table: string) => database.prepare(`SELECT id FROM ${table}`).all() as { id: string }[]
  for (const { id } of idsIn('local_person')) {
    const { body } = bodyOf.get(id) as { body: Uint8Array }
    whereReadable(() => putBody.run(vault.seal(vault.open(body, id), localPersonOf(id)), id))
  }
  for (const { id } of idsIn('local_face')) {
    const { personId, picture, template } = faceOf.get(id) as { personId: string; picture: Uint8Array; template: Uint8Array | null }
    const resealed = (sealed: Uint8Array) => vault.seal(vault.open(sealed, id), localFaceOf(personId, id))
    whereReadable(() => putFace.run(resealed(picture), template && resealed(template), id))
  }
}

/** Do the work; data sealed under another key cannot be read and stay as they are. */
function whereReadable(work: () => void): void {
  try {
    work()
  } catch {
    // Skipped and logged when it is read.
  }
}
