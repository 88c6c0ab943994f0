/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    formerWatched: {
      id: string
      parkId: string
    }
    person: {
      id: string
      parkId: string
      groupId: string
      kind: string
      name: string
      workNumber: string | null
      gender: number
      idNumber: Buffer | null
      idNumberIndex: Buffer | null
      validFrom: number | null
      validTo: number | null
      enabled: Generated<boolean>
      faceCount: Generated<number>
      createdAt: number
      updatedAt: number
      version: Generated<number>
      cardType: Generated<number>
      cardNumberFormat: Generated<string>
      idType: string | null
      nationality: string | null
      idPhoto: string | null
      registrationPhoto: string | null
      personalPassword: Buffer | null
      personalPasswordIndex: Buffer | null
      consent: Generated<string>
      consentAt: number | null
      customFields: Json<unknown, undefined>
      copiedFrom: string | null
      details: Buffer | null
      phoneIndex: Buffer | null
      phoneEnding: Buffer | null
      cardIndex: Buffer | null
      cardEnding: Buffer | null
      spelling: Generated<string>
      passMethods: number[] | null
    }
    personContact: {
      id: string
      parkId: string
      personId: string
      relation: number
      name: string
      gender: number
      createdAt: number
      phoneSealed: Buffer
    }
    personGroup: {
      id: string
      parkId: string
      name: string
      parentId: string | null
      type: number
      position: Generated<number>
      createdAt: number
    }
  }
}
