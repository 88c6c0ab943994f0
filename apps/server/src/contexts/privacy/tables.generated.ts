/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    erasure: {
      id: string
      parkId: string
      number: string
      personId: string
      kind: string
      origin: string
      reason: string
      requestedBy: string
      requestedAt: number
      completedAt: number | null
      pseudonymised: boolean
      leftoversSince: number | null
    }
    erasurePlace: {
      erasureId: string
      parkId: string
      position: number
      place: string
      name: string
      deviceId: string | null
      state: string
      count: number
      at: number | null
      removed: Generated<boolean>
      fileIds: Generated<string[]>
      devicePark: string | null
    }
    leftovers: {
      since: number
    }
    personConsent: {
      id: string
      parkId: string
      personId: string
      state: string
      channel: string
      notedBy: string
      note: string
      at: number
    }
  }
}
