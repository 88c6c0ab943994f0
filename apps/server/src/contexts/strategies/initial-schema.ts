/** The first tables of access control: strategies and time rules, and the records, which other areas keep by now. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** Each filter of the record list and the index it uses. */
const RECORD_INDEXES = [
  'access_record_newest ON access_record (park_id, occurred_at DESC, id DESC)',
  'access_record_person ON access_record (park_id, person_id, occurred_at DESC, id DESC) WHERE person_id IS NOT NULL',
  'access_record_device ON access_record (park_id, device_id, occurred_at DESC, id DESC)',
  'access_record_rejected ON access_record (park_id, occurred_at DESC, id DESC) WHERE result = 0',
  'access_record_fail_reason ON access_record (park_id, fail_reason, occurred_at DESC, id DESC) WHERE fail_reason IS NOT NULL',
  'access_record_stranger ON access_record (park_id, occurred_at DESC, id DESC) WHERE person_id IS NULL AND fail_reason = 904',
  'access_record_person_name ON access_record USING gin (person_name gin_trgm_ops)',
  // Figures of a day: counts come from the index alone.
  'access_record_day ON access_record (park_id, local_date, direction, local_hour) WHERE result = 1',
]

export const initialMigration: ContextMigration = {
  name: '20261120T1806-access-initial',
  async up(db) {
    await sql`CREATE TABLE time_rule (
      id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL, periods jsonb NOT NULL,
      allowed_dates text[] NOT NULL, forbidden_dates text[] NOT NULL, effective_date date, is_default boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
    await sql`CREATE UNIQUE INDEX time_rule_name ON time_rule (park_id, lower(name))`.execute(db)
    await sql`CREATE UNIQUE INDEX time_rule_default ON time_rule (park_id) WHERE is_default`.execute(db)

    await sql`CREATE TABLE strategy (
      id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL, kind text NOT NULL, methods smallint[] NOT NULL,
      is_default boolean NOT NULL DEFAULT false, valid_from timestamptz(3), valid_to timestamptz(3),
      created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
    await sql`CREATE UNIQUE INDEX strategy_name ON strategy (park_id, lower(name))`.execute(db)
    await sql`CREATE TABLE strategy_member (
      strategy_id uuid NOT NULL REFERENCES strategy (id) ON DELETE CASCADE, park_id uuid NOT NULL, kind text NOT NULL,
      member_id uuid NOT NULL,
      PRIMARY KEY (strategy_id, kind, member_id))`.execute(db)
    await sql`CREATE INDEX strategy_member_member ON strategy_member (park_id, kind, member_id)`.execute(db)
    await sql`CREATE TABLE strategy_time_rule (
      strategy_id uuid NOT NULL REFERENCES strategy (id) ON DELETE CASCADE, time_rule_id uuid NOT NULL REFERENCES time_rule (id),
      PRIMARY KEY (strategy_id, time_rule_id))`.execute(db)
    await sql`CREATE INDEX strategy_time_rule_rule ON strategy_time_rule (time_rule_id)`.execute(db)

    await sql`CREATE TABLE device_epoch (
      device_id uuid NOT NULL, epoch text NOT NULL, park_id uuid NOT NULL, ack_seq bigint NOT NULL, updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (device_id, epoch))`.execute(db)
    await sql`CREATE INDEX device_epoch_park ON device_epoch (park_id)`.execute(db)
    await sql`CREATE TABLE unstorable_record (
      device_id uuid NOT NULL, epoch text NOT NULL, seq bigint NOT NULL, park_id uuid NOT NULL, content text NOT NULL, reason text NOT NULL,
      received_at timestamptz(3) NOT NULL, PRIMARY KEY (device_id, epoch, seq))`.execute(db)
    await sql`CREATE INDEX unstorable_record_park ON unstorable_record (park_id)`.execute(db)
    await sql`CREATE TABLE access_record (
      id uuid NOT NULL, park_id uuid NOT NULL, occurred_at timestamptz(3) NOT NULL, received_at timestamptz(3) NOT NULL,
      clock_offset_ms bigint,
      zone text NOT NULL, local_date date NOT NULL, local_hour smallint NOT NULL, device_id uuid NOT NULL, device_name text NOT NULL,
      person_id uuid, person_name text NOT NULL, work_number text NOT NULL, direction smallint NOT NULL, verify_type smallint NOT NULL,
      result smallint NOT NULL, fail_reason integer, score double precision, checks text NOT NULL, settings_revision text NOT NULL,
      capture_file_id uuid, PRIMARY KEY (id, occurred_at)) PARTITION BY RANGE (occurred_at)`.execute(db)
    for (const index of RECORD_INDEXES) await sql`CREATE INDEX ${sql.raw(index)}`.execute(db)
  },
  columns: {
    time_rule: {
      id: 'none',
      park_id: 'none',
      name: 'none',
      periods: 'none',
      allowed_dates: 'none',
      forbidden_dates: 'none',
      effective_date: 'none',
      is_default: 'none',
      created_at: 'none',
      updated_at: 'none',
      version: 'none',
    },
    strategy: {
      id: 'none',
      park_id: 'none',
      name: 'none',
      kind: 'none',
      methods: 'none',
      is_default: 'none',
      valid_from: 'none',
      valid_to: 'none',
      created_at: 'none',
      updated_at: 'none',
      version: 'none',
    },
    strategy_member: { strategy_id: 'none', park_id: 'none', kind: 'none', member_id: 'none' },
    strategy_time_rule: { strategy_id: 'none', time_rule_id: 'none' },
    device_epoch: { device_id: 'none', epoch: 'none', park_id: 'none', ack_seq: 'none', updated_at: 'none' },
    access_record: {
      id: 'none',
      park_id: 'none',
      occurred_at: 'none',
      received_at: 'none',
      clock_offset_ms: 'none',
      zone: 'none',
      local_date: 'none',
      local_hour: 'none',
      device_id: 'none',
      device_name: 'none',
      person_id: 'none',
      person_name: 'personal',
      work_number: 'personal',
      direction: 'none',
      verify_type: 'none',
      result: 'none',
      fail_reason: 'none',
      score: 'none',
      checks: 'none',
      settings_revision: 'none',
      capture_file_id: 'biometric',
    },
    unstorable_record: {
      device_id: 'none',
      epoch: 'none',
      seq: 'none',
      park_id: 'none',
      content: 'personal',
      reason: 'none',
      received_at: 'none',
    },
  },
}
