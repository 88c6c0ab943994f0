/** Tables of alarms of faces, of the steps of their handling, and of the captures that are counted with each. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    faceAlarm: {
      /** Null, as the score: a stranger. */
      personId: string | null
      /** 0 to 100, raw. */
      score: number | null
      /** When it was last dealt with; null: it was not yet. */
      dealtAt: number | null
    }
    faceAlarmStep: {}
    /** What a task made of a capture, and the alarm that is counted with: each once. */
    faceAlarmCapture: {}
  }
}

export const faceAlarmsMigrations: ContextMigration[] = [
  {
    name: '20261130T1931-alarms-faces',
    async up(db) {
      await sql`CREATE TABLE face_alarm (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, level smallint NOT NULL, status smallint NOT NULL,
        raised_at timestamptz(3) NOT NULL, captured_at timestamptz(3) NOT NULL, last_captured_at timestamptz(3) NOT NULL,
        captures integer NOT NULL, operator text NOT NULL, dealing_record text NOT NULL, dealt_at timestamptz(3),
        person_id uuid, person_name text NOT NULL, group_name text NOT NULL, score double precision, capture_id uuid NOT NULL,
        task_id uuid NOT NULL, task_name text NOT NULL, device_id uuid NOT NULL, device_name text NOT NULL, device_type smallint NOT NULL,
        sound smallint NOT NULL, version integer NOT NULL, updated_at timestamptz(3) NOT NULL)`.execute(db)
      // The first two serve the list, of both tabs and of one person; the third finds the alarm a capture is counted with; the fourth the
      // alarm whose picture has arrived; the last drops old ones.
      await sql`CREATE INDEX face_alarm_newest ON face_alarm (park_id, captured_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX face_alarm_of_person ON face_alarm (park_id, person_id, captured_at DESC) WHERE person_id IS NOT NULL`.execute(
        db,
      )
      await sql`CREATE INDEX face_alarm_repeated ON face_alarm (park_id, device_id, task_id, last_captured_at)
        WHERE status IN (1, 2)`.execute(db)
      await sql`CREATE INDEX face_alarm_of_capture ON face_alarm (capture_id)`.execute(db)
      await sql`CREATE INDEX face_alarm_raised ON face_alarm (raised_at)`.execute(db)
      await sql`CREATE TABLE face_alarm_step (
        alarm_id uuid NOT NULL REFERENCES face_alarm (id) ON DELETE CASCADE, status smallint NOT NULL, park_id uuid NOT NULL,
        operator text NOT NULL, record text NOT NULL, at timestamptz(3) NOT NULL, PRIMARY KEY (alarm_id, status))`.execute(db)
      await sql`CREATE TABLE face_alarm_capture (
        match_id uuid PRIMARY KEY, alarm_id uuid NOT NULL REFERENCES face_alarm (id) ON DELETE CASCADE, capture_id uuid NOT NULL,
        park_id uuid NOT NULL)`.execute(db)
      await sql`CREATE INDEX face_alarm_capture_alarm ON face_alarm_capture (alarm_id)`.execute(db)
      await sql`CREATE INDEX face_alarm_capture_capture ON face_alarm_capture (capture_id)`.execute(db)
    },
    columns: {
      face_alarm: {
        id: 'none',
        park_id: 'none',
        level: 'none',
        status: 'none',
        raised_at: 'none',
        captured_at: 'none',
        last_captured_at: 'none',
        captures: 'none',
        operator: 'personal',
        dealing_record: 'personal',
        dealt_at: 'none',
        person_id: 'none',
        person_name: 'personal',
        group_name: 'none',
        score: 'none',
        capture_id: 'none',
        task_id: 'none',
        task_name: 'none',
        device_id: 'none',
        device_name: 'none',
        device_type: 'none',
        sound: 'none',
        version: 'none',
        updated_at: 'none',
      },
      face_alarm_step: {
        alarm_id: 'none',
        status: 'none',
        park_id: 'none',
        operator: 'personal',
        record: 'personal',
        at: 'none',
      },
      face_alarm_capture: { match_id: 'none', alarm_id: 'none', capture_id: 'none', park_id: 'none' },
    },
  },
]
