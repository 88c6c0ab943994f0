/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    domain: {
      id: string
      address: string
      host: string
      name: string
      showType: string
      logoId: string | null
      bigScreenLogoId: string | null
      organisationId: string
      remark: string
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
    notice: {
      id: string
      title: Json<unknown>
      content: Json<unknown>
      publishedAt: number
      version: Generated<number>
    }
    noticeRead: {
      noticeId: string
      userId: string
      readAt: number
    }
  }
}
