/**
 * Statements that a connection keeps prepared. To read and plan a short query takes PostgreSQL longer than to answer it; a query that asks to
 * be kept is read once on each connection, and planned once where PostgreSQL finds that a plan for all values costs no more than one for each.
 *
 * Only as long as it is asked by ids alone: a plan for one id is good for the others, while one for a kind, a text or a moment may be bad for
 * the rest. Whoever marks a query has seen that it is so with it.
 */
import { sql, type RawBuilder } from 'kysely'

const MARK = '/* kept prepared */'
/** Statements kept on a connection; each takes PostgreSQL some ten kilobytes. What comes after is asked as if it had no mark. */
const MOST = 50
/** PostgreSQL's codes for a statement that answers otherwise since a migration, is gone, or is there already: behind a pooler it may be. */
const STALE: ReadonlySet<string> = new Set(['0A000', '26000', '42P05'])
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Marks a query: `query.modifyEnd(keptPrepared)`. */
export const keptPrepared: RawBuilder<unknown> = sql.raw(MARK)

/** An id, or ids. */
const isKey = (value: unknown): boolean =>
  typeof value === 'string' ? ID.test(value) : Array.isArray(value) && value.every((one) => typeof one === 'string' && ID.test(one))

export interface PreparedStatements {
  /** The name by which a statement is asked; null: by none. */
  nameOf(text: string, values: readonly unknown[]): string | null
  /** @returns whether a failure is that of the name alone, by which nothing is asked any more */
  isStale(text: string, error: unknown): boolean
}

/** Of one connection. */
export function createPreparedStatements(): PreparedStatements {
  /** By text; null: it could not be kept, and is not tried again. */
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
