/**
 * The roles of the built-in database. The cluster is created by a superuser, which only prepares it; the server connects as an ordinary
 * role. That role owns the database and everything in it, because the server runs its own migrations and adds and drops monthly tables.
 * It cannot read files of the machine, run programs, or create roles and databases.
 */
import pg from 'pg'

/** Created by initdb as a superuser; PostgreSQL does not allow to withdraw that. */
export const ADMINISTRATOR_ROLE = 'gatehouse'
/** The role the server connects as. */
export const APPLICATION_ROLE = 'gatehouse_application'
export const DATABASE = 'gatehouse'

const IS_PART_OF_EXTENSION = (catalog: string, alias: string) =>
  `EXISTS (SELECT FROM pg_depend WHERE classid = '${catalog}'::regclass AND objid = ${alias}.oid AND deptype = 'e')`

/**
 * Query whose rows are statements that transfer what the administrator still owns in a database of an earlier release. REASSIGN OWNED
 * does not work for the role that initdb created.
 */
const HAND_OVER = `
  SELECT format('ALTER SCHEMA %I OWNER TO ${APPLICATION_ROLE}', nspname) AS statement
    FROM pg_namespace one WHERE nspowner = current_user::regrole AND oid >= 16384 AND nspname NOT LIKE 'pg\\_%'
      AND NOT ${IS_PART_OF_EXTENSION('pg_namespace', 'one')}
  UNION ALL
  SELECT format('ALTER %s %s OWNER TO ${APPLICATION_ROLE}',
      CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass)
    FROM pg_class one WHERE relowner = current_user::regrole AND oid >= 16384 AND relkind IN ('r', 'p', 'v', 'm', 'S')
      AND relnamespace::regnamespace::text NOT LIKE 'pg\\_%' AND NOT ${IS_PART_OF_EXTENSION('pg_class', 'one')}
      -- A sequence of a column follows its table.
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = one.oid
        AND deptype IN ('a', 'i') AND relkind = 'S')
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO ${APPLICATION_ROLE}', oid::regtype)
    FROM pg_type one WHERE typowner = current_user::regrole AND oid >= 16384 AND typtype IN ('e', 'd', 'r')
      AND NOT ${IS_PART_OF_EXTENSION('pg_type', 'one')}
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO ${APPLICATION_ROLE}', oid::regprocedure)
    FROM pg_proc one WHERE proowner = current_user::regrole AND oid >= 16384 AND NOT ${IS_PART_OF_EXTENSION('pg_proc', 'one')}`

async function connected<Result>(address: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Create the server's role and its database where they are missing, and transfer to the role what the administrator owns since an earlier
 * release. Can be repeated at every start.
 * @param addressOf address of a database, for the administrator
 * @param password of the server's role from now on
 */
export async function prepareRoles(addressOf: (database: string) => string, password: string): Promise<void> {
  await connected(addressOf('postgres'), async (client) => {
    const found = async (statement: string, name: string): Promise<boolean> => (await client.query(statement, [name])).rowCount === 1
    if (!(await found('SELECT FROM pg_roles WHERE rolname = $1', APPLICATION_ROLE))) await client.query(`CREATE ROLE ${APPLICATION_ROLE}`)
    await client.query(
      `ALTER ROLE ${APPLICATION_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
        PASSWORD ${client.escapeLiteral(password)}`,
    )
    // After an erasure the server asks for a checkpoint, so that the log with the old values can be reused.
    await client.query(`GRANT pg_checkpoint TO ${APPLICATION_ROLE}`)
    const isThere = await found('SELECT FROM pg_database WHERE datname = $1', DATABASE)
    await client.query(
      isThere ? `ALTER DATABASE ${DATABASE} OWNER TO ${APPLICATION_ROLE}` : `CREATE DATABASE ${DATABASE} OWNER ${APPLICATION_ROLE}`,
    )
  })
  await connected(addressOf(DATABASE), async (client) => {
    await client.query('BEGIN')
    const { rows } = await client.query<{ statement: string }>(HAND_OVER)
    for (const { statement } of rows) await client.query(statement)
    await client.query('COMMIT')
  })
}
