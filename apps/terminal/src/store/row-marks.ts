/**
 * Marks by the key on what the terminal would decide by. The digest the server compares says who is held in which version, not what
 * stands in the rows: a row that somebody changed on the disk no longer fits its mark, and is found by that.
 */
import { timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { MacValue, Vault } from './vault.ts'

/** A person as it is written. */
export interface WrittenPerson {
  /** The columns of `PERSON_COLUMNS`, in their order. */
  row: readonly MacValue[]
  /** Sealed templates by the id of the face. */
  faces: ReadonlyMap<string, Uint8Array>
  credentials: WrittenCredentials | null
}

export interface WrittenCredentials {
  sealed: Uint8Array
  keys: readonly (readonly [kind: number, digest: Uint8Array])[]
}

/** Rules as they are written. */
export interface WrittenRules {
  settings: string
  revision: string
  /** Bodies by id. */
  strategies: ReadonlyMap<string, string>
  timeRules: ReadonlyMap<string, string>
}

/** Marks are made of what is written and not of what is read then: a file that changes it on the way is found by that too. */
export interface PersonMarks {
  put(personId: string, written: WrittenPerson): void
  /** Marks what stands there. @throws where that is nothing a terminal wrote */
  adopt(personId: string): void
  /** Whether the row of a person, faces and credentials are as they were written. */
  fits(personId: string): boolean
}

export interface RuleMarks {
  put(written: WrittenRules): void
  /** Marks what stands there. */
  adopt(): void
  /** There are none any more. */
  drop(): void
  /** Whether settings, strategies and time rules are as they were written; so they are before the first. */
  fit(): boolean
}

/** Columns of a person that are marked, in this order. */
export const PERSON_COLUMNS = [
  'version',
  'sealed',
  'enabled',
  'valid_from',
  'valid_to',
  'strategy_ids',
  'face_threshold',
  'look_alikes',
  'contacts',
  'human',
  'failure',
] as const

/** Under this name stands the mark of settings, strategies and time rules. */
const RULES = 'rulesMark'

/** The marks of persons in an opened store. @param modelId of the templates: those of another model fit nothing */
export function createPersonMarks(database: DatabaseSync, vault: Vault, modelId: string): PersonMarks {
  const person = database.prepare(`SELECT ${PERSON_COLUMNS.join()}, mark FROM person WHERE id = ?`)
  const faces = database.prepare('SELECT id, template FROM face WHERE person_id = ?')
  const credentials = database.prepare('SELECT sealed FROM credential WHERE person_id = ?')
  const keys = database.prepare('SELECT kind, digest FROM credential_key WHERE person_id = ?')
  const mark = database.prepare('UPDATE person SET mark = ? WHERE id = ?')

  const macOf = (personId: string, { row, faces: templates, credentials: own }: WrittenPerson): Uint8Array =>
    vault.mac(`person ${modelId} ${personId}`, [
      ...row,
      // How many there are stands before them: nothing moves from one list to the next.
      templates.size,
      ...[...templates].toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))).flat(),
      own?.sealed ?? null,
      ...(own?.keys ?? [])
        .toSorted(([kind, digest], [otherKind, other]) => kind - otherKind || Buffer.compare(digest, other))
        .flatMap(([kind, digest]): MacValue[] => [kind, digest]),
    ])

  /** @throws when a column holds what is no value of ours, such as a number beyond all bounds */
  function read(personId: string): { written: WrittenPerson; marked: MacValue | undefined } {
    const { mark: marked, ...row } = person.get(personId) as Record<string, MacValue>
    const templates = faces.all(personId) as { id: string; template: Uint8Array }[]
    const sealed = (credentials.get(personId) as { sealed: Uint8Array } | undefined)?.sealed
    const found = keys.all(personId) as { kind: number; digest: Uint8Array }[]
    if (sealed === undefined && found.length > 0) throw new TypeError('there are keys without credentials')
    const own = sealed === undefined ? null : { sealed, keys: found.map(({ kind, digest }) => [kind, digest] as const) }
    return {
      written: { row: Object.values(row), faces: new Map(templates.map(({ id, template }) => [id, template])), credentials: own },
      marked,
    }
  }
  const put: PersonMarks['put'] = (personId, written) => void mark.run(macOf(personId, written), personId)

  return {
    put,
    adopt: (personId) => put(personId, read(personId).written),
    fits(personId) {
      try {
        const { written, marked } = read(personId)
        return isEqual(macOf(personId, written), marked)
      } catch {
        return false
      }
    },
  }
}

/** The mark of the rules in an opened store. */
export function createRuleMarks(database: DatabaseSync, vault: Vault): RuleMarks {
  const meta = database.prepare('SELECT value FROM meta WHERE name = ?')
  const strategies = database.prepare('SELECT id, body FROM strategy')
  const timeRules = database.prepare('SELECT id, body FROM time_rule')
  const put = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
  const drop = database.prepare('DELETE FROM meta WHERE name = ?')
  const metaOf = (name: string) => (meta.get(name) as { value: MacValue } | undefined)?.value ?? null

  const macOf = (settings: MacValue, revision: MacValue, ...lists: readonly (readonly (readonly [string, MacValue])[])[]): Uint8Array =>
    vault.mac(RULES, [
      settings,
      revision,
      ...lists.flatMap((list): MacValue[] => [
        list.length,
        ...list.toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))).flat(),
      ]),
    ])

  const read = () => ({
    settings: metaOf('settings'),
    revision: metaOf('revision'),
    lists: [strategies, timeRules].map((table) =>
      (table.all() as { id: string; body: MacValue }[]).map(({ id, body }) => [id, body] as const),
    ),
  })
  const keep = (mac: Uint8Array): void => void put.run(RULES, Buffer.from(mac).toString('base64'))

  return {
    put: (written) => keep(macOf(written.settings, written.revision, [...written.strategies], [...written.timeRules])),
    adopt() {
      const { settings, revision, lists } = read()
      keep(macOf(settings, revision, ...lists))
    },
    drop: () => void drop.run(RULES),
    fit() {
      try {
        const { settings, revision, lists } = read()
        const marked = metaOf(RULES)
        if (marked === null) return settings === null && revision === null && lists.every((list) => list.length === 0)
        return typeof marked === 'string' && isEqual(macOf(settings, revision, ...lists), Buffer.from(marked, 'base64'))
      } catch {
        return false
      }
    },
  }
}

const isEqual = (expected: Uint8Array, marked: MacValue | undefined): boolean =>
  marked instanceof Uint8Array && marked.length === expected.length && timingSafeEqual(expected, marked)
