/** Tables of accounts, roles and tokens. */
import { sql } from 'kysely'
import type { Language } from '@gatehouse/contract'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { codesMigration } from './codes-migration.ts'
import { editCodesMigration } from './edit-codes-migration.ts'
import { installationCodesMigration } from './installation-codes-migration.ts'
import { confirmationMigration } from './confirmation-migration.ts'
import { loginFailureMigration } from './login-failure-migration.ts'
import { LOGIN_KEY, loginKeyMigration } from './login-key-migration.ts'
import { ownMigration } from './own-migration.ts'
import { ID_CARD, personalNumbersMigration } from './personal-numbers-migration.ts'
import { readyRolesMigration } from './ready-roles-migration.ts'
import { screenLinksMigration } from './screen-links-migration.ts'
import { sessionEndMigration } from './session-end-migration.ts'
import { lostAnswerMigration, unreadColumnsMigration } from './lost-answer-migration.ts'
import { secondFactorMigration } from './second-factor-migration.ts'
import { usersMigration } from './users-migration.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    userAccount: {
      /** Additional name of an administrator; empty: none. */
      administratorName: string
      /** Encrypted; null: none. */
      telephoneSealed: Buffer | null
      /** Language of the last login, used for messages to the user; null: unknown. */
      language: Language | null
      /** ID card, encrypted; null: none. */
      idCardSealed: Buffer | null
      /** Whether another user set the password: the login requires a new one. */
      mustChange: boolean
    }
    role: {
      /** Null: the root. */
      organisationId: string | null
      /** Empty: every device. */
      deviceGroupIds: string[]
      /** Key of a ready role, which every installation has; null: somebody made the role. */
      ready: ReadyRoleKey | null
    }
    token: {
      /** Exactly one of `userId` and `clientId` is set. */
      userId: string | null
      /** Whether the tokens of the last refresh have been used. Until then its answer may have been lost. */
      pairUsed: boolean
      /** Time until which the session counts as confirmed by its user's password. */
      confirmedUntil: number | null
    }
  }
}

