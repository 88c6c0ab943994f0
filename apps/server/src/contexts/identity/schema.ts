/** Tables of accounts, roles and tokens. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/migrations.ts'

export interface IdentityTables {
  user_account: {
    id: string
    account: string
    real_name: string
    email: string
    id_card: string
    telephone: string
    password_hash: string
    organisation_id: string
    enabled: boolean
    masking: boolean
    failures: number
    locked_until: Date | number | null
    expires_at: Date | number | null
    password_expires_at: Date | number | null
    last_park_id: string | null
    last_login_at: Date | number | null
    created_at: Date | number
    updated_at: Date | number
    version: number
  }
  role: { id: string; name: string; role_sign: string; permissions: string[]; created_at: Date | number }
  user_role: { user_id: string; role_id: string }
  token: {
    id: string
    user_id: string
    access_hash: Buffer
    refresh_hash: Buffer
    park_id: string
    access_expires_at: Date | number
    refresh_expires_at: Date | number
    revoked: boolean
    created_at: Date | number
  }
}

export const identityMigrations: ContextMigration[] = [
  {
    name: '20261120T1802-identity-initial',
    async up(db) {
      await sql`CREATE TABLE user_account (
        id uuid PRIMARY KEY, account text NOT NULL, real_name text NOT NULL, email text NOT NULL, id_card text NOT NULL, telephone text NOT NULL,
        password_hash text NOT NULL, organisation_id uuid NOT NULL, enabled boolean NOT NULL, masking boolean NOT NULL DEFAULT false,
        failures integer NOT NULL DEFAULT 0, locked_until timestamptz(3), expires_at timestamptz(3), password_expires_at timestamptz(3),
        last_park_id uuid, last_login_at timestamptz(3),
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`CREATE UNIQUE INDEX user_account_name ON user_account (lower(account))`.execute(db)
      await sql`CREATE TABLE role (
        id uuid PRIMARY KEY, name text NOT NULL CONSTRAINT role_name UNIQUE, role_sign text NOT NULL, permissions text[] NOT NULL,
        created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE TABLE user_role (
        user_id uuid REFERENCES user_account (id) ON DELETE CASCADE, role_id uuid REFERENCES role (id), PRIMARY KEY (user_id, role_id))`.execute(db)
      await sql`CREATE TABLE token (
        id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
        access_hash bytea NOT NULL CONSTRAINT token_access UNIQUE, refresh_hash bytea NOT NULL CONSTRAINT token_refresh UNIQUE,
        park_id uuid NOT NULL, access_expires_at timestamptz(3) NOT NULL, refresh_expires_at timestamptz(3) NOT NULL,
        revoked boolean NOT NULL DEFAULT false, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX token_expiry ON token (refresh_expires_at)`.execute(db)
    },
    columns: {
      user_account: {
        id: 'none',
        account: 'personal',
        real_name: 'personal',
        email: 'personal',
        id_card: 'personal',
        telephone: 'personal',
        password_hash: 'secret',
        organisation_id: 'none',
        enabled: 'none',
        masking: 'none',
        failures: 'none',
        locked_until: 'none',
        expires_at: 'none',
        password_expires_at: 'none',
        last_park_id: 'none',
        last_login_at: 'personal',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
      role: { id: 'none', name: 'none', role_sign: 'none', permissions: 'none', created_at: 'none' },
      user_role: { user_id: 'none', role_id: 'none' },
      token: {
        id: 'none',
        user_id: 'none',
        access_hash: 'secret',
        refresh_hash: 'secret',
        park_id: 'none',
        access_expires_at: 'none',
        refresh_expires_at: 'none',
        revoked: 'none',
        created_at: 'none',
      },
    },
  },
]
