/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    alertAccount: {
      userId: string
      parkId: string
      visitCheck: boolean
      visitArrive: boolean
      sendExpiredCustomers: boolean
      deviceSystemResourceAlert: boolean
      deviceEvent: boolean
      aiBoxEvent: boolean
      surveillances: string[]
      updatedAt: number
      watchListHit: Generated<boolean>
      deviceOffline: Generated<boolean>
    }
  }
}
