/** Tables of this context. */
import type { Json } from '../../platform/database/json.ts'
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** Versions belong to the installation, tasks to a park. */
    appVersion: {
      /** Files of the storage that make up the package, as JSON; all but the last have the same size. */
      pieces: Json<unknown>
      /** Whether the package has a signature that covers exactly its files. */
      signed: boolean
    }
    upgradeTask: {
      /** Null once the version was deleted; the copied columns stay. */
      versionId: string | null
      /** Copied from the version. */
      signed: boolean
      /** Computed from the states of its devices. */
      status: string
      /** Of `UPGRADE_APPROVALS`: whether a second person has to agree, and has. */
      approval: string
      /** User who asked for the task; null for tasks from before this was stored. */
      askedById: string | null
    }
    upgradeDevice: {
      /** Null if no device has the code; the id of a deleted device stays. */
      deviceId: string | null
      /** Until when the device counts as downloading without a further report. */
      leaseUntil: number | null
      /** When a waiting row is checked next. */
      nextLookAt: number
    }
  }
}

export const upgradesMigrations: ContextMigration[] = [
  {
    name: '20261122T1232-upgrades-initial',
    async up(db) {
      await sql`CREATE TABLE app_version (
        id uuid PRIMARY KEY, kind text NOT NULL, apk_name text NOT NULL, version_number text NOT NULL, update_type smallint NOT NULL,
        content text NOT NULL,
        file text NOT NULL, size bigint NOT NULL, md5 text NOT NULL, sha256 text NOT NULL, pieces jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL)`.execute(db)
      // 07 and 7 are the same number.
      await sql`CREATE UNIQUE INDEX app_version_number ON app_version (kind, lower(apk_name), (version_number::numeric))`.execute(db)
      await sql`CREATE INDEX app_version_newest ON app_version (created_at DESC, id DESC)`.execute(db)
      await sql`CREATE TABLE upgrade_task (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, version_id uuid REFERENCES app_version (id) ON DELETE SET NULL, kind text NOT NULL,
        apk_name text NOT NULL,
        version_number text NOT NULL, content text NOT NULL, update_type smallint NOT NULL, md5 text NOT NULL, sha256 text NOT NULL,
        file text NOT NULL, size bigint NOT NULL,
        status text NOT NULL, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX upgrade_task_newest ON upgrade_task (park_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX upgrade_task_version ON upgrade_task (version_id)`.execute(db)
      await sql`CREATE TABLE upgrade_device (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, task_id uuid NOT NULL REFERENCES upgrade_task (id) ON DELETE CASCADE, device_id uuid,
        code text NOT NULL, name text NOT NULL,
        kind text NOT NULL, state text NOT NULL, step text NOT NULL, progress smallint NOT NULL, attempt integer NOT NULL, reason text,
        version_before text NOT NULL,
        started_at timestamptz(3), ended_at timestamptz(3), lease_until timestamptz(3), next_look_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX upgrade_device_task ON upgrade_device (task_id, state)`.execute(db)
      await sql`CREATE INDEX upgrade_device_device ON upgrade_device (device_id, task_id)`.execute(db)
      await sql`CREATE INDEX upgrade_device_waiting ON upgrade_device (next_look_at)
        WHERE state = 'inProgress' AND step = 'waiting'`.execute(db)
      await sql`CREATE INDEX upgrade_device_busy ON upgrade_device (lease_until)
        WHERE state = 'inProgress' AND lease_until IS NOT NULL`.execute(db)
      // One open upgrade of each kind for a device.
      await sql`CREATE UNIQUE INDEX upgrade_device_open ON upgrade_device (device_id, kind) WHERE state = 'inProgress'`.execute(db)
    },
    columns: {
      app_version: {
        id: 'none',
        kind: 'none',
        apk_name: 'none',
        version_number: 'none',
        update_type: 'none',
        content: 'none',
        file: 'none',
        size: 'none',
        md5: 'none',
        sha256: 'none',
        pieces: 'none',
        created_at: 'none',
      },
      upgrade_task: {
        id: 'none',
        park_id: 'none',
        version_id: 'none',
        kind: 'none',
        apk_name: 'none',
        version_number: 'none',
        content: 'none',
        update_type: 'none',
        md5: 'none',
        sha256: 'none',
        file: 'none',
        size: 'none',
        status: 'none',
        created_at: 'none',
      },
      upgrade_device: {
        id: 'none',
        park_id: 'none',
        task_id: 'none',
        device_id: 'none',
        code: 'none',
        name: 'none',
        kind: 'none',
        state: 'none',
        step: 'none',
        progress: 'none',
        attempt: 'none',
        reason: 'none',
        version_before: 'none',
        started_at: 'none',
        ended_at: 'none',
        lease_until: 'none',
        next_look_at: 'none',
      },
    },
  },
  {
    name: '20261126T1812-upgrades-signed-and-approved',
    async up(db) {
      // Existing versions have no signature, and existing tasks no asker.
      await sql`ALTER TABLE app_version ADD COLUMN signed boolean NOT NULL DEFAULT false`.execute(db)
      await sql`ALTER TABLE upgrade_task
        ADD COLUMN signed boolean NOT NULL DEFAULT false, ADD COLUMN approval text NOT NULL DEFAULT 'none', ADD COLUMN asked_by_id uuid,
        ADD COLUMN asked_by text NOT NULL DEFAULT '', ADD COLUMN approved_by text NOT NULL DEFAULT '',
        ADD COLUMN approved_at timestamptz(3)`.execute(db)
      // A device may wait for an approval while another upgrade goes on.
      await sql`DROP INDEX upgrade_device_open`.execute(db)
      await sql`CREATE UNIQUE INDEX upgrade_device_open ON upgrade_device (device_id, kind)
        WHERE state = 'inProgress' AND step <> 'approval'`.execute(db)
    },
    columns: {
      app_version: { signed: 'none' },
      upgrade_task: {
        signed: 'none',
        approval: 'none',
        asked_by_id: 'none',
        asked_by: 'personal',
        approved_by: 'personal',
        approved_at: 'none',
      },
    },
  },
]
