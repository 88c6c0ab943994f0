/** Tables of access groups: doors under one name, for strategies to name as one. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** What an access group can name. */
export type DoorKind = 'device' | 'deviceGroup'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    accessGroupMember: {
      kind: DoorKind
    }
  }
}

export const accessGroupMigrations: ContextMigration[] = [
  {
    name: '20261122T1905-access-groups',
    async up(db) {
      await sql`CREATE TABLE access_group (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL,
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`CREATE UNIQUE INDEX access_group_name ON access_group (park_id, lower(name))`.execute(db)
      await sql`CREATE TABLE access_group_member (
        group_id uuid NOT NULL REFERENCES access_group (id) ON DELETE CASCADE, park_id uuid NOT NULL, kind text NOT NULL,
        member_id uuid NOT NULL,
        PRIMARY KEY (group_id, kind, member_id))`.execute(db)
      await sql`CREATE INDEX access_group_member_member ON access_group_member (park_id, kind, member_id)`.execute(db)
    },
    columns: {
      access_group: { id: 'none', park_id: 'none', name: 'none', created_at: 'none', updated_at: 'none', version: 'none' },
      access_group_member: { group_id: 'none', park_id: 'none', kind: 'none', member_id: 'none' },
    },
  },
]
