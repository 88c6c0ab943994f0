/** Tables of devices and their groups. */
import type { Json } from '../../platform/database/json.ts'
import { sql } from 'kysely'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'
import type { DeviceSignIn } from '../../platform/session/session.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    device: {
      /** SHA-256 of the pairing secret, which is made of 24 random bytes and needs no slow hash. */
      secretHash: Buffer
      /** When an unused secret ends; null once a terminal has paired with it, and while there is no secret. */
      secretUntil: number | null
      /** Values of `deviceAuthorisationStatus`. */
      authorisation: number
      /** Since when the device is connected; null while it is not. */
      onlineSince: number | null
      /** Encrypted, as `device_password`. */
      password: Buffer | null
      /** Since when the device is released; null: not yet, or not since its newest secret. */
      releasedAt: number | null
      /** Name of the user who released it. */
      releasedBy: string
      /** Who made its newest secret, a user or an API user; null if nobody has, or it was made before this was stored. */
      pairedBy: string | null
      /** As in the logs: `local` or `thirdParty`. */
      pairedBySource: string
      /** When it was first sent persons with its newest secret. */
      firstFetchAt: number | null
      /** Number of these persons; null, too, if they were sent before this was stored. */
      firstFetchPersons: number | null
      /** How it last signed in; null: it has not yet, or did so before this was stored. */
      signedInBy: DeviceSignIn | null
      /** What the device reports of itself, as JSON: `deviceFacts` of the protocol. */
      facts: Json<unknown>
    }
    /**
     * Deleted devices that may still connect and have to be notified. Without a park, which may be deleted, too.
     */
    deviceRemoval: {}
  }
}

/** Password of the account on the device, which cameras have. */
export const DEVICE_USER_PASSWORD: SealedColumn = { table: 'device', column: 'password', park: 'park_id', key: ['id'] }
export const DEVICE_PASSWORD: SealedColumn = { table: 'device', column: 'device_password', park: 'park_id', key: ['id'] }

