/** Tables of this context. */
import type { ResourceKind } from '@gatehouse/contract/maintenance/resources'
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** Periods in which a device was away; `until` null while it is. */
    deviceAbsence: {}
    /** Requested logs. */
    deviceLog: {
      /** Name of the device at the time of the request. */
      deviceName: string
      /** Of the enum `exportStatus`. */
      status: number
      /** When the device was asked last. */
      askedAt: number | null
    }
    /** Usage a device reported last, in percent. */
    deviceResource: {}
    /** Alerts of a device's resources; `alarms` decides what becomes of them. */
    deviceResourceAlert: {
      kind: ResourceKind
      /** Value of the enum `alarmHandlingStatusAlt`. */
      status: 0 | 1 | 2 | 3
    }
  }
}

export const maintenanceMigrations: ContextMigration[] = [
  {
    name: '20261122T1225-maintenance-initial',
    async up(db) {
      await sql`CREATE TABLE device_absence (id uuid PRIMARY KEY, park_id uuid NOT NULL, device_id uuid NOT NULL,
        since timestamptz(3) NOT NULL, until timestamptz(3))`.execute(db)
      // A loss reported twice is one entry, and a device that is away cannot be lost again.
      await sql`CREATE UNIQUE INDEX device_absence_once ON device_absence (device_id, since)`.execute(db)
      await sql`CREATE UNIQUE INDEX device_absence_open ON device_absence (device_id) WHERE until IS NULL`.execute(db)
      await sql`CREATE INDEX device_absence_newest ON device_absence (park_id, since DESC, id DESC)`.execute(db)
      await sql`CREATE TABLE device_log (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, device_id uuid NOT NULL, device_name text NOT NULL, operator text NOT NULL,
        status smallint NOT NULL,
        error_type smallint, requested_at timestamptz(3) NOT NULL, asked_at timestamptz(3), finished_at timestamptz(3), file_id uuid,
        size integer NOT NULL)`.execute(db)
      await sql`CREATE INDEX device_log_newest ON device_log (park_id, requested_at DESC, id DESC)`.execute(db)
      await sql`CREATE UNIQUE INDEX device_log_pending ON device_log (device_id) WHERE status IN (0, 1)`.execute(db)
      await sql`CREATE TABLE device_resource (
        device_id uuid PRIMARY KEY, park_id uuid NOT NULL, cpu real NOT NULL, memory real NOT NULL, disk real NOT NULL,
        at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE TABLE device_resource_alert (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, device_id uuid NOT NULL, kind text NOT NULL, value real NOT NULL,
        threshold smallint NOT NULL,
        raised_at timestamptz(3) NOT NULL, cleared_at timestamptz(3))`.execute(db)
      await sql`CREATE UNIQUE INDEX device_resource_alert_open ON device_resource_alert (device_id, kind) WHERE cleared_at IS NULL`.execute(
        db,
      )
      await sql`CREATE INDEX device_resource_alert_newest ON device_resource_alert (park_id, raised_at DESC, id DESC)`.execute(db)
    },
    columns: {
      device_absence: { id: 'none', park_id: 'none', device_id: 'none', since: 'none', until: 'none' },
      device_log: {
        id: 'none',
        park_id: 'none',
        device_id: 'none',
        device_name: 'none',
        operator: 'personal',
        status: 'none',
        error_type: 'none',
        requested_at: 'none',
        asked_at: 'none',
        finished_at: 'none',
        file_id: 'none',
        size: 'none',
      },
      device_resource: { device_id: 'none', park_id: 'none', cpu: 'none', memory: 'none', disk: 'none', at: 'none' },
      device_resource_alert: {
        id: 'none',
        park_id: 'none',
        device_id: 'none',
        kind: 'none',
        value: 'none',
        threshold: 'none',
        raised_at: 'none',
        cleared_at: 'none',
      },
    },
  },
  {
    name: '20261130T1957-maintenance-alerts-handled',
    async up(db) {
      await sql`ALTER TABLE device_resource_alert
        ADD COLUMN status smallint NOT NULL DEFAULT 0, ADD COLUMN operator text NOT NULL DEFAULT '',
        ADD COLUMN dealing_record text NOT NULL DEFAULT '', ADD COLUMN dealt_at timestamptz(3),
        ADD COLUMN escalated_at timestamptz(3)`.execute(db)
      // What was over before there was a way to handle it is nothing that anybody still has to see to.
      await sql`UPDATE device_resource_alert SET status = 2, dealt_at = cleared_at WHERE cleared_at IS NOT NULL`.execute(db)
      await sql`CREATE INDEX device_resource_alert_unhandled ON device_resource_alert (park_id, raised_at DESC, id DESC)
        WHERE status = 0`.execute(db)
      await sql`CREATE INDEX device_resource_alert_handled ON device_resource_alert (park_id, raised_at) WHERE status <> 0`.execute(db)
    },
    columns: {
      device_resource_alert: {
        status: 'none',
        operator: 'personal',
        dealing_record: 'personal',
        dealt_at: 'none',
        escalated_at: 'none',
      },
    },
  },
]
