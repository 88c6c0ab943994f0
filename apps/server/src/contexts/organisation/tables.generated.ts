/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    deviceLimit: {
      id: string
      organisationId: string
      deviceType: number | null
      most: number
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
    organisation: {
      id: string
      areaCode: string
      name: string
      code: string
      type: number
      parkType: number | null
      parentId: string | null
      zone: string
      showCustomerManager: Generated<boolean>
      staffFaceRegister: Generated<boolean>
      customerFaceRegister: Generated<boolean>
      demoDone: number | null
      demoTotal: number | null
      createdAt: number
      updatedAt: number
      version: Generated<number>
      modulesOff: Generated<string[]>
      verificationCode: string | null
    }
    setting: {
      ownerId: string
      name: string
      value: Json<unknown>
      secrets: Buffer | null
      version: number
      updatedAt: number
    }
  }
}