export const devicesMigrations: ContextMigration[] = [
  {
    name: '20261120T1805-devices-initial',
    async up(db) {
      await sql`CREATE TABLE device_group (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL, parent_id uuid REFERENCES device_group (id),
        created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX device_group_name ON device_group (park_id, coalesce(parent_id, park_id), lower(name))`.execute(db)
      await sql`CREATE TABLE device (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, code text NOT NULL, name text NOT NULL, type smallint NOT NULL, model smallint NOT NULL,
        group_id uuid REFERENCES device_group (id), direction smallint NOT NULL, secret_hash bytea NOT NULL,
        online boolean NOT NULL DEFAULT false, paired boolean NOT NULL DEFAULT false, last_seen_at timestamptz(3),
        ip text NOT NULL DEFAULT '',
        firmware_version text NOT NULL DEFAULT '', model_id text NOT NULL DEFAULT '',
        held_revision text NOT NULL DEFAULT '', held_persons integer NOT NULL DEFAULT 0, desired_persons integer NOT NULL DEFAULT 0,
        failed_persons jsonb NOT NULL DEFAULT '[]',
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      // Codes are unique within the installation (AMBIGUITIES 67), names within the park.
      await sql`CREATE UNIQUE INDEX device_code ON device (lower(code))`.execute(db)
      await sql`CREATE UNIQUE INDEX device_name ON device (park_id, lower(name))`.execute(db)
      await sql`CREATE INDEX device_group_id ON device (group_id)`.execute(db)
      await sql`CREATE INDEX device_newest ON device (park_id, created_at DESC, id DESC)`.execute(db)
    },
    columns: {
      device_group: { id: 'none', park_id: 'none', name: 'none', parent_id: 'none', created_at: 'none' },
      device: {
        id: 'none',
        park_id: 'none',
        code: 'none',
        name: 'none',
        type: 'none',
        model: 'none',
        group_id: 'none',
        direction: 'none',
        secret_hash: 'secret',
        online: 'none',
        last_seen_at: 'none',
        ip: 'none',
        firmware_version: 'none',
        model_id: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
    },
  },
  {
    // The synchronisation stores what a device reports, since it knows what the device should store.
    name: '20261120T2131-devices-holdings',
    async up(db) {
      await sql`ALTER TABLE device DROP COLUMN held_revision, DROP COLUMN held_persons, DROP COLUMN desired_persons,
        DROP COLUMN failed_persons`.execute(db)
    },
    columns: {},
  },
  {
    name: '20261122T1000-devices-facts',
    async up(db) {
      await sql`ALTER TABLE device ADD COLUMN facts jsonb NOT NULL DEFAULT '{}'`.execute(db)
    },
    columns: { device: { facts: 'none' } },
  },
  {
    name: '20261122T1201-devices-register',
    async up(db) {
      await sql`ALTER TABLE device
        ADD COLUMN authorisation smallint NOT NULL DEFAULT 2, ADD COLUMN secret_until timestamptz(3), ADD COLUMN port integer,
        ADD COLUMN user_name text NOT NULL DEFAULT '', ADD COLUMN password bytea, ADD COLUMN access_type smallint,
        ADD COLUMN relay_mac text NOT NULL DEFAULT '', ADD COLUMN lock_macs text[] NOT NULL DEFAULT '{}', ADD COLUMN device_password bytea,
        ADD COLUMN digital_code text, ADD COLUMN open_door_confirm boolean NOT NULL DEFAULT false,
        ADD COLUMN channel_count smallint NOT NULL DEFAULT 1, ADD COLUMN supports_video boolean NOT NULL DEFAULT false`.execute(db)
      await sql`UPDATE device SET authorisation = 1 WHERE paired`.execute(db)
      await sql`UPDATE device SET secret_until = now() + interval '7 days' WHERE NOT paired`.execute(db)
      await sql`ALTER TABLE device DROP COLUMN paired`.execute(db)
      await sql`CREATE UNIQUE INDEX device_digital_code ON device (digital_code)`.execute(db)
      await sql`CREATE INDEX device_secret_until ON device (secret_until) WHERE authorisation = 2`.execute(db)
      await sql`ALTER TABLE device_group ADD COLUMN default_direction smallint`.execute(db)
    },
    columns: {
      device: {
        authorisation: 'none',
        secret_until: 'none',
        port: 'none',
        user_name: 'none',
        password: 'secret',
        access_type: 'none',
        relay_mac: 'none',
        lock_macs: 'none',
        device_password: 'secret',
        digital_code: 'none',
        open_door_confirm: 'none',
        channel_count: 'none',
        supports_video: 'none',
      },
      device_group: { default_direction: 'none' },
    },
  },
  {
    name: '20261123T1715-devices-removal',
    async up(db) {
      await sql`CREATE TABLE device_removal (device_id uuid PRIMARY KEY, code text NOT NULL, secret_hash bytea NOT NULL,
        removed_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX device_removal_code ON device_removal (lower(code))`.execute(db)
    },
    columns: { device_removal: { device_id: 'none', code: 'none', secret_hash: 'secret', removed_at: 'none' } },
  },
  {
    // Existing devices were added when no release was required.
    name: '20261126T1810-devices-release',
    async up(db) {
      await sql`ALTER TABLE device
        ADD COLUMN released_at timestamptz(3), ADD COLUMN released_by text NOT NULL DEFAULT '',
        ADD COLUMN paired_by uuid, ADD COLUMN paired_by_account text NOT NULL DEFAULT '',
        ADD COLUMN paired_by_operator text NOT NULL DEFAULT '',
        ADD COLUMN paired_by_source text NOT NULL DEFAULT 'local',
        ADD COLUMN first_fetch_at timestamptz(3), ADD COLUMN first_fetch_persons integer`.execute(db)
      await sql`UPDATE device SET released_at = now()`.execute(db)
      await sql`UPDATE device SET first_fetch_at = now() WHERE authorisation = 1`.execute(db)
    },
    columns: {
      device: {
        released_at: 'none',
        released_by: 'personal',
        paired_by: 'none',
        paired_by_account: 'personal',
        paired_by_operator: 'personal',
        paired_by_source: 'none',
        first_fetch_at: 'none',
        first_fetch_persons: 'none',
      },
    },
  },
  {
    // Devices that paired before had no other way to sign in.
    name: '20261126T2045-devices-sign-in',
    async up(db) {
      await sql`ALTER TABLE device ADD COLUMN signed_in_by text`.execute(db)
      await sql`UPDATE device SET signed_in_by = 'secret' WHERE authorisation = 1`.execute(db)
    },
    columns: { device: { signed_in_by: 'none' } },
  },
  boundMigration('20261127T1250-devices-bound', [DEVICE_USER_PASSWORD, DEVICE_PASSWORD]),
  {
    // A start marks every device offline, so that no device is online without this value.
    name: '20261127T2342-devices-online-since',
    async up(db) {
      await sql`ALTER TABLE device ADD COLUMN online_since timestamptz(3)`.execute(db)
    },
    columns: { device: { online_since: 'none' } },
  },
  {
    name: '20261130T1830-devices-numbered',
    async up(db) {
      await sql`CREATE TABLE device_numbered (
        device_id uuid NOT NULL, kind text NOT NULL, epoch text NOT NULL, park_id uuid NOT NULL, ack_seq bigint NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (device_id, kind, epoch))`.execute(db)
      await sql`CREATE INDEX device_numbered_park ON device_numbered (park_id)`.execute(db)
    },
    columns: {
      device_numbered: { device_id: 'none', kind: 'none', epoch: 'none', park_id: 'none', ack_seq: 'none', updated_at: 'none' },
    },
  },
]
