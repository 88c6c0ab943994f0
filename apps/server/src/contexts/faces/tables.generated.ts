/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    face: {
      id: string
      parkId: string
      personId: string | null
      position: number
      fileId: string
      quality: Json<unknown>
      createdAt: number
      setAsideAt: number | null
      contactId: string | null
    }
    faceOwnCurve: {
      parkId: string
      modelId: string
      measuredAt: number
      stamp: string
      measured: Json<unknown>
      inForce: Json<unknown>
      doubtful: Buffer
    }
    facePair: {
      id: string
      parkId: string
      personId: string
      otherId: string
      origin: string
      recordId: string | null
      createdAt: number
    }
    facePairAnswer: {
      parkId: string
      firstId: string
      secondId: string
      samePerson: boolean
      answeredAt: number
    }
    facePerson: {
      personId: string
      parkId: string
      threshold: number
      updatedAt: number
      loosens: Generated<boolean>
    }
    facePolicy: {
      parkId: string
      doorPrecision: number | null
      doorCustom: number | null
      watchListPrecision: number | null
      watchListCustom: number | null
      searchPrecision: number | null
      searchCustom: number | null
      margin: number
      lookAlikeMargin: number
      photosWanted: number
      livenessMode: string
      livenessThreshold: number | null
      version: number
      updatedAt: number
      doorPromise: number
      watchListPromise: number
      searchPromise: number
    }
    faceRefusal: {
      faceId: string
      modelId: string
      parkId: string
      code: number
      at: number
    }
    faceReport: {
      id: string
      parkId: string
      workId: string
      modelId: string
      doorScore: number
      persons: number | null
      photos: number | null
      genuinePairs: number | null
      impostorPairs: number | null
      slices: Json<unknown> | null
      closest: Buffer | null
      createdAt: number
      watchList: boolean
      demoPhotos: Generated<number>
    }
    faceTemplate: {
      faceId: string
      parkId: string
      modelId: string
      template: Buffer
      madeAt: number
    }
    livenessCapture: {
      id: string
      parkId: string
      label: string
      source: string
      score: number
      modelId: string
      recordId: string | null
      createdAt: number
    }
  }
}
