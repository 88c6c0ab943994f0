/** Tables of written rules, and of changes that wait for a second person because of one. */
import type { Period } from '@gatehouse/access-rules'
import type { Breach, PendingKind, PendingState, WrittenRuleKind } from '@gatehouse/contract/approvals/written-rules'
import { sql } from 'kysely'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'
import type { NewPassage } from '../strategies/index.ts'

export interface WrittenRuleTables {
  written_rule: {
    id: string
    park_id: string
    name: string
    everybody_except: boolean
    kinds: WrittenRuleKind[]
    person_group_ids: string[]
    person_ids: string[]
    device_ids: string[]
    device_group_ids: string[]
    /** Written as JSON text. */
    periods: Period[] | string
    reaction: 'refuse' | 'ask'
    enabled: boolean
    sentence: string
    created_at: Date | number
    updated_at: Date | number
    version: number
  }
  pending_change: {
    id: string
    park_id: string
    kind: PendingKind
    /** Of what is changed; null: it is yet to be made. */
    subject_id: string | null
    label: string
    /** The body of the call, encrypted; null once it is decided. */
    body: Buffer | null
    /** Written as JSON text. */
    breaches: Breach[] | string
    /** What the breaches are made of, by rule, written as JSON text; null once it is decided, and where it was asked for before this was kept. */
    passages: Record<string, NewPassage[]> | string | null
    state: Exclude<PendingState, 'expired'>
    requested_by_id: string
    requested_by: string
    requested_at: Date | number
    expires_at: Date | number
    decided_by: string
    decided_at: Date | number | null
    remark: string
  }
}

export const PENDING_BODY: SealedColumn = { table: 'pending_change', column: 'body', park: 'park_id', key: ['id'] }

export const writtenRuleMigrations: ContextMigration[] = [
  {
    name: '20261122T2155-access-written-rules',
    async up(db) {
      await sql`CREATE TABLE written_rule (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL, everybody_except boolean NOT NULL, kinds text[] NOT NULL,
        person_group_ids uuid[] NOT NULL, person_ids uuid[] NOT NULL, device_ids uuid[] NOT NULL, device_group_ids uuid[] NOT NULL,
        periods jsonb NOT NULL, reaction text NOT NULL, enabled boolean NOT NULL, sentence text NOT NULL,
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`CREATE UNIQUE INDEX written_rule_name ON written_rule (park_id, lower(name))`.execute(db)
      await sql`CREATE INDEX written_rule_enabled ON written_rule (park_id) WHERE enabled`.execute(db)
      await sql`CREATE TABLE pending_change (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, kind text NOT NULL, subject_id uuid, label text NOT NULL, body bytea, breaches jsonb NOT NULL,
        state text NOT NULL, requested_by_id uuid NOT NULL, requested_by text NOT NULL, requested_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL, decided_by text NOT NULL DEFAULT '', decided_at timestamptz(3), remark text NOT NULL DEFAULT '')`.execute(
        db,
      )
      await sql`CREATE INDEX pending_change_newest ON pending_change (park_id, requested_at DESC, id DESC)`.execute(db)
    },
    columns: {
      written_rule: {
        id: 'none',
        park_id: 'none',
        name: 'none',
        everybody_except: 'none',
        kinds: 'none',
        person_group_ids: 'none',
        person_ids: 'none',
        device_ids: 'none',
        device_group_ids: 'none',
        periods: 'none',
        reaction: 'none',
        enabled: 'none',
        sentence: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
      pending_change: {
        id: 'none',
        park_id: 'none',
        kind: 'none',
        subject_id: 'none',
        label: 'none',
        body: 'personal',
        breaches: 'none',
        state: 'none',
        requested_by_id: 'none',
        requested_by: 'none',
        requested_at: 'none',
        expires_at: 'none',
        decided_by: 'none',
        decided_at: 'none',
        remark: 'none',
      },
    },
  },
  {
    name: '20261127T0930-access-pending-passages',
    async up(db) {
      await sql`ALTER TABLE pending_change ADD COLUMN passages jsonb`.execute(db)
    },
    columns: { pending_change: { passages: 'none' } },
  },
  boundMigration('20261127T1250-access-bound', [PENDING_BODY]),
]
