/** When alarms of other kinds than passages were escalated. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export const escalationMigrations: ContextMigration[] = [
  {
    name: '20261130T1951-alarms-faces-escalated',
    async up(db) {
      await sql`ALTER TABLE face_alarm ADD COLUMN escalated_at timestamptz(3)`.execute(db)
      await sql`CREATE INDEX face_alarm_overdue ON face_alarm (park_id, raised_at) WHERE status = 1 AND escalated_at IS NULL`.execute(db)
    },
    columns: { face_alarm: { escalated_at: 'none' } },
  },
  {
    name: '20261130T1953-alarms-device-events-escalated',
    async up(db) {
      await sql`ALTER TABLE device_event ADD COLUMN escalated_at timestamptz(3)`.execute(db)
      await sql`CREATE INDEX device_event_overdue ON device_event (park_id, received_at) WHERE status = 0 AND escalated_at IS NULL`.execute(
        db,
      )
    },
    columns: { device_event: { escalated_at: 'none' } },
  },
  {
    name: '20261130T1952-alarms-ai-box-escalated',
    async up(db) {
      await sql`ALTER TABLE ai_box_alarm ADD COLUMN escalated_at timestamptz(3)`.execute(db)
      await sql`CREATE INDEX ai_box_alarm_overdue ON ai_box_alarm (park_id, received_at) WHERE status = 0 AND escalated_at IS NULL`.execute(
        db,
      )
    },
    columns: { ai_box_alarm: { escalated_at: 'none' } },
  },
]
