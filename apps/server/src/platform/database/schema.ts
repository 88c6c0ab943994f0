/** Tables of the platform itself. */
import { sql } from 'kysely'
import {
  auditMigration,
  auditPersonsMigration,
  auditReasonMigration,
  auditSearchMigration,
  auditWatchedMigration,
} from '../audit/migration.ts'
import { auditSealedMigration } from '../audit/sealed-migration.ts'
import { boundFilesMigration } from '../storage/bound-files-migration.ts'
import { historyMigration } from './history-migration.ts'
import { boundMessagesMigration, messageClaimsMigration, messageOwnerMigration, messagesMigration } from '../messages/migration.ts'
import type { ContextMigration } from './migrations.ts'
import { uploadShareMigration } from '../storage/upload-share-migration.ts'
import { jobsMigration } from '../jobs/jobs-migration.ts'
import { workMigration, workTurnsMigration } from '../jobs/work-migration.ts'

export const platformMigrations: ContextMigration[] = [
  {
    name: '20261120T1800-platform-initial',
    async up(db) {
      await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db)
      await sql`CREATE TABLE outbox (
        id uuid PRIMARY KEY, name text NOT NULL, park_id uuid NOT NULL, payload jsonb NOT NULL,
        seq bigint, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX outbox_seq ON outbox (seq) WHERE seq IS NOT NULL`.execute(db)
      await sql`CREATE INDEX outbox_waiting ON outbox (created_at, id) WHERE seq IS NULL`.execute(db)
      await sql`CREATE TABLE outbox_head (one boolean PRIMARY KEY DEFAULT true CHECK (one), seq bigint NOT NULL)`.execute(db)
      await sql`INSERT INTO outbox_head (seq) VALUES (0)`.execute(db)
      await sql`CREATE TABLE event_consumer (name text PRIMARY KEY, seq bigint NOT NULL)`.execute(db)
      await sql`CREATE TABLE event_failure (
        consumer text NOT NULL, event_id uuid NOT NULL, seq bigint NOT NULL,
          reason text NOT NULL, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE TABLE data_key (park_id uuid PRIMARY KEY, wrapped bytea NOT NULL)`.execute(db)
      await sql`CREATE TABLE file (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, use text NOT NULL, content_type text NOT NULL,
        kept boolean NOT NULL, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX file_park ON file (park_id)`.execute(db)
      await sql`CREATE INDEX file_unkept ON file (created_at) WHERE NOT kept`.execute(db)
    },
    columns: {
      outbox: { id: 'none', name: 'none', park_id: 'none', payload: 'none', seq: 'none', created_at: 'none' },
      outbox_head: { one: 'none', seq: 'none' },
      event_consumer: { name: 'none', seq: 'none' },
      event_failure: { consumer: 'none', event_id: 'none', seq: 'none', reason: 'none', created_at: 'none' },
      data_key: { park_id: 'none', wrapped: 'secret' },
      file: { id: 'none', park_id: 'none', use: 'none', content_type: 'none', kept: 'none', created_at: 'none' },
    },
  },
  historyMigration,
  workMigration,
  auditMigration,
  auditSearchMigration,
  messagesMigration,
  messageClaimsMigration,
  messageOwnerMigration,
  auditPersonsMigration,
  auditWatchedMigration,
  uploadShareMigration,
  boundMessagesMigration,
  boundFilesMigration,
  auditSealedMigration,
  jobsMigration,
  workTurnsMigration,
  auditReasonMigration,
]
