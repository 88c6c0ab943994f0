/** Tables of e-mails about alarms. */
import { sql } from 'kysely'
import type { AlarmKind } from '@gatehouse/contract/alarms/email'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /**
     * An alarm that a park wanted e-mails of. `pending`: nothing was decided yet; else what `alarm-mail-rules.ts` decided. `key` is a
     * hash, so that it names no person.
     */
    alarmMail: { kind: AlarmKind; state: 'pending' | 'sent' | 'repeated' | 'budget' | 'level' }
    alarmMailWindow: {}
    /** One row per park, locked while its e-mails are decided: the hour that is counted, and the e-mails of it. */
    alarmMailHour: {}
  }
}

export const alarmMailMigrations: ContextMigration[] = [
  {
    name: '20261130T1921-alarms-mails',
    async up(db) {
      await sql`CREATE TABLE alarm_mail (
        id uuid PRIMARY KEY,
        park_id uuid NOT NULL,
        alarm_id uuid NOT NULL,
        kind text NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        noted_at timestamptz(3) NOT NULL,
        key text NOT NULL,
        level smallint NOT NULL,
        event text NOT NULL,
        event_name text NOT NULL,
        place text NOT NULL,
        device_id uuid NOT NULL,
        device_name text NOT NULL,
        surveillance_name text NOT NULL,
        person_id uuid,
        state text NOT NULL,
        included_at timestamptz(3))`.execute(db)
      await sql`CREATE INDEX alarm_mail_pending ON alarm_mail (park_id, id) WHERE state = 'pending'`.execute(db)
      await sql`CREATE INDEX alarm_mail_waiting ON alarm_mail (park_id, state, key)
        WHERE included_at IS NULL AND state IN ('repeated', 'budget')`.execute(db)
      await sql`CREATE INDEX alarm_mail_unsent ON alarm_mail (park_id, id DESC) WHERE state IN ('repeated', 'budget', 'level')`.execute(db)
      await sql`CREATE INDEX alarm_mail_person ON alarm_mail (person_id) WHERE person_id IS NOT NULL`.execute(db)
      await sql`CREATE INDEX alarm_mail_noted ON alarm_mail (noted_at)`.execute(db)
      await sql`CREATE TABLE alarm_mail_window (
        park_id uuid NOT NULL,
        key text NOT NULL,
        level smallint NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        PRIMARY KEY (park_id, key))`.execute(db)
      await sql`CREATE TABLE alarm_mail_hour (
        park_id uuid PRIMARY KEY,
        hour timestamptz(3) NOT NULL,
        sent integer NOT NULL)`.execute(db)
    },
    columns: {
      alarm_mail: {
        id: 'none',
        park_id: 'none',
        alarm_id: 'none',
        kind: 'none',
        occurred_at: 'none',
        noted_at: 'none',
        key: 'none',
        level: 'none',
        event: 'none',
        event_name: 'none',
        place: 'none',
        device_id: 'none',
        device_name: 'none',
        surveillance_name: 'none',
        person_id: 'none',
        state: 'none',
        included_at: 'none',
      },
      alarm_mail_window: { park_id: 'none', key: 'none', level: 'none', ends_at: 'none' },
      alarm_mail_hour: { park_id: 'none', hour: 'none', sent: 'none' },
    },
  },
]
