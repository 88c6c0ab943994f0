/** Tables of written rules, and of changes that wait for a second person because of one. */
import type { Json } from '../../platform/database/json.ts'
import type { Period } from '@gatehouse/access-rules'
import type { Breach, PendingKind, PendingState, WrittenRuleKind } from '@gatehouse/contract/approvals/written-rules'
import { sql } from 'kysely'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'
import type { NewPassage } from '../strategies/index.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    writtenRule: {
      kinds: WrittenRuleKind[]
      periods: Json<Period[]>
      reaction: 'refuse' | 'ask'
    }
    pendingChange: {
      kind: PendingKind
      /** Id of what is changed; null: the change adds something. */
      subjectId: string | null
      /** The body of the call, encrypted; null once it is decided. */
      body: Buffer | null
      breaches: Json<Breach[]>
      /** Passages of the breaches, by rule; null once the change is decided, and in changes from before the column existed. */
      passages: Json<Record<string, NewPassage[]>> | null
      state: Exclude<PendingState, 'expired'>
    }
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
        id uuid PRIMARY KEY, park_id uuid NOT NULL, kind text NOT NULL, subject_id uuid, label text NOT NULL, body bytea,
        breaches jsonb NOT NULL,
        state text NOT NULL, requested_by_id uuid NOT NULL, requested_by text NOT NULL, requested_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL, decided_by text NOT NULL DEFAULT '', decided_at timestamptz(3),
        remark text NOT NULL DEFAULT '')`.execute(db)
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
