/** Tables of restriction areas: their doors, what is known of persons, passages that were asked about, musters. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** A `door` belongs to the area; behind an `exit` nobody is in it any more. */
export type DeviceKind = 'door' | 'exit'
/** `asked`: answered, and its record not yet there; `lost`: none will come; `settled`: the record has come. */
export type PassageState = 'asked' | 'lost' | 'settled'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    restrictionDevice: {
      kind: DeviceKind
    }
    restrictionPassage: {
      state: PassageState
    }
  }
}

export const restrictionMigrations: ContextMigration[] = [
  {
    name: '20261122T2200-restrictions-initial',
    async up(db) {
      await sql`CREATE TABLE restriction_area (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL, limit_type text NOT NULL, anti_sneak_back boolean NOT NULL,
        flow_limit boolean NOT NULL,
        limit_count integer, offline_policy text NOT NULL, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
        version integer NOT NULL DEFAULT 1,
        CHECK (NOT flow_limit OR limit_count IS NOT NULL))`.execute(db)
      await sql`CREATE UNIQUE INDEX restriction_area_name ON restriction_area (park_id, lower(name))`.execute(db)
      await sql`CREATE TABLE restriction_device (
        area_id uuid NOT NULL REFERENCES restriction_area (id) ON DELETE CASCADE, park_id uuid NOT NULL, device_id uuid NOT NULL,
        kind text NOT NULL, since timestamptz(3) NOT NULL,
        PRIMARY KEY (area_id, device_id))`.execute(db)
      await sql`CREATE UNIQUE INDEX restriction_device_door ON restriction_device (device_id) WHERE kind = 'door'`.execute(db)
      await sql`CREATE INDEX restriction_device_park ON restriction_device (park_id, device_id)`.execute(db)
      // Nobody knows: neither inside nor outside, since somebody said so.
      await sql`CREATE TABLE restriction_person (
        area_id uuid NOT NULL REFERENCES restriction_area (id) ON DELETE CASCADE, park_id uuid NOT NULL, person_id uuid NOT NULL,
        inside boolean,
        at timestamptz(3) NOT NULL, source text NOT NULL, device_id uuid, PRIMARY KEY (area_id, person_id))`.execute(db)
      await sql`CREATE INDEX restriction_person_id ON restriction_person (person_id)`.execute(db)
      await sql`CREATE TABLE restriction_passage (
        device_id uuid NOT NULL, person_id uuid NOT NULL, moment timestamptz(3) NOT NULL, park_id uuid NOT NULL,
        area_id uuid NOT NULL REFERENCES restriction_area (id) ON DELETE CASCADE, entering boolean NOT NULL, asked_at timestamptz(3),
        noted_at timestamptz(3) NOT NULL, state text NOT NULL,
        PRIMARY KEY (device_id, person_id, moment))`.execute(db)
      await sql`CREATE INDEX restriction_passage_asked ON restriction_passage (area_id, asked_at) WHERE state = 'asked'`.execute(db)
      await sql`CREATE INDEX restriction_passage_person ON restriction_passage (person_id)`.execute(db)
      await sql`CREATE INDEX restriction_passage_noted ON restriction_passage (noted_at)`.execute(db)
      await sql`CREATE TABLE restriction_muster (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, area_id uuid NOT NULL REFERENCES restriction_area (id) ON DELETE CASCADE,
        began_at timestamptz(3) NOT NULL, began_by text NOT NULL, ended_at timestamptz(3))`.execute(db)
      await sql`CREATE UNIQUE INDEX restriction_muster_open ON restriction_muster (area_id) WHERE ended_at IS NULL`.execute(db)
      await sql`CREATE TABLE restriction_muster_met (
        muster_id uuid NOT NULL REFERENCES restriction_muster (id) ON DELETE CASCADE, park_id uuid NOT NULL, person_id uuid NOT NULL,
        met_at timestamptz(3) NOT NULL, met_by text NOT NULL, PRIMARY KEY (muster_id, person_id))`.execute(db)
      await sql`CREATE INDEX restriction_muster_met_person ON restriction_muster_met (person_id)`.execute(db)
    },
    columns: {
      restriction_area: {
        id: 'none',
        park_id: 'none',
        name: 'none',
        limit_type: 'none',
        anti_sneak_back: 'none',
        flow_limit: 'none',
        limit_count: 'none',
        offline_policy: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
      restriction_device: { area_id: 'none', park_id: 'none', device_id: 'none', kind: 'none', since: 'none' },
      restriction_person: {
        area_id: 'none',
        park_id: 'none',
        person_id: 'none',
        inside: 'personal',
        at: 'personal',
        source: 'none',
        device_id: 'personal',
      },
      restriction_passage: {
        device_id: 'none',
        person_id: 'none',
        moment: 'personal',
        park_id: 'none',
        area_id: 'none',
        entering: 'personal',
        asked_at: 'personal',
        noted_at: 'none',
        state: 'none',
      },
      restriction_muster: { id: 'none', park_id: 'none', area_id: 'none', began_at: 'none', began_by: 'personal', ended_at: 'none' },
      restriction_muster_met: { muster_id: 'none', park_id: 'none', person_id: 'none', met_at: 'personal', met_by: 'personal' },
    },
  },
]
