/** Tables of alarms of AI boxes. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** The device may be deleted since: its name is that at the time. */
    aiBoxAlarm: {}
    /** What boxes have told of, to filter by: their cameras, and words of events. */
    aiBoxWord: { kind: 'camera' | 'event' }
  }
}

export const aiBoxMigrations: ContextMigration[] = [
  {
    name: '20261130T1920-alarms-ai-box',
    async up(db) {
      await sql`CREATE TABLE ai_box_alarm (
        id uuid PRIMARY KEY,
        park_id uuid NOT NULL,
        device_id uuid NOT NULL,
        device_name text NOT NULL,
        event_id text NOT NULL,
        event_type text NOT NULL,
        event_type_name text NOT NULL,
        event_time timestamptz(3) NOT NULL,
        received_at timestamptz(3) NOT NULL,
        ipc_name text NOT NULL,
        level smallint NOT NULL,
        file_id uuid,
        status smallint NOT NULL,
        operator text NOT NULL,
        dealing_record text NOT NULL,
        dealt_at timestamptz(3))`.execute(db)
      await sql`CREATE UNIQUE INDEX ai_box_alarm_event ON ai_box_alarm (device_id, event_id)`.execute(db)
      await sql`CREATE INDEX ai_box_alarm_time ON ai_box_alarm (park_id, event_time DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX ai_box_alarm_unhandled ON ai_box_alarm (park_id, event_time DESC, id DESC) WHERE status = 0`.execute(db)
      await sql`CREATE INDEX ai_box_alarm_received ON ai_box_alarm (received_at)`.execute(db)
      await sql`CREATE TABLE ai_box_word (
        park_id uuid NOT NULL,
        device_id uuid NOT NULL,
        kind text NOT NULL,
        value text NOT NULL,
        name text NOT NULL,
        last_at timestamptz(3) NOT NULL,
        PRIMARY KEY (park_id, device_id, kind, value))`.execute(db)
    },
    columns: {
      ai_box_alarm: {
        id: 'none',
        park_id: 'none',
        device_id: 'none',
        device_name: 'none',
        event_id: 'none',
        event_type: 'none',
        event_type_name: 'none',
        event_time: 'none',
        received_at: 'none',
        ipc_name: 'none',
        level: 'none',
        file_id: 'none',
        status: 'none',
        operator: 'personal',
        dealing_record: 'personal',
        dealt_at: 'none',
      },
      ai_box_word: { park_id: 'none', device_id: 'none', kind: 'none', value: 'none', name: 'none', last_at: 'none' },
    },
  },
]
