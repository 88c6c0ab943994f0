/** Tables of the operation log and of the log of reads. */
import { sql } from 'kysely'
import type { ContextMigration } from '../database/migrations.ts'

declare module '../database/tables.ts' {
  interface NarrowedColumns {
    /** `labels` is generated from `changes` by the database. */
    operationLog: {}
    /**
     * `persons`: number of persons sent to the device, which is the subject then; null where the subjects are the persons shown.
     * `reason`: what the caller said that the read is for; null where that is not asked, and after an erasure of a subject.
     */
    readLog: {}
  }
}

const ENTRY = `id uuid PRIMARY KEY, park_id uuid NOT NULL, user_id uuid, account text NOT NULL,
  operator text NOT NULL, source text NOT NULL,
  method text NOT NULL, url text NOT NULL, ip text NOT NULL, occurred_at timestamptz(3) NOT NULL`
const ENTRY_COLUMNS = {
  id: 'none',
  park_id: 'none',
  user_id: 'none',
  account: 'personal',
  operator: 'personal',
  source: 'none',
  method: 'none',
  url: 'none',
  ip: 'personal',
  occurred_at: 'none',
} as const

export const auditMigration: ContextMigration = {
  name: '20261121T0410-platform-audit',
  async up(db) {
    await sql`CREATE TABLE operation_log (${sql.raw(ENTRY)}, changes jsonb NOT NULL)`.execute(db)
    await sql`CREATE TABLE read_log (${sql.raw(ENTRY)}, subjects text[] NOT NULL)`.execute(db)
    for (const table of ['operation_log', 'read_log']) {
      await sql`CREATE INDEX ${sql.raw(`${table}_newest`)} ON ${sql.raw(table)} (park_id, occurred_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX ${sql.raw(`${table}_age`)} ON ${sql.raw(table)} (occurred_at)`.execute(db)
    }
    await sql`CREATE INDEX operation_log_changes ON operation_log USING gin (changes jsonb_path_ops)`.execute(db)
    await sql`CREATE INDEX read_log_subjects ON read_log USING gin (subjects)`.execute(db)
    // Removes name and values of one thing from an entry; changes of other things in the same entry stay.
    await sql`CREATE FUNCTION forget_changes(changes jsonb, entity text, id text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_agg(CASE WHEN one->>'entity' = $2 AND one->>'id' = $3
        THEN jsonb_build_object('entity', one->'entity', 'id', one->'id', 'fields', '[]'::jsonb) ELSE one END), '[]'::jsonb)
      FROM jsonb_array_elements($1) one $$`.execute(db)
  },
  columns: {
    operation_log: { ...ENTRY_COLUMNS, changes: 'personal' },
    read_log: { ...ENTRY_COLUMNS, subjects: 'none' },
  },
}

/** Columns that lists are filtered by: module, labels of what was changed, parts of people's names. */
export const auditSearchMigration: ContextMigration = {
  name: '20261121T0428-platform-audit-search',
  async up(db) {
    // Immutable because it depends on its argument only; erasing the labels erases their search index.
    await sql`CREATE FUNCTION labels_of(changes jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(string_agg(one->>'label', E'\\n'), '') FROM jsonb_array_elements($1) one $$`.execute(db)
    await sql`ALTER TABLE operation_log ADD COLUMN module text NOT NULL DEFAULT 'system',
      ADD COLUMN labels text GENERATED ALWAYS AS (labels_of(changes)) STORED`.execute(db)
    await sql`ALTER TABLE operation_log ALTER COLUMN module DROP DEFAULT`.execute(db)
    await sql`CREATE INDEX operation_log_module ON operation_log (park_id, module, occurred_at DESC, id DESC)`.execute(db)
    await sql`CREATE INDEX operation_log_source ON operation_log (park_id, source, occurred_at DESC, id DESC)`.execute(db)
    await sql`CREATE INDEX operation_log_labels ON operation_log USING gin (labels gin_trgm_ops)`.execute(db)
    await sql`CREATE INDEX operation_log_operator ON operation_log USING gin (operator gin_trgm_ops)`.execute(db)
    for (const table of ['operation_log', 'read_log']) {
      await sql`CREATE INDEX ${sql.raw(`${table}_account`)} ON ${sql.raw(table)} USING gin (account gin_trgm_ops)`.execute(db)
      // For lists over all parks, in their order; also finds the oldest entries.
      await sql`DROP INDEX ${sql.raw(`${table}_age`)}`.execute(db)
      await sql`CREATE INDEX ${sql.raw(`${table}_age`)} ON ${sql.raw(table)} (occurred_at DESC, id DESC)`.execute(db)
    }
  },
  columns: { operation_log: { module: 'none', labels: 'personal' } },
}

/** A change about a person on the watch list stays marked when their name and values are removed. */
export const auditWatchedMigration: ContextMigration = {
  name: '20261126T2105-platform-audit-watched',
  async up(db) {
    await sql`CREATE OR REPLACE FUNCTION forget_changes(changes jsonb, entity text, id text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_agg(CASE WHEN one->>'entity' = $2 AND one->>'id' = $3
        THEN jsonb_build_object('entity', one->'entity', 'id', one->'id', 'fields', '[]'::jsonb)
          || CASE WHEN one ? 'watched' THEN '{"watched": true}'::jsonb ELSE '{}'::jsonb END
        ELSE one END), '[]'::jsonb)
      FROM jsonb_array_elements($1) one $$`.execute(db)
  },
  columns: {},
}

/** Persons sent to a device are counted, not named: a terminal fetches thousands at once. */
export const auditPersonsMigration: ContextMigration = {
  name: '20261126T1811-platform-read-log-persons',
  async up(db) {
    await sql`ALTER TABLE read_log ADD COLUMN persons integer`.execute(db)
  },
  columns: { read_log: { persons: 'none' } },
}

/** A search for a face states why it is made. */
export const auditReasonMigration: ContextMigration = {
  name: '20261130T1953-platform-read-log-reason',
  async up(db) {
    await sql`ALTER TABLE read_log ADD COLUMN reason text`.execute(db)
  },
  columns: { read_log: { reason: 'personal' } },
}
