/** The notice about the database that the server prints at its start. */
import type { Config } from './config.ts'
import { sql, type Database } from './platform/database/database.ts'
import { findPostgresPrograms } from './platform/postgres/programs.ts'

/**
 * Return its lines; empty for an external database that the server uses with an ordinary role, and for a bundled one that is a full
 * release.
 */
export async function databaseNotice({ databaseUrl }: Pick<Config, 'databaseUrl'>, db: Database): Promise<string[]> {
  if (databaseUrl === null) {
    const { version } = findPostgresPrograms()
    if (!version.includes('-')) return []
    return [
      `The bundled database is a pre-release package (PostgreSQL ${version}). For real use name a PostgreSQL of your own in DATABASE_URL:`,
      'docs/operations/deployment.md says how.',
    ]
  }
  const { rows } = await sql<{ isSuperuser: boolean }>`SELECT rolsuper AS "isSuperuser" FROM pg_roles WHERE rolname = current_user`.execute(
    db,
  )
  if (rows[0]?.isSuperuser !== true) return []
  return [
    'The role in DATABASE_URL is a superuser of its database server: a fault in Gatehouse could reach files and programs of that machine.',
    'Give it a role of its own that is none: docs/operations/deployment.md says how.',
  ]
}
