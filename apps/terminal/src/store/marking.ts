/** The step to a store of marked rows. It runs within the transaction of the migration: all of it is done, or none. */
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

/** They were sealed for their ids alone: a face could be given to another person, and one thing put in the place of another. */
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
    const anew = (sealed: Uint8Array) => vault.seal(vault.open(sealed, id), localFaceOf(personId, id))
    whereReadable(() => putFace.run(anew(picture), template && anew(template), id))
  }
}

/** What another key sealed is read by nobody, and stays as it is. */
function whereReadable(work: () => void): void {
  try {
    work()
  } catch {
    // Passed over when it is read, and said there.
  }
}
