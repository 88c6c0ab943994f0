/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    parkMeasure: {
      parkId: string
      kind: string
    }
    passageGroupDay: {
      parkId: string
      localDate: string
      deviceId: string
      personGroupId: string
      direction: number
      result: number
      failReason: number
      temperatureMark: number
      count: number
      watched: Generated<boolean>
    }
    passageGroupHour: {
      parkId: string
      localDate: string
      localHour: number
      personGroupId: string
      direction: number
      result: number
      failReason: number
      temperatureMark: number
      count: number
      watched: Generated<boolean>
    }
    passageHour: {
      parkId: string
      localDate: string
      localHour: number
      deviceId: string
      direction: number
      result: number
      failReason: number
      temperatureMark: number
      count: number
      watched: Generated<boolean>
    }
    passagePending: {
      parkId: string
      localDate: string
      localHour: number
      deviceId: string
      personGroupId: string
      direction: number
      result: number
      failReason: number
      temperatureMark: number
      count: number
      watched: Generated<boolean>
    }
    watchedDeleted: {
      parkId: string
      deviceId: string
      count: number
    }
  }
}
