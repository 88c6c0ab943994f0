/** Tables of strategies and time rules. */
import type { Json } from '../../platform/database/json.ts'
import type { Period } from '@gatehouse/access-rules'
import type { authorisedObject, ValueOf } from '@gatehouse/contract/enums'
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { accessGroupMigrations } from './access-groups-schema.ts'
import { associatedRuleMigrations } from './associated-rules-schema.ts'
import { contactPassageMigrations } from './contacts-schema.ts'
import { directStrategyMigrations } from './direct-strategies-schema.ts'
import { initialMigration } from './initial-schema.ts'

/** What a strategy can name besides time rules. */
export type MemberKind = 'person' | 'personGroup' | 'device' | 'deviceGroup' | 'accessGroup'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    timeRule: {
      periods: Json<Period[]>
    }
    strategy: {
      /** Who passes by it: the persons, their contacts, or both. */
      authorisedObject: ValueOf<typeof authorisedObject>
      /** The one door or access group at which it permits persons directly; null: an ordinary strategy. */
      directAt: string | null
    }
    strategyMember: {
      kind: MemberKind
    }
  }
}

export const strategyMigrations: ContextMigration[] = [
  initialMigration,
  ...accessGroupMigrations,
  ...associatedRuleMigrations,
  ...contactPassageMigrations,
  ...directStrategyMigrations,
  {
    name: '20261128T1815-access-strategy-default',
    async up(db) {
      await sql`CREATE UNIQUE INDEX strategy_default ON strategy (park_id, kind) WHERE is_default`.execute(db)
    },
    columns: {},
  },
]
