/** Forward-only migrations, each context's own, run in the order of their names. */
import { Migrator } from 'kysely/migration'
import { sql, type AnyDatabase } from './database.ts'

/** What a column holds; masking, export, erasure and the inventory of personal data are made from these. */
export type ColumnTag = 'personal' | 'biometric' | 'secret' | 'none'
/** Tags of every column of the tables a migration makes: `{ table: { column: tag } }`. */
export type ColumnTags = Record<string, Record<string, ColumnTag>>

export interface ContextMigration {
  /** `<utc>-<context>-<words>`. */
  name: string
  up(db: AnyDatabase): Promise<void>
  columns: ColumnTags
}

/** Brings the schema up to date; a lock held by someone else is given up on after three seconds. */
export async function migrate(db: AnyDatabase, migrations: readonly ContextMigration[]): Promise<string[]> {
  const migrator = new Migrator({
    db,
    allowUnorderedMigrations: true,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          migrations.map((migration) => [
            migration.name,
            {
              async up(tx: AnyDatabase) {
                await sql`SET LOCAL lock_timeout = '3s'`.execute(tx)
                await migration.up(tx)
              },
            },
          ]),
        ),
    },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw error instanceof Error ? error : new Error(String(error))
  return (results ?? []).map((result) => result.migrationName)
}

/** Tags of all columns, later migrations adding to earlier ones. */
export function columnTagsOf(migrations: readonly ContextMigration[]): ColumnTags {
  const all: ColumnTags = {}
  for (const { columns } of migrations) for (const [table, tags] of Object.entries(columns)) all[table] = { ...all[table], ...tags }
  return all
}
