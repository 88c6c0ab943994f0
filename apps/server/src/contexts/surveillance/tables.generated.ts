/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    capture: {
      id: string
      parkId: string
      deviceId: string
      deviceName: string
      deviceType: number
      enteredAt: number
      capturedAt: number
      leftAt: number
      receivedAt: number
      quality: number
      faceWidth: number
      modelId: string | null
      template: Buffer | null
      fileId: string | null
      comparedAt: number | null
      keptUntil: number | null
      matchedOnly: Generated<boolean>
    }
    captureCount: {
      parkId: string
      hour: number
      deviceId: string
      modelId: string
      captures: number
    }
    captureLoss: {
      id: string
      parkId: string
      deviceId: string
      count: number
      fromTime: number
      toTime: number
    }
    captureMatch: {
      id: string
      captureId: string
      parkId: string
      capturedAt: number
      deviceId: string
      taskId: string
      taskName: string
      personId: string | null
      personName: string
      groupId: string | null
      groupName: string
      score: number | null
    }
    capturePassing: {
      parkId: string
      deviceId: string
      day: string
      passed: number
      kept: number
    }
    mapPlan: {
      parkId: string
      version: number
    }
    mapPosition: {
      deviceId: string
      parkId: string
      x: number
      y: number
    }
    monitoringTask: {
      id: string
      parkId: string
      name: string
      startTime: number
      endTime: number
      enabled: number
      periods: Json<unknown>
      precision: number
      customPrecision: number | null
      similarityThreshold: number | null
      compareRule: string
      lowThreshold: number
      highThreshold: number
      strangerAlarm: boolean
      alarmSound: number
      repeatSeconds: number
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
    monitoringTaskDevice: {
      taskId: string
      parkId: string
      deviceId: string
    }
    monitoringTaskGroup: {
      taskId: string
      parkId: string
      groupId: string
    }
    postedCapture: {
      deviceId: string
      eventId: string
      parkId: string
      captures: number
      receivedAt: number
    }
  }
}
