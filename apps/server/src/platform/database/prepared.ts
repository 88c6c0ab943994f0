/**
 * Statements that a connection keeps prepared. Parsing and planning a short query takes PostgreSQL longer than running it. A marked query
 * is parsed once on each connection, and planned once where PostgreSQL finds that a generic plan costs no more than a custom one.
 *
 * Mark a query only if all its parameters are ids: a plan for one id is good for the others, while one for a kind, a text or a moment may
 * be bad for other values. Check the plans of a query before marking it.
 */
import { sql, type RawBuilder } from 'kysely'

const MARK = '/* kept prepared */'
/** Most statements kept on a connection; each takes PostgreSQL some ten kilobytes. Further ones run as if they had no mark. */
const MOST = 50
/**
 * PostgreSQL's codes for a prepared statement whose result type changed with a migration, that does not exist, or that already exists;
 * the last two occur behind a pooler.
 */
const STALE: ReadonlySet<string> = new Set(['0A000', '26000', '42P05'])
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Mark of a query: `query.modifyEnd(keptPrepared)`. */
export const keptPrepared: RawBuilder<unknown> = sql.raw(MARK)

/** Return whether a value is an id or a list of ids. */
const isKey = (value: unknown): boolean =>
  typeof value === 'string' ? ID.test(value) : Array.isArray(value) && value.every((one) => typeof one === 'string' && ID.test(one))

export interface PreparedStatements {
  /** Return the name under which a statement is prepared; null: it is not prepared. */
  nameOf(text: string, values: readonly unknown[]): string | null
  /** Exclude a text from preparation if the error concerns only its prepared statement. @returns whether it does */
  isStale(text: string, error: unknown): boolean
}

/** Return the prepared statements of one connection. */
export function createPreparedStatements(): PreparedStatements {
  /** By text; null: preparing it failed, and is not tried again. */
  const names = new Map<string, string | null>()
  return {
    nameOf(text, values) {
      if (!text.endsWith(MARK) || !values.every(isKey)) return null
      if (!names.has(text) && names.size < MOST) names.set(text, `kept${names.size}`)
      return names.get(text) ?? null
    },
    isStale(text, error) {
      if (!STALE.has((error as { code?: string }).code ?? '')) return false
      names.set(text, null)
      return true
    },
  }
}
