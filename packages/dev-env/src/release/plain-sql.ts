/** What only psql understands: the commands around the text of newer releases of pg_dump. */
const PSQL_COMMAND = /^\\(?:un)?restrict .*\n/gm
/** Unknown to PostgreSQL below 17, and of no use to a dump. */
const NEW_SETTING = /^SET transaction_timeout = 0;\n/gm

/** Return the text of pg_dump as SQL that a driver can run, on PostgreSQL 15 too. */
export const plainSql = (dump: string): string => dump.replaceAll(PSQL_COMMAND, '').replaceAll(NEW_SETTING, '')
