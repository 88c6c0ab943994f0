/** Tables of the plan on which the way of a face is shown. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export const searchMigrations: ContextMigration[] = [
  {
    name: '20261130T1956-surveillance-map',
    async up(db) {
      await sql`CREATE TABLE map_plan (park_id uuid PRIMARY KEY, version integer NOT NULL)`.execute(db)
      await sql`CREATE TABLE map_position (
        device_id uuid PRIMARY KEY, park_id uuid NOT NULL, x double precision NOT NULL, y double precision NOT NULL)`.execute(db)
      await sql`CREATE INDEX map_position_of_park ON map_position (park_id)`.execute(db)
    },
    columns: {
      map_plan: { park_id: 'none', version: 'none' },
      map_position: { device_id: 'none', park_id: 'none', x: 'none', y: 'none' },
    },
  },
]
