/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    restrictionArea: {
      id: string
      parkId: string
      name: string
      limitType: string
      antiSneakBack: boolean
      flowLimit: boolean
      limitCount: number | null
      offlinePolicy: string
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
    restrictionDevice: {
      areaId: string
      parkId: string
      deviceId: string
      kind: string
      since: number
    }
    restrictionMuster: {
      id: string
      parkId: string
      areaId: string
      beganAt: number
      beganBy: string
      endedAt: number | null
    }
    restrictionMusterMet: {
      musterId: string
      parkId: string
      personId: string
      metAt: number
      metBy: string
    }
    restrictionPassage: {
      deviceId: string
      personId: string
      moment: number
      parkId: string
      areaId: string
      entering: boolean
      askedAt: number | null
      notedAt: number
      state: string
    }
    restrictionPerson: {
      areaId: string
      parkId: string
      personId: string
      inside: boolean | null
      at: number
      source: string
      deviceId: string | null
    }
  }
}
