/** Which park is the demo campus, and what of it the demo made. */
import type { Json } from '../../platform/database/json.ts'
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { unmarkedMigration } from './unmarked-migration.ts'

/** A node of the tree as the demo found it and as the demo renamed it. */
export interface RenamedNode {
  id: string
  before: { name: string; zone: string }
  after: { name: string; zone: string }
}

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    demo: {
      /** `preparing`: being made; `ready`: complete; `removing`: being removed; `removed`: gone, and not made again. */
      state: string
      /** Steps of the making that are done. */
      done: number
      /** Time from which the demo counts; null where another version began it. */
      beganAt: number | null
      /** The session that makes the demo: everything it creates belongs to the demo. */
      tokenId: string | null
      /** Numbers of removed things by kind. */
      removed: Json<unknown>
    }
    /** Things the demo made, written in the transaction that made each. */
    demoThing: {}
  }
}

export const demoMigrations: ContextMigration[] = [
  {
    name: '20261126T1815-demo-initial',
    async up(db) {
      await sql`CREATE TABLE demo (
        park_id uuid PRIMARY KEY REFERENCES organisation (id) ON DELETE CASCADE,
        state text NOT NULL CHECK (state IN ('preparing', 'ready', 'removing', 'removed')), done integer NOT NULL, total integer NOT NULL,
        began_at timestamptz(3), token_id uuid CONSTRAINT demo_token UNIQUE, renamed jsonb NOT NULL DEFAULT '[]',
        removed jsonb NOT NULL DEFAULT '{}')`.execute(db)
      await sql`CREATE TABLE demo_thing (
        park_id uuid NOT NULL REFERENCES demo (park_id) ON DELETE CASCADE, entity text NOT NULL, id uuid NOT NULL, PRIMARY KEY (park_id,
        entity, id))`.execute(db)
    },
    columns: {
      demo: {
        park_id: 'none',
        state: 'none',
        done: 'none',
        total: 'none',
        began_at: 'none',
        token_id: 'none',
        renamed: 'none',
        removed: 'none',
      },
      demo_thing: { park_id: 'none', entity: 'none', id: 'none' },
    },
  },
  unmarkedMigration,
]
