/** The one way to PostgreSQL. Contexts take a view of it typed by their own tables. */
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { isNulParameter } from '../http/nul.ts'
import { createPreparedStatements } from './prepared.ts'
import { NotFound, InvalidRequest } from '../http/refusal.ts'

// Times leave the database as epoch milliseconds, dates as YYYY-MM-DD, bigint as number (all ours fit).
const readTimestamp = pg.types.getTypeParser(1184) as (text: string) => Date
/** A moment as our connections write it, but for years beyond 9999. The engine reads it in less than half the time. */
const MOMENT_IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/
pg.types.setTypeParser(1184, (text) =>
  MOMENT_IN_UTC.test(text) ? Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : readTimestamp(text).getTime(),
)
pg.types.setTypeParser(1082, (text) => text)
pg.types.setTypeParser(20, Number)

/** The database as one context sees it: only the tables it names. */
export type Database<Tables> = Kysely<Tables>
export type Tx<Tables> = Transaction<Tables>
/** A transaction of whatever context; who takes one casts it to the tables it owns. */
export interface OpenTransaction {
  readonly isTransaction: true
}
/** The database before a context has said which tables it means. */
export type AnyDatabase = Kysely<never>

export interface DatabaseHandle {
  db: AnyDatabase
  pool: pg.Pool
  /** A connection of its own, for LISTEN and session locks; the caller ends it. */
  client(): Promise<pg.Client>
  close(): Promise<void>
}

/** PostgreSQL's code for a text that its encoding does not have. */
const UNTRANSLATABLE = '22021'

/**
 * A connection that sends no text with NUL: PostgreSQL would refuse it, and log an error for whoever asked for one. Statements that ask for
 * it are kept prepared.
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
        // Nothing has been done yet. A transaction is lost all the same, and the next one asks without the name.
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

/** Opens a pool; connections run in UTC and give up on a lock after ten seconds. */
export function openDatabase(connectionString: string, size = 10): DatabaseHandle {
  const options = { connectionString, options: '-c timezone=UTC -c lock_timeout=10s', application_name: 'gatehouse' }
  const pool = new pg.Pool({ ...options, max: size, Client: Connection })
  // A lost idle connection is replaced by the pool; without a listener the process would end.
  pool.on('error', () => {})
  // The same for one that is cut off while it is in use: whoever uses it hears of it.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
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

/** A moment as PostgreSQL takes it. */
export const timestamp = (epochMs: number): Date => new Date(epochMs)

/** A column is one of these ids, however many: one parameter. `where('id', '=', oneOf(ids))` */
export const oneOf = (ids: readonly string[]) => sql<string>`ANY(${sql.val(ids)}::uuid[])`

/** `%term%` with the wildcards of the term itself escaped: a group `A_B` must not match `AxB`. */
export const containing = (term: string): string => `%${literally(term)}%`

/** `term` and nothing else, whatever its characters mean in a pattern. */
export const literally = (term: string): string => term.replace(/[\\%_]/g, '\\$&')

/** Unique constraint that a write ran into, if that is what failed. */
export function violatedConstraint(error: unknown): string | null {
  const known = error as { code?: string; constraint?: string }
  return known.code === '23505' ? (known.constraint ?? '') : null
}

/** Whether something is still named by other rows, and so cannot go. */
export const isReferenced = (error: unknown): boolean => (error as { code?: string }).code === '23503'

/** What a database error means for the caller; null where it is a fault of ours. */
export function requestErrorOf(error: unknown): Error | null {
  const { code } = error as { code?: unknown }
  if (code === '22P02') return new NotFound()
  if (typeof code === 'string' && code.startsWith('22')) return new InvalidRequest([{ path: '', rule: 'invalid' }])
  return null
}

export { sql }
