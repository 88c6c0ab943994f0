/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    aiBoxAlarm: {
      id: string
      parkId: string
      deviceId: string
      deviceName: string
      eventId: string
      eventType: string
      eventTypeName: string
      eventTime: number
      receivedAt: number
      ipcName: string
      level: number
      fileId: string | null
      status: number
      operator: string
      dealingRecord: string
      dealtAt: number | null
      escalatedAt: number | null
    }
    aiBoxWord: {
      parkId: string
      deviceId: string
      kind: string
      value: string
      name: string
      lastAt: number
    }
    alarmMail: {
      id: string
      parkId: string
      alarmId: string
      kind: string
      occurredAt: number
      notedAt: number
      key: string
      level: number
      event: string
      eventName: string
      place: string
      deviceId: string
      deviceName: string
      surveillanceName: string
      personId: string | null
      state: string
      includedAt: number | null
    }
    alarmMailHour: {
      parkId: string
      hour: number
      sent: number
    }
    alarmMailWindow: {
      parkId: string
      key: string
      level: number
      endsAt: number
    }
    alertAccount: {
      userId: string
      parkId: string
      visitCheck: boolean
      visitArrive: boolean
      sendExpiredCustomers: boolean
      deviceSystemResourceAlert: boolean
      deviceEvent: boolean
      aiBoxEvent: boolean
      surveillances: string[]
      updatedAt: number
      watchListHit: Generated<boolean>
      deviceOffline: Generated<boolean>
    }
    deviceEvent: {
      id: string
      parkId: string
      deviceId: string
      deviceName: string
      deviceType: number
      type: number
      level: number
      occurredAt: number
      endedAt: number | null
      receivedAt: number
      pictureFileId: string | null
      status: number
      operator: string
      dealingRecord: string
      dealtAt: number | null
      escalatedAt: number | null
    }
    faceAlarm: {
      id: string
      parkId: string
      level: number
      status: number
      raisedAt: number
      capturedAt: number
      lastCapturedAt: number
      captures: number
      operator: string
      dealingRecord: string
      dealtAt: number | null
      personId: string | null
      personName: string
      groupName: string
      score: number | null
      captureId: string
      taskId: string
      taskName: string
      deviceId: string
      deviceName: string
      deviceType: number
      sound: number
      version: number
      updatedAt: number
      escalatedAt: number | null
    }
    faceAlarmCapture: {
      matchId: string
      alarmId: string
      captureId: string
      parkId: string
    }
    faceAlarmStep: {
      alarmId: string
      status: number
      parkId: string
      operator: string
      record: string
      at: number
    }
    passageAlarm: {
      id: string
      parkId: string
      kind: string
      level: number
      occurredAt: number
      lastOccurredAt: number
      raisedAt: number
      passages: number
      deviceId: string
      deviceName: string
      recordId: string
      recordAt: number
      personId: string | null
      personName: string
      temperature: number | null
      temperatureStatus: number | null
      status: number
      operator: Generated<string>
      dealingRecord: Generated<string>
      dealtAt: number | null
      escalatedAt: number | null
      updatedAt: number
      version: Generated<number>
    }
    passageAlarmRecord: {
      recordId: string
      kind: string
      parkId: string
      alarmId: string
    }
    passageAlarmStep: {
      id: string
      alarmId: string
      parkId: string
      status: number
      operator: string
      at: number
      record: string
    }
  }
}
