/** Tables of what terminals are set to. */
import { sql } from 'kysely'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

export interface ConfigurationTables {
  device_setting: {
    id: string
    park_id: string
    /** `device`: of one device; `park`: its defaults; `display`: what its terminals show; `template`. */
    kind: string
    device_id: string | null
    /** Of a template. */
    name: string | null
    type: number | null
    model: number | null
    /** Fields that are set, and no others. */
    settings: unknown
    /** Encrypted: console password and wireless network. */
    secrets: Buffer | null
    /** Names of the secrets there are. */
    secret_names: unknown
    /** Another one with each change of them; empty without any. */
    secrets_revision: string
    created_at: Date | number
    updated_at: Date | number
    version: number
  }
  device_setting_file: {
    /** Also its id in the storage. */
    id: string
    park_id: string
    kind: string
    size: number
    created_at: Date | number
  }
}

export const SETTING_SECRETS: SealedColumn = { table: 'device_setting', column: 'secrets', park: 'park_id', key: ['id'] }

export const configurationMigrations: ContextMigration[] = [
  {
    name: '20261122T1231-configuration-initial',
    async up(db) {
      await sql`CREATE TABLE device_setting (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, kind text NOT NULL, device_id uuid, name text, type smallint, model smallint,
        settings jsonb NOT NULL, secrets bytea, secret_names jsonb NOT NULL DEFAULT '[]', secrets_revision text NOT NULL DEFAULT '',
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`CREATE UNIQUE INDEX device_setting_device ON device_setting (device_id)`.execute(db)
      await sql`CREATE UNIQUE INDEX device_setting_park ON device_setting (park_id, kind) WHERE kind IN ('park', 'display')`.execute(db)
      await sql`CREATE UNIQUE INDEX device_setting_template ON device_setting (park_id, lower(name)) WHERE kind = 'template'`.execute(db)
      await sql`CREATE INDEX device_setting_of_park ON device_setting (park_id)`.execute(db)
      await sql`CREATE TABLE device_setting_file (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, kind text NOT NULL, size integer NOT NULL, created_at timestamptz(3) NOT NULL)`.execute(
        db,
      )
      await sql`CREATE INDEX device_setting_file_of_park ON device_setting_file (park_id, created_at)`.execute(db)
    },
    columns: {
      device_setting: {
        id: 'none',
        park_id: 'none',
        kind: 'none',
        device_id: 'none',
        name: 'none',
        type: 'none',
        model: 'none',
        settings: 'none',
        secrets: 'secret',
        secret_names: 'none',
        secrets_revision: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
      device_setting_file: { id: 'none', park_id: 'none', kind: 'none', size: 'none', created_at: 'none' },
    },
  },
  boundMigration('20261127T1250-configuration-bound', [SETTING_SECRETS]),
]
