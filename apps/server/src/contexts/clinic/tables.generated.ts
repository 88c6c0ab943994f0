/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    recordCorrection: {
      id: string
      parkId: string
      recordId: string
      recordTime: number
      deviceId: string
      personId: string
      actualPersonId: string | null
      pairId: string | null
      askedAside: string[]
      setAside: Json<unknown>
      threshold: number | null
      thresholdBefore: number | null
      note: string
      createdBy: string
      createdAt: number
    }
  }
}
