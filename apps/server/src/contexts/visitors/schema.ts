/** Tables of visits. */
import { sql } from 'kysely'
import type { MachineEvent } from '@gatehouse/contract/device/visitor-machine'
import type { ConflictReason } from '@gatehouse/contract/visitors/machine-conflicts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { Json } from '../../platform/database/json.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'
import type { ConsentShown } from './consent.ts'
import { documentsMigration } from './documents-schema.ts'
import { importsMigration } from './imports-schema.ts'

/** A person of the watch list whom a visitor was taken for, as it is stored: the name is read when it is shown. */
export interface StoredMatch {
  personId: string
  by: 'phone' | 'idNumber' | 'face'
  score: number | null
}

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    visit: {
      /** Phone, card and certificate, encrypted (`details.ts`). */
      details: Buffer
      /** Values by the id of the form's field. */
      customFields: Json<Record<string, string>>
      watchMatches: Json<StoredMatch[]>
      /** The text by which the visitor agreed on a page of their own; null where they agreed otherwise, or not at all. */
      consentShown: Json<ConsentShown> | null
      /** What the desk has to check of a visit that an open page made. */
      deskChecks: string[]
      accessGroupIds: string[]
      passMethods: number[]
      /** The person that devices know the visitor as; null while the visitor may not pass. */
      personId: string | null
      /** Persons that stood for the visitor or a companion before: records name them. */
      formerPersonIds: string[]
    }
    visitorLink: {
      /** Hash of the token; the token itself is only in the address that the caller received. */
      tokenHash: Buffer
      /** Null: of no visit yet. */
      visitId: string | null
    }
    visitPeer: {
      /** Phone and ID number, encrypted. */
      details: Buffer
      personId: string | null
    }
    visitMachineEvent: {
      /** Null once the visit is deleted. */
      visitId: string | null
      kind: MachineEvent['kind']
      /** Null: the visit has changed. */
      reason: ConflictReason | null
    }
    visitorPassRule: {
      hostGroupIds: string[]
      visitorGroupIds: string[]
      accessGroupIds: string[]
      passMethods: number[]
    }
  }
}

export const VISIT_DETAILS: SealedColumn = { table: 'visit', column: 'details', park: 'park_id', key: ['id'] }
/** Absent once the key signs no more. */
export const PASS_PRIVATE_KEY: SealedColumn = { table: 'visit_pass_key', column: 'private_key', park: 'park_id', key: ['park_id', 'id'] }
export const PEER_DETAILS: SealedColumn = { table: 'visit_peer', column: 'details', park: 'park_id', key: ['id'] }

/** Each filter of the list, and each search of the jobs, with the index it uses. */
const INDEXES = [
  'visit_newest ON visit (park_id, visit_at DESC, id DESC)',
  'visit_status ON visit (park_id, status, visit_at DESC, id DESC)',
  'visit_host ON visit (park_id, host_id, visit_at DESC, id DESC) WHERE host_id IS NOT NULL',
  'visit_group ON visit (park_id, visitor_group_id, visit_at DESC, id DESC)',
  'visit_phone ON visit (park_id, phone_index)',
  'visit_phone_ending ON visit (park_id, phone_ending)',
  'visit_name_search ON visit USING gin (name gin_trgm_ops)',
  'visit_host_search ON visit USING gin (host_name gin_trgm_ops)',
  'visit_person ON visit (person_id) WHERE person_id IS NOT NULL',
  'visit_waiting ON visit (visit_end_at) WHERE status IN (0, 5)',
  'visit_open ON visit (expires_at) WHERE status IN (1, 2, 9)',
  'visit_ended ON visit (park_id, ended_at) WHERE ended_at IS NOT NULL',
  'visit_peer_visit ON visit_peer (visit_id, position)',
  'visit_peer_person ON visit_peer (person_id) WHERE person_id IS NOT NULL',
]

