/** Tables of the organisation tree. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/migrations.ts'

export interface OrganisationTables {
  organisation: {
    id: string
    area_code: string
    name: string
    code: string
    type: number
    park_type: number | null
    parent_id: string | null
    zone: string
    show_customer_manager: boolean
    staff_face_register: boolean
    customer_face_register: boolean
    /** Present while the park is a demo campus: how many of its pieces are made. */
    demo_done: number | null
    demo_total: number | null
    created_at: Date | number
    updated_at: Date | number
    version: number
  }
}

export const organisationMigrations: ContextMigration[] = [
  {
    name: '20261120T1801-organisation-initial',
    async up(db) {
      await sql`CREATE TABLE organisation (
        id uuid PRIMARY KEY,
        area_code text NOT NULL CONSTRAINT organisation_area_code UNIQUE,
        name text NOT NULL,
        code text NOT NULL,
        type smallint NOT NULL,
        park_type smallint,
        parent_id uuid REFERENCES organisation (id),
        zone text NOT NULL,
        show_customer_manager boolean NOT NULL DEFAULT false,
        staff_face_register boolean NOT NULL DEFAULT false,
        customer_face_register boolean NOT NULL DEFAULT false,
        demo_done integer,
        demo_total integer,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        version integer NOT NULL DEFAULT 1)`.execute(db)
    },
    columns: {
      organisation: {
        id: 'none',
        area_code: 'none',
        name: 'none',
        code: 'none',
        type: 'none',
        park_type: 'none',
        parent_id: 'none',
        zone: 'none',
        show_customer_manager: 'none',
        staff_face_register: 'none',
        customer_face_register: 'none',
        demo_done: 'none',
        demo_total: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
    },
  },
]
