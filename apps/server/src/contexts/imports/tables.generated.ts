/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    personImport: {
      id: string
      parkId: string
      kind: string
      mode: string
      groupId: string
      state: string
      unknownColumns: Json<unknown, undefined>
      userId: string
      account: string
      operator: string
      userKind: string
      workId: string | null
      runTotal: Generated<number>
      createdAt: number
      startedAt: number | null
      endedAt: number | null
      reason: string | null
    }
    personImportPhoto: {
      id: string
      parkId: string
      importId: string
      filename: string
      stem: string
      base: string | null
      position: number
      assigned: string | null
      workNumber: string | null
      rowId: string | null
      digest: Buffer
      fileId: string | null
      faceId: string | null
      state: string
      reason: string | null
      issue: Json<unknown> | null
    }
    personImportRow: {
      id: string
      parkId: string
      importId: string
      position: Generated<number>
      uploadId: string
      line: number | null
      outcome: string
      finished: Generated<boolean>
      tried: Generated<boolean>
      personId: string | null
      workNumber: string
      name: string
      groupName: Generated<string>
      sealed: Buffer | null
      keys: Generated<Buffer[]>
      issues: Json<unknown, undefined>
    }
    personImportTaken: {
      parkId: string
      personId: string
      digest: Buffer
      faceId: string
    }
  }
}
