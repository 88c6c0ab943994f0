/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    deviceSetting: {
      id: string
      parkId: string
      kind: string
      deviceId: string | null
      name: string | null
      type: number | null
      model: number | null
      settings: Json<unknown>
      secrets: Buffer | null
      secretNames: Json<unknown, undefined>
      secretsRevision: Generated<string>
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
    deviceSettingFile: {
      id: string
      parkId: string
      kind: string
      size: number
      createdAt: number
    }
  }
}
