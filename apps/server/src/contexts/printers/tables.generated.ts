/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    printJob: {
      id: string
      parkId: string
      printerId: string
      visitId: string | null
      clientKey: string | null
      media: string
      language: string
      masked: boolean
      state: string
      reason: string | null
      attempts: number
      nextAt: number | null
      claimedUntil: number | null
      sentAt: number | null
      jobNumber: number | null
      userId: string
      requestedBy: string
      createdAt: number
      endedAt: number | null
    }
    printer: {
      id: string
      parkId: string
      name: string
      serialNumber: string
      kind: string
      address: string | null
      media: string
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
  }
}
