/** Table of events at doors, which devices number and send. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** Events at doors; name and type of the device as they were, since a deleted device keeps its events. */
    deviceEvent: {
      /** Value of the enum `alarmLevel`. */
      level: 0 | 1 | 2 | 3
      /** Value of the enum `alarmHandlingStatusAlt`. */
      status: 0 | 1 | 2 | 3
    }
  }
}

export const deviceEventMigrations: ContextMigration[] = [
  {
    name: '20261130T1910-alarms-device-events',
    async up(db) {
      await sql`CREATE TABLE device_event (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, device_id uuid NOT NULL, device_name text NOT NULL, device_type smallint NOT NULL,
        type smallint NOT NULL, level smallint NOT NULL, occurred_at timestamptz(3) NOT NULL, ended_at timestamptz(3),
        received_at timestamptz(3) NOT NULL, picture_file_id uuid, status smallint NOT NULL, operator text NOT NULL,
        dealing_record text NOT NULL, dealt_at timestamptz(3))`.execute(db)
      await sql`CREATE INDEX device_event_newest ON device_event (park_id, occurred_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX device_event_unhandled ON device_event (park_id, occurred_at DESC, id DESC) WHERE status = 0`.execute(db)
      await sql`CREATE INDEX device_event_device ON device_event (park_id, device_id, occurred_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX device_event_lasting ON device_event (device_id, type) WHERE ended_at IS NULL`.execute(db)
      await sql`CREATE INDEX device_event_picture ON device_event (park_id, occurred_at) WHERE picture_file_id IS NOT NULL`.execute(db)
    },
    columns: {
      device_event: {
        id: 'none',
        park_id: 'none',
        device_id: 'none',
        device_name: 'none',
        device_type: 'none',
        type: 'none',
        level: 'none',
        occurred_at: 'none',
        ended_at: 'none',
        received_at: 'none',
        picture_file_id: 'biometric',
        status: 'none',
        operator: 'personal',
        dealing_record: 'personal',
        dealt_at: 'none',
      },
    },
  },
]