export const identityMigrations: ContextMigration[] = [
  {
    name: '20261120T1802-identity-initial',
    async up(db) {
      await sql`CREATE TABLE user_account (
        id uuid PRIMARY KEY, account text NOT NULL, real_name text NOT NULL, email text NOT NULL, id_card text NOT NULL,
        telephone text NOT NULL,
        password_hash text NOT NULL, organisation_id uuid NOT NULL, enabled boolean NOT NULL, masking boolean NOT NULL DEFAULT false,
        failures integer NOT NULL DEFAULT 0, locked_until timestamptz(3), expires_at timestamptz(3), password_expires_at timestamptz(3),
        last_park_id uuid, last_login_at timestamptz(3),
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`CREATE UNIQUE INDEX user_account_name ON user_account (lower(account))`.execute(db)
      await sql`CREATE TABLE role (
        id uuid PRIMARY KEY, name text NOT NULL CONSTRAINT role_name UNIQUE, role_sign text NOT NULL, permissions text[] NOT NULL,
        created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE TABLE user_role (
        user_id uuid REFERENCES user_account (id) ON DELETE CASCADE, role_id uuid REFERENCES role (id), 
        PRIMARY KEY (user_id, role_id))`.execute(db)
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
        password_hash: 'secret',
        organisation_id: 'none',
        enabled: 'none',
        masking: 'none',
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
  {
    name: '20261121T0420-identity-complete',
    async up(db) {
      await sql`ALTER TABLE user_account
        ADD COLUMN id_card_sealed bytea, ADD COLUMN password_validity text NOT NULL DEFAULT 'forever',
        ADD COLUMN password_changed_at timestamptz(3) NOT NULL DEFAULT now(),
        ADD COLUMN must_change boolean NOT NULL DEFAULT false`.execute(db)
      await sql`CREATE INDEX user_account_organisation ON user_account (organisation_id)`.execute(db)
      await sql`ALTER TABLE role
        ADD COLUMN role_label smallint NOT NULL DEFAULT 2, ADD COLUMN organisation_id uuid, ADD COLUMN remark text NOT NULL DEFAULT '',
        ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(), ADD COLUMN version integer NOT NULL DEFAULT 1`.execute(db)
      await sql`UPDATE role SET role_label = 1 WHERE role_sign = 'admin'`.execute(db)
      await sql`CREATE INDEX user_role_role ON user_role (role_id)`.execute(db)
      await sql`CREATE TABLE api_client (
        id uuid PRIMARY KEY, name text NOT NULL CONSTRAINT api_client_name UNIQUE, api_key text NOT NULL CONSTRAINT api_client_key UNIQUE,
        secret_hash bytea NOT NULL, purpose text NOT NULL, permissions text[] NOT NULL, organisation_id uuid NOT NULL,
        enabled boolean NOT NULL,
        access_seconds integer NOT NULL, refresh_seconds integer NOT NULL, masking boolean NOT NULL DEFAULT false,
        last_used_at timestamptz(3),
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`ALTER TABLE token
        ALTER COLUMN user_id DROP NOT NULL, ADD COLUMN client_id uuid REFERENCES api_client (id) ON DELETE CASCADE,
        ADD COLUMN ip text NOT NULL DEFAULT '', ADD COLUMN agent text NOT NULL DEFAULT '',
        ADD COLUMN seen_at timestamptz(3) NOT NULL DEFAULT now(),
        ADD COLUMN access_seconds integer NOT NULL DEFAULT 7200,
        ADD CONSTRAINT token_owner CHECK ((user_id IS NULL) <> (client_id IS NULL))`.execute(db)
      await sql`CREATE INDEX token_user ON token (user_id)`.execute(db)
      await sql`CREATE INDEX token_client ON token (client_id)`.execute(db)
    },
    columns: {
      user_account: { id_card_sealed: 'personal', password_validity: 'none', password_changed_at: 'none', must_change: 'none' },
      role: { role_label: 'none', organisation_id: 'none', remark: 'none', updated_at: 'none', version: 'none' },
      api_client: {
        id: 'none',
        name: 'none',
        api_key: 'none',
        secret_hash: 'secret',
        purpose: 'none',
        permissions: 'none',
        organisation_id: 'none',
        enabled: 'none',
        access_seconds: 'none',
        refresh_seconds: 'none',
        masking: 'none',
        last_used_at: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
      token: { client_id: 'none', ip: 'personal', agent: 'personal', seen_at: 'none', access_seconds: 'none' },
    },
  },
  ownMigration,
  usersMigration,
  codesMigration,
  installationCodesMigration,
  confirmationMigration,
  loginKeyMigration,
  loginFailureMigration,
  sessionEndMigration,
  screenLinksMigration,
  secondFactorMigration,
  lostAnswerMigration,
  unreadColumnsMigration,
  boundMigration('20261127T1250-identity-bound', [ID_CARD, LOGIN_KEY]),
  personalNumbersMigration,
  {
    name: '20261127T1930-identity-role-device-groups',
    async up(db) {
      await sql`ALTER TABLE role ADD COLUMN device_group_ids uuid[] NOT NULL DEFAULT '{}'`.execute(db)
    },
    columns: { role: { device_group_ids: 'none' } },
  },
  editCodesMigration,
  readyRolesMigration,
  {
    name: '20261127T2342-identity-language',
    async up(db) {
      await sql`ALTER TABLE user_account ADD COLUMN language text`.execute(db)
    },
    columns: { user_account: { language: 'none' } },
  },
  {
    name: '20261128T1745-identity-administrator-name',
    async up(db) {
      await sql`ALTER TABLE user_account ADD COLUMN administrator_name text NOT NULL DEFAULT ''`.execute(db)
    },
    columns: { user_account: { administrator_name: 'personal' } },
  },
]
