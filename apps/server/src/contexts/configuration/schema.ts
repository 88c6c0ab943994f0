/** Tables of the settings of terminals. */
import type { Json } from '../../platform/database/json.ts'
import { sql } from 'kysely'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    deviceSetting: {
      /** `device`: of one device; `park`: its defaults; `display`: what its terminals show; `template`. */
      kind: string
      /** Name of a template; null for other kinds. */
      name: string | null
      /** Only the fields that are set. */
      settings: Json<unknown>
      /** Encrypted: console password and wireless network. */
      secrets: Buffer | null
      /** Names of the secrets that are set. */
      secretNames: Json<unknown>
      /** Changes with each change of the secrets; empty if there are none. */
      secretsRevision: string
    }
    deviceSettingFile: {
      /** Also its id in the storage. */
      id: string
    }
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
