/** Forward-only migrations, each context's own, run in the order of their names. */
import { Migrator } from 'kysely/migration'
import type { Crypto } from '../encryption/crypto.ts'
import { sql, type AnyDatabase } from './database.ts'
import type { SealedColumn } from '../encryption/sealed-column.ts'

/** What a column holds; masking, export, erasure and the inventory of personal data are made from these. */
export type ColumnTag = 'personal' | 'biometric' | 'secret' | 'none'
/** Tags of every column of the tables a migration makes: `{ table: { column: tag } }`. */
export type ColumnTags = Record<string, Record<string, ColumnTag>>

export interface ContextMigration {
  /** `<utc>-<context>-<words>`. */
  name: string
  /** @param crypto the keys of the installation, for rows that are to be sealed; ask only where there are any */
  up(db: AnyDatabase, crypto: () => Promise<Crypto>): Promise<void>
  columns: ColumnTags
  /** Columns whose values are sealed from then on, each for its own row. */
  sealed?: readonly SealedColumn[]
}

/** Opens the keys within the transaction of the migrations, which may just have made their table. */
export type MigrationKeys = (tx: AnyDatabase) => Promise<Crypto>

/** For databases without rows: nothing is there to seal. */
export const noKeys = (): Promise<Crypto> => Promise.reject(new Error('these migrations run without keys, on empty tables'))

/** Brings the schema up to date; a lock held by someone else is given up on after three seconds. */
export async function migrate(db: AnyDatabase, migrations: readonly ContextMigration[], keys: MigrationKeys): Promise<string[]> {
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
              async up(tx: AnyDatabase) {
                await sql`SET LOCAL lock_timeout = '3s'`.execute(tx)
                await migration.up(tx, () => (opened ??= keys(tx)))
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