export const visitorsMigrations: ContextMigration[] = [
  {
    name: '20261130T1100-visitors-initial',
    async up(db) {
      await sql`CREATE TABLE visit (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, status smallint NOT NULL, source smallint NOT NULL, channel smallint,
        enabled boolean NOT NULL DEFAULT true, name text NOT NULL, details bytea NOT NULL, phone_index bytea NOT NULL, phone_ending bytea,
        visitor_group_id uuid NOT NULL, visitor_number smallint NOT NULL, host_id uuid, host_name text NOT NULL, reason smallint NOT NULL,
        appointed_at timestamptz(3) NOT NULL, visit_at timestamptz(3) NOT NULL, visit_end_at timestamptz(3) NOT NULL, valid_days smallint,
        expires_at timestamptz(3) NOT NULL, entered_at timestamptz(3), signed_off_at timestamptz(3), ended_at timestamptz(3),
        sign_in_source smallint, forced boolean NOT NULL DEFAULT false, card_returned boolean NOT NULL DEFAULT false,
        reject_reason text NOT NULL DEFAULT '', remark text NOT NULL, custom_fields jsonb NOT NULL,
        watch_matches jsonb NOT NULL DEFAULT '[]',
        access_group_ids uuid[] NOT NULL, pass_methods smallint[] NOT NULL, person_id uuid, former_person_ids uuid[] NOT NULL DEFAULT '{}',
        photo_file_id uuid, face_consent boolean NOT NULL, registered_by text NOT NULL,
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`CREATE TABLE visit_peer (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, visit_id uuid NOT NULL REFERENCES visit (id) ON DELETE CASCADE,
        position smallint NOT NULL, name text NOT NULL, details bytea NOT NULL, photo_file_id uuid, person_id uuid)`.execute(db)
      await sql`CREATE TABLE visitor_pass_rule (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL, host_group_ids uuid[] NOT NULL, visitor_group_ids uuid[] NOT NULL,
        access_group_ids uuid[] NOT NULL, pass_methods smallint[] NOT NULL,
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      // One phone is there once: of two desks that sign in the same visitor, one is refused (200445).
      await sql`CREATE UNIQUE INDEX visit_present ON visit (park_id, phone_index) WHERE status IN (2, 9)`.execute(db)
      await sql`CREATE UNIQUE INDEX visitor_pass_rule_name ON visitor_pass_rule (park_id, lower(name))`.execute(db)
      for (const index of INDEXES) await sql`CREATE INDEX ${sql.raw(index)}`.execute(db)
    },
    columns: {
      visit: {
        id: 'none',
        park_id: 'none',
        status: 'none',
        source: 'none',
        channel: 'none',
        enabled: 'none',
        name: 'personal',
        details: 'personal',
        phone_index: 'personal',
        phone_ending: 'personal',
        visitor_group_id: 'none',
        visitor_number: 'none',
        host_id: 'none',
        host_name: 'personal',
        reason: 'none',
        appointed_at: 'none',
        visit_at: 'none',
        visit_end_at: 'none',
        valid_days: 'none',
        expires_at: 'none',
        entered_at: 'none',
        signed_off_at: 'none',
        ended_at: 'none',
        sign_in_source: 'none',
        forced: 'none',
        card_returned: 'none',
        reject_reason: 'personal',
        remark: 'personal',
        custom_fields: 'personal',
        watch_matches: 'none',
        access_group_ids: 'none',
        pass_methods: 'none',
        person_id: 'none',
        former_person_ids: 'none',
        photo_file_id: 'biometric',
        face_consent: 'none',
        registered_by: 'personal',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
      visit_peer: {
        id: 'none',
        park_id: 'none',
        visit_id: 'none',
        position: 'none',
        name: 'personal',
        details: 'personal',
        photo_file_id: 'biometric',
        person_id: 'none',
      },
      visitor_pass_rule: {
        id: 'none',
        park_id: 'none',
        name: 'none',
        host_group_ids: 'none',
        visitor_group_ids: 'none',
        access_group_ids: 'none',
        pass_methods: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
    },
    sealed: [VISIT_DETAILS, PEER_DETAILS],
  },
  {
    name: '20261130T1210-visitors-links',
    async up(db) {
      await sql`CREATE TABLE visitor_link (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, kind text NOT NULL, token_hash bytea NOT NULL,
        visit_id uuid REFERENCES visit (id) ON DELETE CASCADE, address text NOT NULL, visits integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL, expires_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX visitor_link_token ON visitor_link (token_hash)`.execute(db)
      await sql`CREATE INDEX visitor_link_newest ON visitor_link (park_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX visitor_link_visit ON visitor_link (visit_id)`.execute(db)
      await sql`CREATE INDEX visitor_link_end ON visitor_link (expires_at)`.execute(db)
      await sql`ALTER TABLE visit ADD COLUMN desk_checks text[] NOT NULL DEFAULT '{}'`.execute(db)
    },
    columns: {
      visit: { desk_checks: 'none' },
      visitor_link: {
        id: 'none',
        park_id: 'none',
        kind: 'none',
        token_hash: 'secret',
        visit_id: 'none',
        address: 'none',
        visits: 'none',
        created_at: 'none',
        expires_at: 'none',
      },
    },
  },
  {
    name: '20261130T1310-visitors-passes',
    async up(db) {
      await sql`CREATE TABLE visit_pass (
        id text PRIMARY KEY, park_id uuid NOT NULL, person_id uuid NOT NULL UNIQUE, one_use boolean NOT NULL,
        issued_at timestamptz(3) NOT NULL, used_at timestamptz(3), used_device_id uuid, used_moment timestamptz(3))`.execute(db)
      await sql`CREATE INDEX visit_pass_park ON visit_pass (park_id)`.execute(db)
      await sql`CREATE TABLE visit_pass_key (
        park_id uuid NOT NULL, id text NOT NULL, public_key bytea NOT NULL, private_key bytea,
        created_at timestamptz(3) NOT NULL, ends_at timestamptz(3), PRIMARY KEY (park_id, id))`.execute(db)
      // One key of a park signs: of two first uses at once, the second takes the key of the first.
      await sql`CREATE UNIQUE INDEX visit_pass_key_current ON visit_pass_key (park_id) WHERE ends_at IS NULL`.execute(db)
    },
    columns: {
      visit_pass: {
        id: 'none',
        park_id: 'none',
        person_id: 'none',
        one_use: 'none',
        issued_at: 'none',
        used_at: 'none',
        used_device_id: 'none',
        used_moment: 'none',
      },
      visit_pass_key: { park_id: 'none', id: 'none', public_key: 'none', private_key: 'secret', created_at: 'none', ends_at: 'none' },
    },
    sealed: [PASS_PRIVATE_KEY],
  },
  {
    name: '20261130T1450-visitors-machines',
    async up(db) {
      // What a visitor machine said of a visit outlives the visit, so that repeating it changes nothing; it names nobody.
      await sql`CREATE TABLE visit_machine_event (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, device_id uuid NOT NULL, device_name text NOT NULL, event_id text NOT NULL,
        visit_id uuid REFERENCES visit (id) ON DELETE SET NULL, kind text NOT NULL, occurred_at timestamptz(3) NOT NULL,
        received_at timestamptz(3) NOT NULL, status smallint, reason text, settled_at timestamptz(3))`.execute(db)
      await sql`CREATE UNIQUE INDEX visit_machine_event_once ON visit_machine_event (device_id, event_id)`.execute(db)
      await sql`CREATE INDEX visit_machine_event_visit ON visit_machine_event (visit_id) WHERE visit_id IS NOT NULL`.execute(db)
      await sql`CREATE INDEX visit_machine_event_orphaned ON visit_machine_event (received_at) WHERE visit_id IS NULL`.execute(db)
      await sql`CREATE INDEX visit_machine_event_open ON visit_machine_event (park_id, received_at DESC, id DESC)
        WHERE reason IS NOT NULL AND settled_at IS NULL`.execute(db)
    },
    columns: {
      visit_machine_event: {
        id: 'none',
        park_id: 'none',
        device_id: 'none',
        device_name: 'none',
        event_id: 'none',
        visit_id: 'none',
        kind: 'none',
        occurred_at: 'none',
        received_at: 'none',
        status: 'none',
        reason: 'none',
        settled_at: 'none',
      },
    },
  },
  documentsMigration,
  importsMigration,
]
