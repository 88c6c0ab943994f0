/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    enrolmentLink: {
      id: string
      parkId: string
      tokenHash: Buffer
      personId: string | null
      groupId: string
      kind: string
      createdAt: number
      expiresAt: number
    }
    personApplication: {
      id: string
      parkId: string
      source: string
      system: string
      linkId: string | null
      identity: Buffer
      state: string
      personId: string | null
      kind: string
      name: string
      workNumber: string | null
      gender: number
      groupId: string
      fileId: string | null
      modelId: string | null
      template: Buffer | null
      faceX: number | null
      faceY: number | null
      consent: boolean
      createdAt: number
      decidedAt: number | null
      decidedBy: Generated<string>
      reason: Generated<string>
      claimedUntil: number | null
      phoneSealed: Buffer | null
      secondFileId: string | null
      secondFaceX: number | null
      secondFaceY: number | null
    }
  }
}
