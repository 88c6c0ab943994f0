/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    accessRecord: {
      id: string
      parkId: string
      occurredAt: number
      receivedAt: number
      clockOffsetMs: number | null
      zone: string
      localDate: string
      localHour: number
      deviceId: string
      deviceName: string
      personId: string | null
      personName: string
      workNumber: string
      direction: number
      verifyType: number
      result: number
      failReason: number | null
      score: number | null
      checks: string
      settingsRevision: string
      captureFileId: string | null
      liveness: number | null
      temperature: number | null
      temperatureStatus: number | null
      mask: number | null
      helmet: number | null
      personParkName: string | null
      personGroupId: string | null
      pictureKeptUntil: number | null
      contactId: string | null
      contactName: Generated<string>
      contactRelation: number | null
      watched: Generated<boolean>
      restriction: string | null
    }
    deviceEpoch: {
      deviceId: string
      epoch: string
      parkId: string
      ackSeq: number
      updatedAt: number
    }
    passageBacklog: {
      parkId: string
    }
    pictureRetention: {
      parkId: string
      deletedUntil: number
    }
    recordContactName: {
      parkId: string
      personId: string
      contactId: string
      contactName: string
      lastOn: string
    }
    recordGap: {
      deviceId: string
      epoch: string
      fromSeq: number
      toSeq: number
      parkId: string
      notedAt: number
    }
    recordName: {
      parkId: string
      personId: string
      personName: string
      lastOn: string
    }
    secondPhotograph: {
      recordId: string
      parkId: string
      occurredAt: number
      personId: string
      faceId: string | null
      answeredAt: number
    }
    unstorableRecord: {
      deviceId: string
      epoch: string
      seq: number
      parkId: string
      content: string
      reason: string
      receivedAt: number
    }
    watchListHit: {
      recordId: string
      parkId: string
      occurredAt: number
      personId: string
      score: number
      notedAt: number
    }
  }
}
