/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    deviceAbsence: {
      id: string
      parkId: string
      deviceId: string
      since: number
      until: number | null
    }
    deviceLog: {
      id: string
      parkId: string
      deviceId: string
      deviceName: string
      operator: string
      status: number
      errorType: number | null
      requestedAt: number
      askedAt: number | null
      finishedAt: number | null
      fileId: string | null
      size: number
    }
    deviceResource: {
      deviceId: string
      parkId: string
      cpu: number
      memory: number
      disk: number
      at: number
    }
    deviceResourceAlert: {
      id: string
      parkId: string
      deviceId: string
      kind: string
      value: number
      threshold: number
      raisedAt: number
      clearedAt: number | null
      status: Generated<number>
      operator: Generated<string>
      dealingRecord: Generated<string>
      dealtAt: number | null
      escalatedAt: number | null
    }
  }
}
