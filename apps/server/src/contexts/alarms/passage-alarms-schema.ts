/** Tables of alarms that passages raise: broken rules of the park, and temperatures. */
import { sql } from 'kysely'
import type { RuleAlarmKind } from '@gatehouse/contract/alarms/rule-alarms'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** What an alarm is about: a kind of rule alarm, or a temperature. */
export type PassageAlarmKind = RuleAlarmKind | 'temperature'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    passageAlarm: {
      kind: PassageAlarmKind
    }
    passageAlarmRecord: {
      kind: PassageAlarmKind
    }
  }
}

export const passageAlarmMigrations: ContextMigration[] = [
  {
    name: '20261130T1950-alarms-passages',
    async up(db) {
      // `record_at` is the moment of the record by the clock of its device, by which its month is found.
      await sql`CREATE TABLE passage_alarm (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, kind text NOT NULL, level smallint NOT NULL,
        occurred_at timestamptz(3) NOT NULL, last_occurred_at timestamptz(3) NOT NULL, raised_at timestamptz(3) NOT NULL,
        passages integer NOT NULL, device_id uuid NOT NULL, device_name text NOT NULL,
        record_id uuid NOT NULL, record_at timestamptz(3) NOT NULL, person_id uuid, person_name text NOT NULL,
        temperature real, temperature_status smallint,
        status smallint NOT NULL, operator text NOT NULL DEFAULT '', dealing_record text NOT NULL DEFAULT '', dealt_at timestamptz(3),
        escalated_at timestamptz(3), updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`CREATE INDEX passage_alarm_newest ON passage_alarm (park_id, occurred_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX passage_alarm_run ON passage_alarm (park_id, device_id, kind, last_occurred_at)`.execute(db)
      await sql`CREATE INDEX passage_alarm_person ON passage_alarm (person_id) WHERE person_id IS NOT NULL`.execute(db)
      await sql`CREATE INDEX passage_alarm_overdue ON passage_alarm (park_id, raised_at)
        WHERE dealt_at IS NULL AND escalated_at IS NULL`.execute(db)
      // A record counts once for each kind of alarm, however often its event is handled.
      await sql`CREATE TABLE passage_alarm_record (
        record_id uuid NOT NULL, kind text NOT NULL, park_id uuid NOT NULL,
        alarm_id uuid NOT NULL REFERENCES passage_alarm (id) ON DELETE CASCADE, PRIMARY KEY (record_id, kind))`.execute(db)
      await sql`CREATE INDEX passage_alarm_record_alarm ON passage_alarm_record (alarm_id)`.execute(db)
      await sql`CREATE TABLE passage_alarm_step (
        id uuid PRIMARY KEY, alarm_id uuid NOT NULL REFERENCES passage_alarm (id) ON DELETE CASCADE, park_id uuid NOT NULL,
        status smallint NOT NULL, operator text NOT NULL, at timestamptz(3) NOT NULL, record text NOT NULL)`.execute(db)
      await sql`CREATE INDEX passage_alarm_step_alarm ON passage_alarm_step (alarm_id, id)`.execute(db)
    },
    columns: {
      passage_alarm: {
        id: 'none',
        park_id: 'none',
        kind: 'none',
        level: 'none',
        occurred_at: 'none',
        last_occurred_at: 'none',
        raised_at: 'none',
        passages: 'none',
        device_id: 'none',
        device_name: 'none',
        record_id: 'none',
        record_at: 'none',
        person_id: 'personal',
        person_name: 'personal',
        temperature: 'personal',
        temperature_status: 'personal',
        status: 'none',
        operator: 'personal',
        dealing_record: 'personal',
        dealt_at: 'none',
        escalated_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
      passage_alarm_record: { record_id: 'none', kind: 'none', park_id: 'none', alarm_id: 'none' },
      passage_alarm_step: {
        id: 'none',
        alarm_id: 'none',
        park_id: 'none',
        status: 'none',
        operator: 'personal',
        at: 'none',
        record: 'personal',
      },
    },
  },
]
