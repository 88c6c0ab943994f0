/**
 * Marks by the key on the data that the terminal decides by. The digest that the server compares covers who is stored in which version, but
 * not the content of the rows. A row that was changed on the disk no longer matches its mark, and is detected by that.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { MacValue, Vault } from './vault.ts'

/** A person as written. */
export interface WrittenPerson {
  row: Readonly<Record<string, MacValue>>
  /** Sealed templates by the id of the face. */
  faces: ReadonlyMap<string, Uint8Array>
  credentials: WrittenCredentials | null
}

export interface WrittenCredentials {
  sealed: Uint8Array
  keys: readonly (readonly [kind: number, digest: Uint8Array])[]
}

/** Rules as written. */
export interface WrittenRules {
  settings: string
  revision: string
  /** Bodies by id. */
  strategies: ReadonlyMap<string, string>
  timeRules: ReadonlyMap<string, string>
}

/** Marks are computed from the data written, not from data read back: a file that changes the data on the way is detected too. */
export interface PersonMarks {
  put(personId: string, written: WrittenPerson): void
  /** Mark the existing rows. @throws if their content cannot come from a terminal */
  adopt(personId: string): void
  /** Return the existing rows; null if row, faces and credentials are not as they were written. */
  read(personId: string): WrittenPerson | null
  /** Return whether they are. */
  fits(personId: string): boolean
}

export interface RuleMarks {
  put(written: WrittenRules): void
  /** Mark the existing rules. */
  adopt(): void
  /** Drop the mark, because there are no rules any more. */
  drop(): void
  /** Return whether settings, strategies and time rules are as they were written; true before the first ones. */
  fit(): boolean
}

/** Columns of a person marked by the first version with marks, in this order. */
export const FIRST_MARKED = [
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

/** Columns marked since thresholds can loosen, in this order. */
export const LOOSENING_MARKED = [...FIRST_MARKED, 'face_threshold_loosens'] as const

/** Columns of a person that are marked, in this order. */
export const PERSON_COLUMNS = [...LOOSENING_MARKED, 'methods'] as const

/** Name under which the mark of settings, strategies and time rules is stored. */
const RULES = 'rulesMark'

/**
 * Open the marks of persons in a store.
 * @param modelId of the templates: those of another model match no mark
 * @param columns that are marked; fewer in a store not yet migrated to this version
 */
export function createPersonMarks(
  database: DatabaseSync,
  vault: Vault,
  modelId: string,
  columns: readonly string[] = PERSON_COLUMNS,
): PersonMarks {
  const person = database.prepare(`SELECT ${columns.join()}, mark FROM person WHERE id = ?`)
  const faces = database.prepare('SELECT id, template FROM face WHERE person_id = ?')
  const credentials = database.prepare('SELECT sealed FROM credential WHERE person_id = ?')
  const keys = database.prepare('SELECT kind, digest FROM credential_key WHERE person_id = ?')
  const mark = database.prepare('UPDATE person SET mark = ? WHERE id = ?')

  const boundTo = (personId: string) => `person ${modelId} ${personId}`
  const valuesOf = ({ row, faces: templates, credentials: own }: WrittenPerson): MacValue[] => [
    ...columns.map((column) => row[column]!),
    ...listed([...templates]),
    own?.sealed ?? null,
    ...(own?.keys ?? [])
      .toSorted(([kind, digest], [otherKind, other]) => kind - otherKind || Buffer.compare(digest, other))
      .flatMap(([kind, digest]): MacValue[] => [kind, digest]),
  ]

  /** @throws when a column contains an impossible value, such as a number out of bounds */
  function stored(personId: string): { written: WrittenPerson; marked: MacValue | undefined } {
    const { mark: marked, ...row } = person.get(personId) as Record<string, MacValue>
    const templates = faces.all(personId) as { id: string; template: Uint8Array }[]
    const sealed = (credentials.get(personId) as { sealed: Uint8Array } | undefined)?.sealed
    const found = keys.all(personId) as { kind: number; digest: Uint8Array }[]
    if (sealed === undefined && found.length > 0) throw new TypeError('there are keys without credentials')
    const own = sealed === undefined ? null : { sealed, keys: found.map(({ kind, digest }) => [kind, digest] as const) }
    return { written: { row, faces: new Map(templates.map(({ id, template }) => [id, template])), credentials: own }, marked }
  }
  const put: PersonMarks['put'] = (personId, written) => void mark.run(vault.mac(boundTo(personId), valuesOf(written)), personId)
  const read: PersonMarks['read'] = (personId) => {
    try {
      const { written, marked } = stored(personId)
      return vault.isMacOf(marked, boundTo(personId), valuesOf(written)) ? written : null
    } catch {
      return null
    }
  }

  return {
    put,
    adopt: (personId) => put(personId, stored(personId).written),
    read,
    fits: (personId) => read(personId) !== null,
  }
}

/** Open the mark of the rules in a store. */
export function createRuleMarks(database: DatabaseSync, vault: Vault): RuleMarks {
  const meta = database.prepare('SELECT value FROM meta WHERE name = ?')
  const strategies = database.prepare('SELECT id, body FROM strategy')
  const timeRules = database.prepare('SELECT id, body FROM time_rule')
  const put = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
  const drop = database.prepare('DELETE FROM meta WHERE name = ?')
  const metaOf = (name: string) => (meta.get(name) as { value: MacValue } | undefined)?.value ?? null

  const valuesOf = (settings: MacValue, revision: MacValue, ...lists: readonly Entries[]): MacValue[] => [
    settings,
    revision,
    ...lists.flatMap(listed),
  ]
  const stored = () => ({
    settings: metaOf('settings'),
    revision: metaOf('revision'),
    lists: [strategies, timeRules].map((table) =>
      (table.all() as { id: string; body: MacValue }[]).map(({ id, body }) => [id, body] as const),
    ),
  })
  const keep = (values: MacValue[]): void => void put.run(RULES, Buffer.from(vault.mac(RULES, values)).toString('base64'))

  return {
    put: (written) => keep(valuesOf(written.settings, written.revision, [...written.strategies], [...written.timeRules])),
    adopt() {
      const { settings, revision, lists } = stored()
      keep(valuesOf(settings, revision, ...lists))
    },
    drop: () => void drop.run(RULES),
    fit() {
      try {
        const { settings, revision, lists } = stored()
        const marked = metaOf(RULES)
        if (marked === null) return settings === null && revision === null && lists.every((list) => list.length === 0)
        return typeof marked === 'string' && vault.isMacOf(Buffer.from(marked, 'base64'), RULES, valuesOf(settings, revision, ...lists))
      } catch {
        return false
      }
    },
  }
}

type Entries = readonly (readonly [id: string, value: MacValue])[]

/** Return entries by their ids, preceded by their number, so that no entry can move from one list to the next. */
const listed = (entries: Entries): MacValue[] => [
  entries.length,
  ...entries.toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))).flat(),
]
