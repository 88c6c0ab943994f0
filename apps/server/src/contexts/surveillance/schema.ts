/** Tables of monitoring tasks: when they look out, where, and for the people of which groups. */
import type { Period } from '@gatehouse/access-rules'
import type { alarmSound, monitorPrecision, taskEnabled, ValueOf } from '@gatehouse/contract/enums'
import type { COMPARE_RULES } from '@gatehouse/contract/surveillance/tasks'
import { sql } from 'kysely'
import type { Json } from '../../platform/database/json.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    monitoringTask: {
      enabled: ValueOf<typeof taskEnabled>
      periods: Json<Period[]>
      precision: ValueOf<typeof monitorPrecision>
      compareRule: (typeof COMPARE_RULES)[number]
      alarmSound: ValueOf<typeof alarmSound>
    }
  }
}

export const surveillanceMigrations: ContextMigration[] = [
  {
    name: '20261130T1900-surveillance-tasks',
    async up(db) {
      await sql`CREATE TABLE monitoring_task (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL, start_time timestamptz(3) NOT NULL,
        end_time timestamptz(3) NOT NULL, enabled smallint NOT NULL, periods jsonb NOT NULL, precision smallint NOT NULL,
        custom_precision integer, similarity_threshold double precision, compare_rule text NOT NULL,
        low_threshold double precision NOT NULL, high_threshold double precision NOT NULL, stranger_alarm boolean NOT NULL,
        alarm_sound smallint NOT NULL, repeat_seconds integer NOT NULL, created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1,
        CHECK (end_time > start_time))`.execute(db)
      await sql`CREATE UNIQUE INDEX monitoring_task_name ON monitoring_task (park_id, lower(name))`.execute(db)
      await sql`CREATE TABLE monitoring_task_device (
        task_id uuid NOT NULL REFERENCES monitoring_task (id) ON DELETE CASCADE, park_id uuid NOT NULL, device_id uuid NOT NULL,
        PRIMARY KEY (task_id, device_id))`.execute(db)
      await sql`CREATE INDEX monitoring_task_device_park ON monitoring_task_device (park_id, device_id)`.execute(db)
      await sql`CREATE TABLE monitoring_task_group (
        task_id uuid NOT NULL REFERENCES monitoring_task (id) ON DELETE CASCADE, park_id uuid NOT NULL, group_id uuid NOT NULL,
        PRIMARY KEY (task_id, group_id))`.execute(db)
      await sql`CREATE INDEX monitoring_task_group_park ON monitoring_task_group (park_id, group_id)`.execute(db)
    },
    columns: {
      monitoring_task: {
        id: 'none',
        park_id: 'none',
        name: 'none',
        start_time: 'none',
        end_time: 'none',
        enabled: 'none',
        periods: 'none',
        precision: 'none',
        custom_precision: 'none',
        similarity_threshold: 'none',
        compare_rule: 'none',
        low_threshold: 'none',
        high_threshold: 'none',
        stranger_alarm: 'none',
        alarm_sound: 'none',
        repeat_seconds: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
      monitoring_task_device: { task_id: 'none', park_id: 'none', device_id: 'none' },
      monitoring_task_group: { task_id: 'none', park_id: 'none', group_id: 'none' },
    },
  },
]
