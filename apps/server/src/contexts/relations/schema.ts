/** Tables of linked parks. A row belongs to two parks; whom it is about belongs to the one that applied. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export const relationsMigrations: ContextMigration[] = [
  {
    name: '20261122T0605-relations-initial',
    async up(db) {
      await sql`CREATE TABLE park_relation (
        id uuid PRIMARY KEY, applicant_park uuid NOT NULL, receiver_park uuid NOT NULL, status text NOT NULL, remark text NOT NULL,
        created_at timestamptz(3) NOT NULL, decided_at timestamptz(3), version integer NOT NULL DEFAULT 1)`.execute(db)
      // Two parks are asked for or linked once, whichever of them applied.
      await sql`CREATE UNIQUE INDEX park_relation_open ON park_relation (least(applicant_park, receiver_park), greatest(applicant_park,
        receiver_park)) WHERE status IN ('applied', 'agreed')`.execute(db)
      await sql`CREATE INDEX park_relation_applicant ON park_relation (applicant_park, created_at DESC)`.execute(db)
      await sql`CREATE INDEX park_relation_receiver ON park_relation (receiver_park, created_at DESC)`.execute(db)
      await sql`CREATE TABLE park_relation_member (
        relation_id uuid NOT NULL REFERENCES park_relation (id) ON DELETE CASCADE, kind text NOT NULL, member_id uuid NOT NULL,
        PRIMARY KEY (relation_id, kind, member_id))`.execute(db)
      await sql`CREATE INDEX park_relation_member_id ON park_relation_member (member_id)`.execute(db)
    },
    columns: {
      park_relation: {
        id: 'none',
        applicant_park: 'none',
        receiver_park: 'none',
        status: 'none',
        remark: 'none',
        created_at: 'none',
        decided_at: 'none',
        version: 'none',
      },
      park_relation_member: { relation_id: 'none', kind: 'none', member_id: 'none' },
    },
  },
]
