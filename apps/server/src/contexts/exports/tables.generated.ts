/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    exportTask: {
      id: string
      parkId: string
      userId: string
      account: string
      operator: string
      userKind: string
      ip: string
      kind: string
      format: string
      language: string
      masked: boolean
      wish: Buffer
      namesSomebody: boolean
      fileName: string
      status: number
      reason: string | null
      done: number
      total: number
      fileIds: Generated<string[]>
      size: number | null
      attempt: string | null
      position: Generated<number>
      createdAt: number
      finishedAt: number | null
      expiresAt: number
    }
  }
}
