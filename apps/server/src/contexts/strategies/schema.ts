/** Tables of strategies and time rules. */
import type { Period } from '@gatehouse/access-rules'
import type { authorisedObject, ValueOf } from '@gatehouse/contract/enums'
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { accessGroupMigrations, type AccessGroupTables } from './access-groups-schema.ts'
import { associatedRuleMigrations, type AssociatedRuleTables } from './associated-rules-schema.ts'
import { contactPassageMigrations } from './contacts-schema.ts'
import { directStrategyMigrations } from './direct-strategies-schema.ts'
import { initialMigration } from './initial-schema.ts'

/** What a strategy can name besides time rules. */
export type MemberKind = 'person' | 'personGroup' | 'device' | 'deviceGroup' | 'accessGroup'

export interface StrategyTables extends AccessGroupTables, AssociatedRuleTables {
  time_rule: {
    id: string
    park_id: string
    name: string
    /** Written as JSON text. */
    periods: Period[] | string
    allowed_dates: string[]
    forbidden_dates: string[]
    effective_date: string | null
    is_default: boolean
    created_at: Date | number
    updated_at: Date | number
    version: number
  }
  strategy: {
    id: string
    park_id: string
    name: string
    kind: string
    methods: number[]
    is_default: boolean
    /** Who passes by it: the persons, their contacts, or both. */
    authorised_object: ValueOf<typeof authorisedObject>
    /** The one door or access group at which it permits persons directly; null: an ordinary strategy. */
    direct_at: string | null
    valid_from: Date | number | null
    valid_to: Date | number | null
    created_at: Date | number
    updated_at: Date | number
    version: number
  }
  strategy_member: { strategy_id: string; park_id: string; kind: MemberKind; member_id: string }
  strategy_time_rule: { strategy_id: string; time_rule_id: string }
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
