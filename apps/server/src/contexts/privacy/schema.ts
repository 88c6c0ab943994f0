/** Consent with its history, and receipts of erasures. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** Append-only until the person is erased. */
    personConsent: {}
    /** One a person, for ever: who asks again gets the receipt there is. */
    erasure: {
      /** Whether records stand under a pseudonym; those that come late follow it. */
      pseudonymised: boolean
      /** Since when the files of the database may hold what was erased, by the database's clock; null: not yet erased, or no longer. */
      leftoversSince: number | null
    }
    erasurePlace: {
      /** The park that has the device, where it is a linked one. */
      devicePark: string | null
      /** Files whose deletion is pending; empty once they are deleted. */
      fileIds: string[]
    }
  }
}

export const privacyMigrations: ContextMigration[] = [
  {
    name: '20261122T0615-privacy-initial',
    async up(db) {
      await sql`CREATE TABLE person_consent (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, person_id uuid NOT NULL, state text NOT NULL, channel text NOT NULL,
        noted_by text NOT NULL,
        note text NOT NULL, at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX person_consent_person ON person_consent (park_id, person_id, at DESC, id DESC)`.execute(db)
      await sql`CREATE TABLE erasure (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, number text NOT NULL, person_id uuid NOT NULL, kind text NOT NULL, origin text NOT NULL,
        reason text NOT NULL, requested_by text NOT NULL, requested_at timestamptz(3) NOT NULL, completed_at timestamptz(3),
        pseudonymised boolean NOT NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX erasure_person ON erasure (park_id, person_id)`.execute(db)
      await sql`CREATE UNIQUE INDEX erasure_number ON erasure (park_id, number)`.execute(db)
      await sql`CREATE INDEX erasure_newest ON erasure (park_id, requested_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX erasure_open ON erasure (park_id, requested_at DESC, id DESC) WHERE completed_at IS NULL`.execute(db)
      await sql`CREATE TABLE erasure_place (
        erasure_id uuid NOT NULL REFERENCES erasure (id) ON DELETE CASCADE, park_id uuid NOT NULL, position integer NOT NULL,
        place text NOT NULL,
        name text NOT NULL, device_id uuid, state text NOT NULL, count integer NOT NULL, at timestamptz(3),
        removed boolean NOT NULL DEFAULT false,
        file_ids uuid[] NOT NULL DEFAULT '{}', PRIMARY KEY (erasure_id, position))`.execute(db)
      await sql`CREATE INDEX erasure_place_pending ON erasure_place (device_id, erasure_id) WHERE state = 'pending'`.execute(db)
    },
    columns: {
      person_consent: {
        id: 'none',
        park_id: 'none',
        person_id: 'none',
        state: 'none',
        channel: 'none',
        noted_by: 'personal',
        note: 'personal',
        at: 'none',
      },
      erasure: {
        id: 'none',
        park_id: 'none',
        number: 'none',
        person_id: 'none',
        kind: 'none',
        origin: 'none',
        reason: 'personal',
        requested_by: 'personal',
        requested_at: 'none',
        completed_at: 'none',
        pseudonymised: 'none',
      },
      erasure_place: {
        erasure_id: 'none',
        park_id: 'none',
        position: 'none',
        place: 'none',
        name: 'none',
        device_id: 'none',
        state: 'none',
        count: 'none',
        at: 'none',
        removed: 'none',
        file_ids: 'biometric',
      },
    },
  },
  {
    name: '20261122T2205-privacy-linked-parks',
    async up(db) {
      await sql`ALTER TABLE erasure_place ADD COLUMN device_park uuid`.execute(db)
    },
    columns: { erasure_place: { device_park: 'none' } },
  },
  {
    name: '20261127T0700-privacy-leftovers',
    async up(db) {
      await sql`ALTER TABLE erasure ADD COLUMN leftovers_since timestamptz`.execute(db)
      await sql`UPDATE erasure SET leftovers_since = now() WHERE completed_at IS NOT NULL`.execute(db)
      await sql`CREATE INDEX erasure_leftovers ON erasure (leftovers_since) WHERE leftovers_since IS NOT NULL`.execute(db)
    },
    columns: { erasure: { leftovers_since: 'none' } },
  },
  {
    // Also what migrations leave behind: columns that became sealed ones.
    name: '20261127T1200-privacy-former-columns',
    async up(db) {
      await sql`CREATE TABLE leftovers (since timestamptz NOT NULL)`.execute(db)
    },
    columns: { leftovers: { since: 'none' } },
  },
]
