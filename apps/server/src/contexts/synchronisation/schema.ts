/**
 * Tables of the synchronisation: the latest changes of each audience, and the report of each device. They grow with
 * devices and failures, not with persons × devices.
 */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    syncAudience: {
      /** Devices behind this number compare digests. */
      compareSeq: number
    }
    /** The latest change of a person within an audience; the register says whether the person belongs to it now. */
    syncChange: {}
    /** What a device last reported. */
    syncDevice: {
      /** Number of persons without a photo among the exceptions it last reported. */
      photoMissing: number
      /** Since when the device belongs to the audience it should have, or was last requested again. */
      assignedAt: number
      /** Whether the device reports erasures; `erasureId` is the newest it has carried out. */
      tellsErasures: boolean
    }
    /** Erasures for devices, numbered within a park. They are kept, since a device may be offline for any length of time. */
    syncErasure: {}
    /** Settings that were sent, by the name that records cite; they contain no names. */
    settingsPart: {}
  }
}

export const synchronisationMigrations: ContextMigration[] = [
  {
    name: '20261120T2130-access-synchronisation',
    async up(db) {
      await sql`CREATE TABLE sync_audience (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, strategy_ids uuid[] NOT NULL, head bigint NOT NULL, compare_seq bigint NOT NULL,
        digest bytea NOT NULL, updated_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX sync_audience_park ON sync_audience (park_id)`.execute(db)
      await sql`CREATE TABLE sync_change (
        audience_id uuid NOT NULL REFERENCES sync_audience (id) ON DELETE CASCADE, person_id uuid NOT NULL, seq bigint NOT NULL,
        changed_at timestamptz(3) NOT NULL, PRIMARY KEY (audience_id, person_id))`.execute(db)
      await sql`CREATE INDEX sync_change_seq ON sync_change (audience_id, seq)`.execute(db)
      await sql`CREATE TABLE sync_device (
        device_id uuid PRIMARY KEY, park_id uuid NOT NULL, audience_id uuid, cursor bigint NOT NULL DEFAULT 0,
        digest text NOT NULL DEFAULT '',
        revision text NOT NULL DEFAULT '', persons integer NOT NULL DEFAULT 0, failed integer NOT NULL DEFAULT 0,
        held_at timestamptz(3), assigned_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX sync_device_park ON sync_device (park_id)`.execute(db)
      await sql`CREATE TABLE sync_exception (
        device_id uuid NOT NULL, person_id uuid NOT NULL, park_id uuid NOT NULL, version text NOT NULL, reason text NOT NULL,
        cursor bigint NOT NULL, since timestamptz(3) NOT NULL, PRIMARY KEY (device_id, person_id))`.execute(db)
      await sql`CREATE INDEX sync_exception_person ON sync_exception (park_id, person_id)`.execute(db)
      await sql`CREATE TABLE settings_part (
        park_id uuid NOT NULL, part text NOT NULL, content jsonb NOT NULL, created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (park_id, part))`.execute(db)
    },
    columns: {
      sync_audience: {
        id: 'none',
        park_id: 'none',
        strategy_ids: 'none',
        head: 'none',
        compare_seq: 'none',
        digest: 'none',
        updated_at: 'none',
      },
      sync_change: { audience_id: 'none', person_id: 'none', seq: 'none', changed_at: 'none' },
      sync_device: {
        device_id: 'none',
        park_id: 'none',
        audience_id: 'none',
        cursor: 'none',
        digest: 'none',
        revision: 'none',
        persons: 'none',
        failed: 'none',
        held_at: 'none',
        assigned_at: 'none',
      },
      sync_exception: {
        device_id: 'none',
        person_id: 'none',
        park_id: 'none',
        version: 'none',
        reason: 'none',
        cursor: 'none',
        since: 'none',
      },
      settings_part: { park_id: 'none', part: 'none', content: 'none', created_at: 'none' },
    },
  },
  {
    name: '20261123T1700-access-told-erasures',
    async up(db) {
      await sql`CREATE TABLE sync_erasure (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, seq bigint NOT NULL, person_id uuid NOT NULL, noted_at timestamptz(3) NOT NULL,
        UNIQUE (park_id, seq), UNIQUE (park_id, person_id))`.execute(db)
      await sql`ALTER TABLE sync_device ADD COLUMN tells_erasures boolean NOT NULL DEFAULT false, ADD COLUMN erasure_id uuid`.execute(db)
    },
    columns: {
      sync_erasure: { id: 'none', park_id: 'none', seq: 'none', person_id: 'none', noted_at: 'none' },
      sync_device: { tells_erasures: 'none', erasure_id: 'none' },
    },
  },
  {
    name: '20261127T2342-access-photo-missing',
    async up(db) {
      await sql`ALTER TABLE sync_device ADD COLUMN photo_missing integer NOT NULL DEFAULT 0`.execute(db)
      await sql`UPDATE sync_device SET photo_missing = missing.persons
        FROM (SELECT device_id, count(*) AS persons FROM sync_exception WHERE reason = 'noFace' GROUP BY 1) AS missing
        WHERE missing.device_id = sync_device.device_id`.execute(db)
    },
    columns: { sync_device: { photo_missing: 'none' } },
  },
]
