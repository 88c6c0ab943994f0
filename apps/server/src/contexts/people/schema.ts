/** Tables of persons and their groups. */
import type { Json } from '../../platform/database/json.ts'
import { sql } from 'kysely'
import type { PlainField } from '@gatehouse/contract/people/plain-fields'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'
import { detailsMigration } from './details-migration.ts'
import { peopleIndexes, watchListIndex } from './indexes.ts'
import { spellingMigration } from './spelling-migration.ts'

/** Columns of the plain fields, as code calls them. */
export const PLAIN_COLUMNS = { nationality: 'nationality' } as const satisfies Record<PlainField, string>

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    person: {
      /** What the name is typed as in pinyin (`spelling.ts`). */
      spelling: string
      /** Phone, card, day of birth and remark, encrypted (`details.ts`); null: there is nothing of it. */
      details: Buffer | null
      /** Of the number as such, however it is written: two cards of one number are one. */
      cardIndex: Buffer | null
      /** Encrypted; equality goes by `id_number_index`. */
      idNumber: Buffer | null
      /** File ids of pictures. */
      idPhoto: string | null
      /** Encrypted; equality goes by `personal_password_index`. */
      personalPassword: Buffer | null
      /** none, given, withdrawn. */
      consent: string
      /** Values by the id of the form's field. */
      customFields: Json<Record<string, string>>
      /** Access methods the person may use, of those of the access rules; null: all of them. */
      passMethods: number[] | null
      /** The person this one is a copy of, so that a copy made twice is made once. */
      copiedFrom: string | null
    }
    personContact: {
      /** Encrypted. */
      phoneSealed: Buffer
    }
    /** What rows elsewhere name deleted persons of the watch list by, so that deleting them shows those rows to nobody new. */
    formerWatched: {
      /** Of the person, of a contact of theirs, or the pseudonym of a person who was erased. */
      id: string
      /** The park of the person; of a pseudonym the park whose records it stands in. */
      parkId: string
    }
  }
}

export const ID_NUMBER: SealedColumn = { table: 'person', column: 'id_number', park: 'park_id', key: ['id'] }
export const PERSONAL_PASSWORD: SealedColumn = { table: 'person', column: 'personal_password', park: 'park_id', key: ['id'] }

