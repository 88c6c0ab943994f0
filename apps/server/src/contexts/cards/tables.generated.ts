/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    cardKey: {
      id: string
      parkId: string
      type: string
      name: string
      value: Buffer
      checkValue: string
      createdAt: number
    }
    cardWrite: {
      id: string
      parkId: string
      kind: string
      cardType: number
      area: string
      deviceId: string
      deviceName: string
      transportKey: Buffer | null
      createdBy: string
      createdAt: number
    }
    cardWriteItem: {
      id: string
      parkId: string
      writeId: string
      position: number
      number: Generated<string>
      state: string
      reason: string | null
      writtenAt: number | null
    }
    issuedCard: {
      id: string
      parkId: string
      personId: string
      type: number
      numberFormat: string
      effectiveDate: string
      expiryDate: string
      issuingDevice: string
      state: string
      reason: string | null
      inForce: boolean
      password: Buffer | null
      createdAt: number
      numberSealed: Buffer
      numberIndex: Buffer
      numberEnding: Buffer | null
    }
    personPalm: {
      id: string
      parkId: string
      personId: string
      deviceId: string
      deviceName: string
      fileId: string | null
      createdAt: number
      template: Buffer | null
    }
  }
}
