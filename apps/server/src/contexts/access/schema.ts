/** Tables of strategies, time rules and access records. */
import type { Period } from '@gatehouse/access-rules'
import type { authorisedObject, ValueOf } from '@gatehouse/contract/enums'
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { contactPassageMigrations } from './schema-contacts.ts'
import { accessGroupMigrations, type AccessGroupTables } from './access-groups-schema.ts'
import { writtenRuleMigrations, type WrittenRuleTables } from './written-rules-schema.ts'
import { associatedRuleMigrations, type AssociatedRuleTables } from './associated-rules-schema.ts'
import { permitMigrations } from './permits-schema.ts'
import { secondPhotographMigrations, type SecondPhotographTables } from './second-photographs-schema.ts'
import { watchListHitMigrations, type WatchListHitTables } from './watch-list-hits-schema.ts'

/** What a strategy can name besides time rules. */
export type MemberKind = 'person' | 'personGroup' | 'device' | 'deviceGroup' | 'accessGroup'

export interface AccessTables
  extends AccessGroupTables, AssociatedRuleTables, SecondPhotographTables, WatchListHitTables, WrittenRuleTables {
  time_rule: {
    id: string
    park_id: string
    name: string
    /** Written as JSON text. */
    periods: Period[] | string
    allowed_dates: string[]
    forbidden_dates: string[]
    effective_date: string | null
    is_default: boolean
    created_at: Date | number
    updated_at: Date | number
    version: number
  }
  strategy: {
    id: string
    park_id: string
    name: string
    kind: string
    methods: number[]
    is_default: boolean
    /** Who passes by it: the persons, their contacts, or both. */
    authorised_object: ValueOf<typeof authorisedObject>
    /** The one door or access group at which it permits persons directly; null: an ordinary strategy. */
    direct_at: string | null
    valid_from: Date | number | null
    valid_to: Date | number | null
    created_at: Date | number
    updated_at: Date | number
    version: number
  }
  strategy_member: { strategy_id: string; park_id: string; kind: MemberKind; member_id: string }
  strategy_time_rule: { strategy_id: string; time_rule_id: string }
  /** How far the records of a device's boot epoch are stored. */
  device_epoch: { device_id: string; epoch: string; park_id: string; ack_seq: number; updated_at: Date | number }
  /** Partitioned by month of `occurred_at`, UTC. */
  access_record: {
    id: string
    park_id: string
    occurred_at: Date | number
    received_at: Date | number
    clock_offset_ms: number | null
    /** The park's zone at arrival; `local_date` and `local_hour` are in it and stay when the zone changes. */
    zone: string
    local_date: string
    local_hour: number
    device_id: string
    device_name: string
    person_id: string | null
    person_name: string
    work_number: string
    /** Of a person of a linked park: how that park was called; null for the own ones. */
    person_park_name: string | null
    /** Who came in the person's place, as he was called; null and empty where nobody did. */
    contact_id: string | null
    contact_name: string
    /** Null also where the contact was not there any more at arrival. */
    contact_relation: number | null
    direction: number
    verify_type: number
    result: number
    fail_reason: number | null
    score: number | null
    /** 0 to 1, where a terminal looked whether the face was a living one; read from `checks` at arrival. */
    liveness: number | null
    /** Degrees Celsius, or -1 and -2 as marks; what sensors of the terminal told, as are the three that follow. */
    temperature: number | null
    temperature_status: number | null
    mask: number | null
    helmet: number | null
    checks: string
    settings_revision: string
    capture_file_id: string | null
    /** The group the person was in at arrival; null where nobody is known, and of records from before it was kept. */
    person_group_id: string | null
    /** Of somebody on the watch list, or who was when they were deleted: as which it is counted. */
    watched: boolean
    /** Until when its picture was kept; null while it is, and where none came. */
    picture_kept_until: Date | number | null
  }
  /** Records whose content no column takes, word for word: they must not stop those behind them, nor vanish. */
  unstorable_record: {
    device_id: string
    epoch: string
    seq: number
    park_id: string
    content: string
    reason: string
    received_at: Date | number
  }
}

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

export const accessMigrations: ContextMigration[] = [
  {
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
        strategy_id uuid NOT NULL REFERENCES strategy (id) ON DELETE CASCADE, park_id uuid NOT NULL, kind text NOT NULL, member_id uuid NOT NULL,
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
        id uuid NOT NULL, park_id uuid NOT NULL, occurred_at timestamptz(3) NOT NULL, received_at timestamptz(3) NOT NULL, clock_offset_ms bigint,
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
  },
  ...accessGroupMigrations,
  ...associatedRuleMigrations,
  ...writtenRuleMigrations,
  ...contactPassageMigrations,
  ...watchListHitMigrations,
  ...permitMigrations,
  {
    name: '20261128T1815-access-strategy-default',
    async up(db) {
      await sql`CREATE UNIQUE INDEX strategy_default ON strategy (park_id, kind) WHERE is_default`.execute(db)
    },
    columns: {},
  },
  ...secondPhotographMigrations,
]
