/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    visit: {
      id: string
      parkId: string
      status: number
      source: number
      channel: number | null
      enabled: Generated<boolean>
      name: string
      details: Buffer
      phoneIndex: Buffer
      phoneEnding: Buffer | null
      visitorGroupId: string
      visitorNumber: number
      hostId: string | null
      hostName: string
      reason: number
      appointedAt: number
      visitAt: number
      visitEndAt: number
      validDays: number | null
      expiresAt: number
      enteredAt: number | null
      signedOffAt: number | null
      endedAt: number | null
      signInSource: number | null
      forced: Generated<boolean>
      cardReturned: Generated<boolean>
      rejectReason: Generated<string>
      remark: string
      customFields: Json<unknown>
      watchMatches: Json<unknown, undefined>
      accessGroupIds: string[]
      passMethods: number[]
      personId: string | null
      formerPersonIds: Generated<string[]>
      photoFileId: string | null
      faceConsent: boolean
      registeredBy: string
      createdAt: number
      updatedAt: number
      version: Generated<number>
      deskChecks: Generated<string[]>
      consentShown: Json<unknown> | null
    }
    visitDocument: {
      id: string
      parkId: string
      visitId: string
      position: number
      versionId: string
      number: number
      language: string
      title: string
      textHash: string
      acceptance: string
      details: Buffer
      fileId: string | null
      signedAt: number
    }
    visitImport: {
      id: string
      parkId: string
      state: string
      language: string
      userId: string
      account: string
      operator: string
      userKind: string
      createdAt: number
    }
    visitImportRow: {
      id: string
      parkId: string
      importId: string
      line: number
      outcome: string
      details: Buffer | null
      issues: Json<unknown, undefined>
    }
    visitMachineEvent: {
      id: string
      parkId: string
      deviceId: string
      deviceName: string
      eventId: string
      visitId: string | null
      kind: string
      occurredAt: number
      receivedAt: number
      status: number | null
      reason: string | null
      settledAt: number | null
    }
    visitPass: {
      id: string
      parkId: string
      personId: string
      oneUse: boolean
      issuedAt: number
      usedAt: number | null
      usedDeviceId: string | null
      usedMoment: number | null
    }
    visitPassKey: {
      parkId: string
      id: string
      publicKey: Buffer
      privateKey: Buffer | null
      createdAt: number
      endsAt: number | null
    }
    visitPeer: {
      id: string
      parkId: string
      visitId: string
      position: number
      name: string
      details: Buffer
      photoFileId: string | null
      personId: string | null
    }
    visitorDocumentVersion: {
      id: string
      parkId: string
      documentId: string
      number: number
      texts: Json<unknown>
      createdAt: number
    }
    visitorLink: {
      id: string
      parkId: string
      kind: string
      tokenHash: Buffer
      visitId: string | null
      address: string
      visits: Generated<number>
      createdAt: number
      expiresAt: number
    }
    visitorPassRule: {
      id: string
      parkId: string
      name: string
      hostGroupIds: string[]
      visitorGroupIds: string[]
      accessGroupIds: string[]
      passMethods: number[]
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
  }
}
