/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    settingsPart: {
      parkId: string
      part: string
      content: Json<unknown>
      createdAt: number
    }
    syncAudience: {
      id: string
      parkId: string
      strategyIds: string[]
      head: number
      compareSeq: number
      digest: Buffer
      updatedAt: number
    }
    syncChange: {
      audienceId: string
      personId: string
      seq: number
      changedAt: number
    }
    syncDevice: {
      deviceId: string
      parkId: string
      audienceId: string | null
      cursor: Generated<number>
      digest: Generated<string>
      revision: Generated<string>
      persons: Generated<number>
      failed: Generated<number>
      heldAt: number | null
      assignedAt: number
      tellsErasures: Generated<boolean>
      erasureId: string | null
      photoMissing: Generated<number>
    }
    syncErasure: {
      id: string
      parkId: string
      seq: number
      personId: string
      notedAt: number
    }
    syncException: {
      deviceId: string
      personId: string
      parkId: string
      version: string
      reason: string
      cursor: number
      since: number
    }
  }
}
