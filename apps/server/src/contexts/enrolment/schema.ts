/** Tables of this context. */
import { sql } from 'kysely'
import { boundMigration, forRows, setRows } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { placeOf, type SealedColumn } from '../../platform/encryption/sealed-column.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    enrolmentLink: {
      /** Hash of the token; the token itself is only in the address that the caller received. */
      tokenHash: Buffer
      /** Null: for any person who has the link. */
      personId: string | null
    }
    personApplication: {
      /** Null for an application by a third party. */
      linkId: string | null
      /** Blind index of the person and the source: a repeated application replaces a pending one. */
      identity: Buffer
      /** Person whom it changes, or who was registered by it. */
      personId: string | null
      /** Encrypted. */
      phoneSealed: Buffer | null
      /** Null without a photo, and after the decision. */
      fileId: string | null
      /** Encrypted; for the search of similar people. */
      template: Buffer | null
      /** Centre of the face as fractions of the picture's width and height, in case there are several people on it. */
      faceX: number | null
      /** File of a second photo, like `fileId`. */
      secondFileId: string | null
      /** End of the claim while it is being decided. */
      claimedUntil: number | null
    }
  }
}

export const APPLICATION_TEMPLATE: SealedColumn = { table: 'person_application', column: 'template', park: 'park_id', key: ['id'] }

export const APPLICATION_PHONE: SealedColumn = { table: 'person_application', column: 'phone_sealed', park: 'park_id', key: ['id'] }

const applicationPhoneMigration: ContextMigration = {
  name: '20261127T1311-enrolment-phone',
  async up(db, keys) {
    await sql`ALTER TABLE person_application ADD COLUMN phone_sealed bytea`.execute(db)
    await forRows<{ id: string; park_id: string; phone: string | null }>(
      db,
      'person_application',
      ['id', 'park_id', 'phone'],
      async (rows) => {
        const withPhone = rows.flatMap(({ phone, ...row }) => (phone === null ? [] : [{ ...row, phone }]))
        const crypto = await keys()
        const sealed = withPhone.map(async ({ id, park_id: parkId, phone }) => ({
          id,
          phone_sealed: await crypto.seal(parkId, placeOf(APPLICATION_PHONE, id), Buffer.from(phone)),
        }))
        await setRows(db, 'person_application', ['id'], await Promise.all(sealed))
      },
    )
    await sql`ALTER TABLE person_application DROP COLUMN phone`.execute(db)
  },
  columns: { person_application: { phone_sealed: 'personal' } },
  sealed: [APPLICATION_PHONE],
}

export const enrolmentMigrations: ContextMigration[] = [
  {
    name: '20261122T0604-enrolment-initial',
    async up(db) {
      await sql`CREATE TABLE enrolment_link (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, token_hash bytea NOT NULL, person_id uuid, group_id uuid NOT NULL, kind text NOT NULL,
        created_at timestamptz(3) NOT NULL, expires_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX enrolment_link_token ON enrolment_link (token_hash)`.execute(db)
      await sql`CREATE INDEX enrolment_link_newest ON enrolment_link (park_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE TABLE person_application (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, source text NOT NULL, system text NOT NULL, link_id uuid, identity bytea NOT NULL,
        state text NOT NULL,
        person_id uuid, kind text NOT NULL, name text NOT NULL, work_number text, phone text, gender smallint NOT NULL,
        group_id uuid NOT NULL,
        file_id uuid, model_id text, template bytea, face_x real, face_y real, consent boolean NOT NULL,
        created_at timestamptz(3) NOT NULL, decided_at timestamptz(3), decided_by text NOT NULL DEFAULT '', reason text NOT NULL DEFAULT '',
        claimed_until timestamptz(3))`.execute(db)
      await sql`CREATE UNIQUE INDEX person_application_pending ON person_application (park_id, identity) WHERE state = 'pending'`.execute(
        db,
      )
      await sql`CREATE INDEX person_application_queue ON person_application (park_id, state, created_at, id)`.execute(db)
      await sql`CREATE INDEX person_application_identity ON person_application (park_id, identity)`.execute(db)
      await sql`CREATE INDEX person_application_link ON person_application (link_id)`.execute(db)
      await sql`CREATE INDEX person_application_person ON person_application (park_id, person_id)`.execute(db)
      await sql`CREATE TABLE enrolment_try (subject bytea PRIMARY KEY, count integer NOT NULL, until timestamptz(3) NOT NULL)`.execute(db)
    },
    columns: {
      enrolment_link: {
        id: 'none',
        park_id: 'none',
        token_hash: 'secret',
        person_id: 'none',
        group_id: 'none',
        kind: 'none',
        created_at: 'none',
        expires_at: 'none',
      },
      person_application: {
        id: 'none',
        park_id: 'none',
        source: 'none',
        system: 'none',
        link_id: 'none',
        identity: 'personal',
        state: 'none',
        person_id: 'none',
        kind: 'none',
        name: 'personal',
        work_number: 'personal',
        gender: 'personal',
        group_id: 'none',
        file_id: 'biometric',
        model_id: 'none',
        template: 'biometric',
        face_x: 'none',
        face_y: 'none',
        consent: 'none',
        created_at: 'none',
        decided_at: 'none',
        decided_by: 'none',
        reason: 'personal',
        claimed_until: 'none',
      },
    },
  },
  {
    // Attempts are counted in the same table as those of signing in.
    name: '20261123T1655-enrolment-tries',
    async up(db) {
      await sql`DROP TABLE enrolment_try`.execute(db)
    },
    columns: {},
  },
  boundMigration('20261127T1250-enrolment-bound', [APPLICATION_TEMPLATE]),
  applicationPhoneMigration,
  {
    name: '20261129T0640-enrolment-second-photograph',
    async up(db) {
      await sql`ALTER TABLE person_application ADD COLUMN second_file_id uuid, ADD COLUMN second_face_x real,
        ADD COLUMN second_face_y real`.execute(db)
    },
    columns: { person_application: { second_file_id: 'biometric', second_face_x: 'none', second_face_y: 'none' } },
  },
]
