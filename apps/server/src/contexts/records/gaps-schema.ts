/** The table of gaps in the numbers of records, and the columns of what sensors measured. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** Sequence numbers of an epoch for which no record will arrive: the device no longer has them. Both ends inclusive. */
    recordGap: {}
  }
}

export const recordGapMigrations: ContextMigration[] = [
  {
    name: '20261120T2145-access-record-gaps',
    async up(db) {
      await sql`CREATE TABLE record_gap (
        device_id uuid NOT NULL, epoch text NOT NULL, from_seq bigint NOT NULL, to_seq bigint NOT NULL, park_id uuid NOT NULL,
        noted_at timestamptz(3) NOT NULL, PRIMARY KEY (device_id, epoch, from_seq))`.execute(db)
      await sql`CREATE INDEX record_gap_park ON record_gap (park_id)`.execute(db)
    },
    columns: {
      record_gap: { device_id: 'none', epoch: 'none', from_seq: 'none', to_seq: 'none', park_id: 'none', noted_at: 'none' },
    },
  },
  {
    name: '20261122T1242-access-record-measured',
    async up(db) {
      await sql`ALTER TABLE access_record ADD COLUMN temperature real, ADD COLUMN temperature_status smallint, ADD COLUMN mask smallint,
        ADD COLUMN helmet smallint`.execute(db)
    },
    columns: {
      access_record: { temperature: 'personal', temperature_status: 'personal', mask: 'personal', helmet: 'personal' },
    },
  },
]
