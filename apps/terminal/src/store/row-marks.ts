/**
 * Marks by the key on what the terminal would decide by. The digest the server compares says who is held in which version, not what
 * stands in the rows: a row that somebody changed on the disk no longer fits its mark, and is found by that.
 */
import { timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { MacValue, Vault } from './vault.ts'

export interface PersonMarks {
  /** Marks the row of a person as it stands, with faces and credentials. */
  put(personId: string): void
  /** Whether the row of a person, faces and credentials are as they were written. */
  fits(personId: string): boolean
}

export interface RuleMarks {
  /** Marks settings, strategies and time rules as they stand. */
  put(): void
  /** Whether they are as they were written; so they are before the first. */
  fit(): boolean
}

/** Under this name stands the mark of settings, strategies and time rules. */
const RULES = 'rulesMark'
/** What of `meta` is marked with them. */
const SETTINGS = ['settings', 'revision']

/** The marks of persons in an opened store. */
export function createPersonMarks(database: DatabaseSync, vault: Vault): PersonMarks {
  const person = database.prepare(
    `SELECT version, sealed, enabled, valid_from, valid_to, strategy_ids, face_threshold, look_alikes, contacts, human, failure, mark
     FROM person WHERE id = ?`,
  )
  const faces = database.prepare('SELECT id, template FROM face WHERE person_id = ? ORDER BY id')
  const credentials = database.prepare('SELECT sealed FROM credential WHERE person_id = ?')
  const keys = database.prepare('SELECT kind, digest FROM credential_key WHERE person_id = ? ORDER BY kind, digest')
  const mark = database.prepare('UPDATE person SET mark = ? WHERE id = ?')

  /** @throws when a column holds what is no value of ours, such as a number beyond all bounds */
  function read(personId: string): { expected: Uint8Array; marked: MacValue } {
    const { mark: marked, ...row } = person.get(personId) as Record<string, MacValue>
    const values: MacValue[] = Object.values(row)
    for (const others of [faces, credentials, keys]) {
      const rows = others.all(personId) as Record<string, MacValue>[]
      // How many there are stands before them: nothing moves from one list to the next.
      values.push(rows.length, ...rows.flatMap((each) => Object.values(each)))
    }
    return { expected: vault.mac(`person ${personId}`, values), marked: marked ?? null }
  }

  return {
    put: (personId) => void mark.run(read(personId).expected, personId),
    fits(personId) {
      try {
        const { expected, marked } = read(personId)
        return isEqual(expected, marked)
      } catch {
        return false
      }
    },
  }
}

/** The mark of the rules in an opened store. */
export function createRuleMarks(database: DatabaseSync, vault: Vault): RuleMarks {
  const meta = database.prepare('SELECT value FROM meta WHERE name = ?')
  const strategies = database.prepare('SELECT id, body FROM strategy ORDER BY id')
  const timeRules = database.prepare('SELECT id, body FROM time_rule ORDER BY id')
  const put = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
  const metaOf = (name: string) => (meta.get(name) as { value: MacValue } | undefined)?.value ?? null

  function read(): MacValue[] {
    const values: MacValue[] = SETTINGS.map(metaOf)
    for (const table of [strategies, timeRules]) {
      const rows = table.all() as Record<string, MacValue>[]
      values.push(rows.length, ...rows.flatMap((each) => Object.values(each)))
    }
    return values
  }

  return {
    put: () => void put.run(RULES, Buffer.from(vault.mac(RULES, read())).toString('base64')),
    fit() {
      try {
        const values = read()
        const marked = metaOf(RULES)
        if (marked === null && values.every((value) => value === null || value === 0)) return true
        return typeof marked === 'string' && isEqual(vault.mac(RULES, values), Buffer.from(marked, 'base64'))
      } catch {
        return false
      }
    },
  }
}

const isEqual = (expected: Uint8Array, marked: MacValue): boolean =>
  marked instanceof Uint8Array && marked.length === expected.length && timingSafeEqual(expected, marked)

/** The step to a store of marked rows, within the transaction of the migration. */
export function markRows(database: DatabaseSync, vault: Vault): void {
  database.exec(`
    ALTER TABLE person ADD COLUMN mark BLOB;
    UPDATE person SET version = 'ffffffffffffffff';
    DELETE FROM position;
    DELETE FROM meta WHERE name = 'revision';
  `)
  const marks = createPersonMarks(database, vault)
  for (const { id } of database.prepare('SELECT id FROM person').all() as { id: string }[]) marks.put(id)
  createRuleMarks(database, vault).put()
  bindLocalFaces(database, vault)
}

/** What a face of somebody registered here is sealed for. */
export const localFaceOf = (personId: string, faceId: string): string => `${personId}/${faceId}`

/** They were bound to themselves only, and could be given to another person. What another key sealed stays as it is. */
function bindLocalFaces(database: DatabaseSync, vault: Vault): void {
  const put = database.prepare('UPDATE local_face SET picture = ?, template = ? WHERE id = ?')
  const one = database.prepare('SELECT person_id AS personId, picture, template FROM local_face WHERE id = ?')
  for (const { id } of database.prepare('SELECT id FROM local_face').all() as { id: string }[]) {
    const { personId, picture, template } = one.get(id) as { personId: string; picture: Uint8Array; template: Uint8Array | null }
    const bound = (sealed: Uint8Array) => vault.seal(vault.open(sealed, id), localFaceOf(personId, id))
    try {
      put.run(bound(picture), template && bound(template), id)
    } catch {
      // Nobody can read it.
    }
  }
}
