/** Tables of persons and their groups. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/migrations.ts'

export interface PeopleTables {
  person_group: {
    id: string
    park_id: string
    name: string
    parent_id: string | null
    type: number
    position: number
    created_at: Date | number
  }
  person: {
    id: string
    park_id: string
    group_id: string
    kind: string
    name: string
    work_number: string | null
    phone: string | null
    gender: number
    card_number: string | null
    /** Encrypted; equality goes by `id_number_index`. */
    id_number: Buffer | null
    id_number_index: Buffer | null
    birthday: string | null
    valid_from: Date | number | null
    valid_to: Date | number | null
    enabled: boolean
    remark: string
    face_count: number
    created_at: Date | number
    updated_at: Date | number
    version: number
  }
}

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
        phone: 'personal',
        gender: 'personal',
        card_number: 'personal',
        id_number: 'personal',
        id_number_index: 'personal',
        birthday: 'personal',
        valid_from: 'none',
        valid_to: 'none',
        enabled: 'none',
        remark: 'personal',
        face_count: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
    },
  },
]
