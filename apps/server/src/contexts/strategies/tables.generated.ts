/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    accessGroup: {
      id: string
      parkId: string
      name: string
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
    accessGroupMember: {
      groupId: string
      parkId: string
      kind: string
      memberId: string
    }
    associatedRule: {
      strategyId: string
      parkId: string
      relationId: string
      linkedPark: string
      everybody: boolean
      everybodyConfirmed: Generated<boolean>
    }
    strategy: {
      id: string
      parkId: string
      name: string
      kind: string
      methods: number[]
      isDefault: Generated<boolean>
      validFrom: number | null
      validTo: number | null
      createdAt: number
      updatedAt: number
      version: Generated<number>
      authorisedObject: Generated<string>
      directAt: string | null
    }
    strategyMember: {
      strategyId: string
      parkId: string
      kind: string
      memberId: string
    }
    strategyTimeRule: {
      strategyId: string
      timeRuleId: string
    }
    timeRule: {
      id: string
      parkId: string
      name: string
      periods: Json<unknown>
      allowedDates: string[]
      forbiddenDates: string[]
      effectiveDate: string | null
      isDefault: Generated<boolean>
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
  }
}
