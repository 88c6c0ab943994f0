/** Tables of the organisation tree. */
import { sql } from 'kysely'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    organisation: {
      /** Function modules that are off, at this node and all below. */
      modulesOff: string[]
      /** Parks only. Anyone who knows it may apply for a link to the park. */
      verificationCode: string | null
    }
    deviceLimit: {
      /** Null: devices of every type together. */
      deviceType: number | null
    }
  }
}

/** Sealed under the key of the setting's owner: a park, or else the organisation itself. */
export const SETTING_SECRETS: SealedColumn = { table: 'setting', column: 'secrets', park: 'owner_id', key: ['owner_id', 'name'] }

export const organisationMigrations: ContextMigration[] = [
  {
    name: '20261120T1801-organisation-initial',
    async up(db) {
      await sql`CREATE TABLE organisation (
        id uuid PRIMARY KEY,
        area_code text NOT NULL CONSTRAINT organisation_area_code UNIQUE,
        name text NOT NULL,
        code text NOT NULL,
        type smallint NOT NULL,
        park_type smallint,
        parent_id uuid REFERENCES organisation (id),
        zone text NOT NULL,
        show_customer_manager boolean NOT NULL DEFAULT false,
        staff_face_register boolean NOT NULL DEFAULT false,
        customer_face_register boolean NOT NULL DEFAULT false,
        demo_done integer,
        demo_total integer,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        version integer NOT NULL DEFAULT 1)`.execute(db)
    },
    columns: {
      organisation: {
        id: 'none',
        area_code: 'none',
        name: 'none',
        code: 'none',
        type: 'none',
        park_type: 'none',
        parent_id: 'none',
        zone: 'none',
        show_customer_manager: 'none',
        staff_face_register: 'none',
        customer_face_register: 'none',
        demo_done: 'none',
        demo_total: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
    },
  },
  {
    name: '20261121T0421-organisation-settings',
    async up(db) {
      await sql`ALTER TABLE organisation ADD COLUMN modules_off text[] NOT NULL DEFAULT '{}'`.execute(db)
      await sql`CREATE INDEX organisation_parent ON organisation (parent_id)`.execute(db)
      await sql`CREATE TABLE setting (
        owner_id uuid NOT NULL, name text NOT NULL, value jsonb NOT NULL, secrets bytea, version integer NOT NULL,
        updated_at timestamptz(3) NOT NULL, PRIMARY KEY (owner_id, name))`.execute(db)
    },
    columns: {
      organisation: { modules_off: 'none' },
      setting: { owner_id: 'none', name: 'none', value: 'none', secrets: 'secret', version: 'none', updated_at: 'none' },
    },
  },
  {
    name: '20261121T0427-organisation-codes-limits',
    async up(db) {
      await sql`ALTER TABLE organisation ADD COLUMN verification_code text CONSTRAINT organisation_verification_code UNIQUE`.execute(db)
      // Version 4 UUIDs are random except in the third block; the ten digits are taken before it.
      await sql`UPDATE organisation SET verification_code = upper(left(replace(gen_random_uuid()::text, '-', ''), 10))
        WHERE type = 300`.execute(db)
      // Never used twice: other systems know parks by it.
      await sql`CREATE SEQUENCE organisation_area_number START 100100`.execute(db)
      await sql`CREATE TABLE device_limit (
        id uuid PRIMARY KEY, organisation_id uuid NOT NULL REFERENCES organisation (id) ON DELETE CASCADE, device_type smallint,
        most integer NOT NULL,
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`CREATE UNIQUE INDEX device_limit_type ON device_limit (organisation_id, coalesce(device_type, 0))`.execute(db)
    },
    columns: {
      organisation: { verification_code: 'secret' },
      device_limit: {
        id: 'none',
        organisation_id: 'none',
        device_type: 'none',
        most: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
    },
  },
  boundMigration('20261127T1250-organisation-bound', [SETTING_SECRETS]),
]
