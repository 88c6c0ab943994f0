/** Table of the pop-ups that users want. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** A user without a row in a park wants every pop-up. */
    alertAccount: {}
  }
}

export const alarmsMigrations: ContextMigration[] = [
  {
    name: '20261121T0421-alarms-account',
    async up(db) {
      await sql`CREATE TABLE alert_account (
        user_id uuid NOT NULL,
        park_id uuid NOT NULL,
        visit_check boolean NOT NULL,
        visit_arrive boolean NOT NULL,
        send_expired_customers boolean NOT NULL,
        device_system_resource_alert boolean NOT NULL,
        device_event boolean NOT NULL,
        ai_box_event boolean NOT NULL,
        surveillances text[] NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (user_id, park_id))`.execute(db)
    },
    columns: {
      alert_account: {
        user_id: 'none',
        park_id: 'none',
        visit_check: 'none',
        visit_arrive: 'none',
        send_expired_customers: 'none',
        device_system_resource_alert: 'none',
        device_event: 'none',
        ai_box_event: 'none',
        surveillances: 'none',
        updated_at: 'none',
      },
    },
  },
  {
    name: '20261127T1939-alarms-watch-list',
    async up(db) {
      await sql`ALTER TABLE alert_account ADD COLUMN watch_list_hit boolean NOT NULL DEFAULT true,
        ADD COLUMN device_offline boolean NOT NULL DEFAULT true`.execute(db)
    },
    columns: { alert_account: { watch_list_hit: 'none', device_offline: 'none' } },
  },
]
