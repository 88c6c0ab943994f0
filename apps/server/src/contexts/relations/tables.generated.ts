/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    parkRelation: {
      id: string
      applicantPark: string
      receiverPark: string
      status: string
      remark: string
      createdAt: number
      decidedAt: number | null
      version: Generated<number>
    }
    parkRelationMember: {
      relationId: string
      kind: string
      memberId: string
    }
  }
}
