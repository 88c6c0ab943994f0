/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    appVersion: {
      id: string
      kind: string
      apkName: string
      versionNumber: string
      updateType: number
      content: string
      file: string
      size: number
      md5: string
      sha256: string
      pieces: Json<unknown>
      createdAt: number
      signed: Generated<boolean>
    }
    upgradeDevice: {
      id: string
      parkId: string
      taskId: string
      deviceId: string | null
      code: string
      name: string
      kind: string
      state: string
      step: string
      progress: number
      attempt: number
      reason: string | null
      versionBefore: string
      startedAt: number | null
      endedAt: number | null
      leaseUntil: number | null
      nextLookAt: number
    }
    upgradeTask: {
      id: string
      parkId: string
      versionId: string | null
      kind: string
      apkName: string
      versionNumber: string
      content: string
      updateType: number
      md5: string
      sha256: string
      file: string
      size: number
      status: string
      createdAt: number
      signed: Generated<boolean>
      approval: Generated<string>
      askedById: string | null
      askedBy: Generated<string>
      approvedBy: Generated<string>
      approvedAt: number | null
    }
  }
}
