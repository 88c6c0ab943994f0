/** Tables of associated rules. Each is a strategy of the park that lets pass, with one row more: whose persons it is about. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    associatedRule: {
      /** The link it holds by; another link with the same park is not this one. */
      relationId: string
      /** The park whose persons it is about. */
      linkedPark: string
      /** All whom the link is about; else those the strategy names. */
      everybody: boolean
      /** Everybody was asked for. False where that was not yet demanded when the rule was saved. */
      everybodyConfirmed: boolean
    }
  }
}

export const associatedRuleMigrations: ContextMigration[] = [
  {
    name: '20261122T2155-access-associated-rules',
    async up(db) {
      await sql`CREATE TABLE associated_rule (
        strategy_id uuid PRIMARY KEY REFERENCES strategy (id) ON DELETE CASCADE, park_id uuid NOT NULL, relation_id uuid NOT NULL,
        linked_park uuid NOT NULL, everybody boolean NOT NULL)`.execute(db)
      await sql`CREATE INDEX associated_rule_park ON associated_rule (park_id)`.execute(db)
      await sql`CREATE INDEX associated_rule_linked_park ON associated_rule (linked_park)`.execute(db)
      await sql`ALTER TABLE access_record ADD COLUMN person_park_name text`.execute(db)
    },
    columns: {
      associated_rule: { strategy_id: 'none', park_id: 'none', relation_id: 'none', linked_park: 'none', everybody: 'none' },
      access_record: { person_park_name: 'none' },
    },
  },
  {
    name: '20261126T1801-access-associated-rules-everybody-confirmed',
    async up(db) {
      await sql`ALTER TABLE associated_rule ADD COLUMN everybody_confirmed boolean NOT NULL DEFAULT false`.execute(db)
    },
    columns: { associated_rule: { everybody_confirmed: 'none' } },
  },
]