export const peopleMigrations: ContextMigration[] = [
  {
    name: '20261120T1804-people-initial',
    async up(db) {
      await sql`CREATE TABLE person_group (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL, parent_id uuid REFERENCES person_group (id),
        type smallint NOT NULL, position integer NOT NULL DEFAULT 0, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX person_group_name ON person_group (park_id, coalesce(parent_id, park_id), lower(name))`.execute(db)
      await sql`CREATE TABLE person (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, group_id uuid NOT NULL REFERENCES person_group (id), kind text NOT NULL,
        name text NOT NULL, work_number text, phone text, gender smallint NOT NULL, card_number text,
        id_number bytea, id_number_index bytea, birthday date,
        valid_from timestamptz(3), valid_to timestamptz(3), enabled boolean NOT NULL DEFAULT true, remark text NOT NULL DEFAULT '',
        face_count smallint NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`CREATE UNIQUE INDEX person_work_number ON person (park_id, work_number)`.execute(db)
      await sql`CREATE UNIQUE INDEX person_phone ON person (park_id, phone)`.execute(db)
      await sql`CREATE UNIQUE INDEX person_card_number ON person (park_id, card_number)`.execute(db)
      await sql`CREATE UNIQUE INDEX person_id_number ON person (park_id, id_number_index)`.execute(db)
      await sql`CREATE INDEX person_newest ON person (park_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX person_group_id ON person (group_id)`.execute(db)
      await sql`CREATE INDEX person_valid_to ON person (park_id, valid_to) WHERE valid_to IS NOT NULL`.execute(db)
      await sql`CREATE INDEX person_name_search ON person USING gin (name gin_trgm_ops)`.execute(db)
    },
    columns: {
      person_group: { id: 'none', park_id: 'none', name: 'none', parent_id: 'none', type: 'none', position: 'none', created_at: 'none' },
      person: {
        id: 'none',
        park_id: 'none',
        group_id: 'none',
        kind: 'none',
        name: 'personal',
        work_number: 'personal',
        gender: 'personal',
        id_number: 'personal',
        id_number_index: 'personal',
        valid_from: 'none',
        valid_to: 'none',
        enabled: 'none',
        face_count: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
    },
  },
  {
    name: '20261122T0600-people-complete',
    async up(db) {
      await sql`ALTER TABLE person ADD COLUMN card_type smallint NOT NULL DEFAULT 0,
        ADD COLUMN card_number_format text NOT NULL DEFAULT 'decimal',
        ADD COLUMN id_type text, ADD COLUMN nationality text, ADD COLUMN id_photo uuid, ADD COLUMN registration_photo uuid,
        ADD COLUMN personal_password bytea, ADD COLUMN personal_password_index bytea,
        ADD COLUMN consent text NOT NULL DEFAULT 'none', ADD COLUMN consent_at timestamptz(3),
        ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN card_key text, ADD COLUMN copied_from uuid REFERENCES person (id) ON DELETE SET NULL`.execute(db)
      // Of cards that turn out to be one, all but the first keep their number as it was written.
      await sql`UPDATE person SET card_key = CASE WHEN card.nth = 1 THEN card.key ELSE '=' || card_number END
        FROM (SELECT id AS of, key, row_number() OVER (PARTITION BY park_id, key ORDER BY created_at, id) AS nth
                FROM person, LATERAL (SELECT CASE WHEN card_number ~ '^[0-9]+$' THEN card_number::numeric::text 
                  ELSE '=' || card_number END AS key) AS made
               WHERE card_number IS NOT NULL) AS card
       WHERE person.id = card.of`.execute(db)
      await sql`DROP INDEX person_card_number`.execute(db)
      await sql`CREATE UNIQUE INDEX person_card_number ON person (park_id, card_key)`.execute(db)
      await sql`CREATE INDEX person_copied_from ON person (copied_from) WHERE copied_from IS NOT NULL`.execute(db)
      await sql`CREATE UNIQUE INDEX person_personal_password ON person (park_id, personal_password_index)`.execute(db)
      await sql`CREATE TABLE person_contact (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, person_id uuid NOT NULL REFERENCES person (id) ON DELETE CASCADE,
        relation smallint NOT NULL, name text NOT NULL, phone text NOT NULL, gender smallint NOT NULL,
        created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX person_contact_person ON person_contact (person_id, created_at)`.execute(db)
    },
    columns: {
      person: {
        card_type: 'personal',
        card_number_format: 'none',
        id_type: 'personal',
        nationality: 'personal',
        id_photo: 'none',
        registration_photo: 'none',
        personal_password: 'secret',
        personal_password_index: 'secret',
        consent: 'none',
        consent_at: 'none',
        custom_fields: 'personal',
        copied_from: 'none',
      },
      person_contact: {
        id: 'none',
        park_id: 'none',
        person_id: 'none',
        relation: 'personal',
        name: 'personal',
        gender: 'personal',
        created_at: 'none',
      },
    },
  },
  peopleIndexes,
  {
    name: '20261122T0630-people-group-trees',
    async up(db) {
      // Groups of staff, of persons to look out for and of visitors are trees of their own: a name is taken within one.
      await sql`DROP INDEX person_group_name`.execute(db)
      await sql`CREATE UNIQUE INDEX person_group_name ON person_group (park_id, type, coalesce(parent_id, park_id), lower(name))`.execute(
        db,
      )
    },
    columns: {},
  },
  {
    name: '20261126T2110-people-former-watched',
    async up(db) {
      await sql`CREATE TABLE former_watched (id uuid PRIMARY KEY, park_id uuid NOT NULL)`.execute(db)
      await sql`CREATE INDEX former_watched_park ON former_watched (park_id)`.execute(db)
    },
    columns: { former_watched: { id: 'none', park_id: 'none' } },
  },
  boundMigration('20261127T1309-people-bound', [ID_NUMBER, PERSONAL_PASSWORD]),
  detailsMigration,
  watchListIndex,
  spellingMigration,
  {
    name: '20261130T1000-people-visitors',
    async up(db) {
      await sql`ALTER TABLE person ADD COLUMN pass_methods smallint[]`.execute(db)
    },
    columns: { person: { pass_methods: 'none' } },
  },
]
