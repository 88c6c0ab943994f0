/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    operationLog: {
      id: string
      parkId: string
      userId: string | null
      account: string
      operator: string
      source: string
      method: string
      url: string
      ip: string
      occurredAt: number
      changes: Json<unknown>
      module: string
      labels: Generated<string | null>
    }
    readLog: {
      id: string
      parkId: string
      userId: string | null
      account: string
      operator: string
      source: string
      method: string
      url: string
      ip: string
      occurredAt: number
      subjects: string[]
      persons: number | null
      reason: string | null
    }
  }
}
