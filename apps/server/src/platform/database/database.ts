/** The one way to PostgreSQL. Tables and columns are in camel case here and in snake case there. */
import { Kysely, sql, type LogConfig, type PostgresPool, type RawBuilder, type Transaction as KyselyTransaction } from 'kysely'
import pg from 'pg'
import { isNulParameter } from '../http/nul.ts'
import { camelCaseRows, SnakeCaseDialect } from './camel-case.ts'
import { createPreparedStatements } from './prepared.ts'
import { NotFound, InvalidRequest } from '../http/refusal.ts'
import type { Tables } from './tables.ts'

// Times leave the database as epoch milliseconds, dates as YYYY-MM-DD, bigint as number (all ours fit).
const readTimestamp = pg.types.getTypeParser(1184) as (text: string) => Date
/** A moment as our connections print it, except years beyond 9999. JavaScript parses this form in less than half the time. */
const MOMENT_IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/
pg.types.setTypeParser(1184, (text) =>
  MOMENT_IN_UTC.test(text) ? Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : readTimestamp(text).getTime(),
)
pg.types.setTypeParser(1082, (text) => text)
pg.types.setTypeParser(20, Number)

/** The database, or a transaction of it, with every table; `tests/architecture` checks which of them an area may name. */
export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>

export interface DatabaseHandle {
  db: Database
  pool: pg.Pool
  /** A connection of its own, for LISTEN and session locks; the caller ends it. */
  client(): Promise<pg.Client>
  close(): Promise<void>
}

/** PostgreSQL's code for a text that its encoding cannot represent. */
const UNTRANSLATABLE = '22021'

/**
 * A connection that never sends a text with NUL: PostgreSQL would refuse it, and clients could fill its log with errors. Marked
 * statements are kept prepared.
 */
class Connection extends pg.Client {
  constructor(options?: string | pg.ClientConfig) {
    super(options)
    const send = this.query.bind(this) as (...words: unknown[]) => unknown
    const prepared = createPreparedStatements()

    const askKept = async (name: string, text: string, values: unknown[]): Promise<unknown> => {
      try {
        return await send({ name, text, values })
      } catch (error) {
        // The statement has had no effect. A transaction is aborted all the same; the next one runs it without the name.
        if (!prepared.isStale(text, error) || this.getTransactionStatus() !== 'I') throw error
        return send(text, values)
      }
    }

    this.query = ((...words: unknown[]) => {
      const [text, given] = words
      const values = Array.isArray(given) ? given : (text as { values?: unknown[] } | null)?.values
      if (values?.some(isNulParameter) === true)
        throw Object.assign(new Error('a text with NUL cannot be stored'), { code: UNTRANSLATABLE })
      if (words.length !== 2 || typeof text !== 'string' || !Array.isArray(given)) return send(...words)
      const name = prepared.nameOf(text, given)
      return name === null ? send(...words) : askKept(name, text, given)
    }) as typeof this.query
  }
}

/** Return the database of a pool, with names in camel case; the content of jsonb columns is left as it is. */
export const databaseOver = (pool: PostgresPool, log?: LogConfig): Database =>
  new Kysely<Tables>({
    dialect: new SnakeCaseDialect({ pool }),
    plugins: [camelCaseRows],
    ...(log && { log }),
  })

/** Open a pool; connections run in UTC and wait for a lock for at most ten seconds. */
export function openDatabase(connectionString: string, size = 10): DatabaseHandle {
  const options = { connectionString, options: '-c timezone=UTC -c lock_timeout=10s', application_name: 'gatehouse' }
  const pool = new pg.Pool({ ...options, max: size, Client: Connection })
  // A lost idle connection is replaced by the pool; without a listener the process would end.
  pool.on('error', () => {})
  // The same for a connection that is lost while in use: its user gets the error.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = databaseOver(pool)
  return {
    db,
    pool,
    async client() {
      const client = new Connection(options)
      client.on('error', () => {})
      await client.connect()
      return client
    },
    close: () => db.destroy(),
  }
}

/** Return a moment as a parameter of a statement. */
export const timestamp = (epochMs: number): RawBuilder<number> => sql<number>`${new Date(epochMs)}`

/** Match a column against any number of ids as one parameter: `where('id', '=', oneOf(ids))`. */
export const oneOf = (ids: readonly string[]) => sql<string>`ANY(${sql.val(ids)}::uuid[])`

/** Return `%term%` with the wildcards of the term itself escaped: a search for `A_B` must not match `AxB`. */
export const containing = (term: string): string => `%${literally(term)}%`

/** Return a pattern that matches exactly `term`, whatever its characters mean in a pattern. */
export const literally = (term: string): string => term.replace(/[\\%_]/g, '\\$&')

/** Return the unique constraint that a write violated; null if the error is another one. */
export function violatedConstraint(error: unknown): string | null {
  const databaseError = error as { code?: string; constraint?: string }
  return databaseError.code === '23505' ? (databaseError.constraint ?? '') : null
}

/** Return whether a foreign key was violated: other rows still refer to the row, so it cannot be deleted. */
export const isReferenced = (error: unknown): boolean => (error as { code?: string }).code === '23503'

/** Return whether waiting for a lock timed out. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: string }).code === '55P03'

/** Return whether two transactions waited for each other, and this one was ended. */
export const isDeadlock = (error: unknown): boolean => (error as { code?: string }).code === '40P01'

/** Return what a database error means for the caller; null where it is a fault of the server. */
export function requestErrorOf(error: unknown): Error | null {
  const { code } = error as { code?: unknown }
  if (code === '22P02') return new NotFound()
  if (typeof code === 'string' && code.startsWith('22')) return new InvalidRequest([{ path: '', rule: 'invalid' }])
  return null
}

export { sql }
