/** Forward-only migrations of each context, run in the order of their names. */
import { Migrator } from 'kysely/migration'
import type { Crypto } from '../encryption/crypto.ts'
import { sql, type Database } from './database.ts'
import type { SealedColumn } from '../encryption/sealed-column.ts'

/** The kind of data in a column; masking, export, erasure and the inventory of personal data are derived from these tags. */
export type ColumnTag = 'personal' | 'biometric' | 'secret' | 'none'
/** Tags of every column of the tables a migration creates: `{ table: { column: tag } }`. */
export type ColumnTags = Record<string, Record<string, ColumnTag>>

export interface ContextMigration {
  /** `<utc>-<context>-<words>`. */
  name: string
  /** @param crypto opens the keys of the installation, for rows to be sealed; call it only if there are any */
  up(db: Database, crypto: () => Promise<Crypto>): Promise<void>
  columns: ColumnTags
  /** Columns whose values are sealed from this migration on, each value bound to its row. */
  sealed?: readonly SealedColumn[]
}

/** Opens the keys within the transaction of the migrations, which may have just created their table. */
export type MigrationKeys = (tx: Database) => Promise<Crypto>

/** For databases without rows, where there is nothing to seal. */
export const noKeys = (): Promise<Crypto> => Promise.reject(new Error('these migrations run without keys, on empty tables'))

/** Bring the schema up to date. Return the names of the migrations that ran. Waiting for a lock fails after three seconds. */
export async function migrate(db: Database, migrations: readonly ContextMigration[], keys: MigrationKeys): Promise<string[]> {
  let opened: Promise<Crypto> | undefined
  const migrator = new Migrator({
    db,
    allowUnorderedMigrations: true,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          migrations.map((migration) => [
            migration.name,
            {
              async up(open: Database) {
                // A migration describes the database as it was then, in PostgreSQL's own names.
                const tx = open.withoutPlugins()
                await sql`SET LOCAL lock_timeout = '3s'`.execute(tx)
                await migration.up(tx, () => (opened ??= keys(open)))
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

/** Return the tags of all columns; later migrations add to earlier ones. */
export function columnTagsOf(migrations: readonly ContextMigration[]): ColumnTags {
  const all: ColumnTags = {}
  for (const { columns } of migrations) for (const [table, tags] of Object.entries(columns)) all[table] = { ...all[table], ...tags }
  return all
}
