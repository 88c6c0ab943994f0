/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    pendingChange: {
      id: string
      parkId: string
      kind: string
      subjectId: string | null
      label: string
      body: Buffer | null
      breaches: Json<unknown>
      state: string
      requestedById: string
      requestedBy: string
      requestedAt: number
      expiresAt: number
      decidedBy: Generated<string>
      decidedAt: number | null
      remark: Generated<string>
      passages: Json<unknown> | null
    }
    writtenRule: {
      id: string
      parkId: string
      name: string
      everybodyExcept: boolean
      kinds: string[]
      personGroupIds: string[]
      personIds: string[]
      deviceIds: string[]
      deviceGroupIds: string[]
      periods: Json<unknown>
      reaction: string
      enabled: boolean
      sentence: string
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
  }
}
