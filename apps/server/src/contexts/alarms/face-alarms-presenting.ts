/** Alarms of faces as lists and live screens show them. */
import type { FaceAlarm, FaceAlarmBubble } from '@gatehouse/contract/alarms/face-alarms'
import { alarmMatchType, alertBubbleType, alertType } from '@gatehouse/contract/enums/alarms'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { PeopleService } from '../people/index.ts'
import type { CaptureLists } from '../surveillance/index.ts'
import type * as data from './face-alarms-data.ts'
import { faceAlarmAbilities } from './face-alarms-policy.ts'

export interface FaceAlarmNeeds {
  faces: Pick<FacesService, 'photosOf'>
  people: Pick<PeopleService, 'watchListed'>
  captures: Pick<CaptureLists, 'picturesOf'>
}

/** Return alarms as they are shown, in the order of the rows. */
export type PresentAlarms = (scope: Scope, rows: readonly data.FaceAlarmRow[]) => Promise<FaceAlarm[]>

export function createPresenting({ storage }: Pick<Platform, 'storage'>, { faces, people, captures }: FaceAlarmNeeds): PresentAlarms {
  /** Return alarms as they are shown, with pictures and with what the watch list says of the person. */
  return async function presentAll(scope: Scope, rows: readonly data.FaceAlarmRow[]): Promise<FaceAlarm[]> {
    const personIds = [...new Set(rows.flatMap(({ personId }) => personId ?? []))]
    const [pictures, photos, watchListed] = await Promise.all([
      captures.picturesOf(
        scope,
        rows.map(({ captureId }) => captureId),
      ),
      faces.photosOf(scope, personIds),
      people.watchListed(scope, personIds),
    ])
    const watched = new Map(watchListed.map((person) => [person.id, person]))
    return rows.map((row) => {
      const fileId = pictures.get(row.captureId)
      const onList = watched.get(row.personId ?? '')
      return {
        id: row.id,
        matchType: row.personId === null ? alarmMatchType.unmatched : alarmMatchType.matched,
        level: row.level as FaceAlarm['level'],
        status: row.status as FaceAlarm['status'],
        time: row.raisedAt,
        captureTime: row.capturedAt,
        lastCaptureTime: row.lastCapturedAt,
        captures: row.captures,
        operator: row.operator,
        dealingRecord: row.dealingRecord,
        dealtAt: row.dealtAt,
        escalatedAt: row.escalatedAt,
        suspectPerson: row.personName,
        personId: row.personId,
        groupName: row.groupName,
        score: row.score,
        captureId: row.captureId,
        captureFaceImage: fileId === undefined ? '' : storage.address(scope, fileId, 'full'),
        captureThumbnail: fileId === undefined ? '' : storage.address(scope, fileId, '96'),
        hitFaceImage: photos.get(row.personId ?? '')?.[0]?.url ?? '',
        taskId: row.taskId,
        surveillanceName: row.taskName,
        deviceId: row.deviceId,
        deviceName: row.deviceName,
        deviceType: row.deviceType,
        sound: row.sound as FaceAlarm['sound'],
        reason: onList?.remark ?? '',
        instruction: onList?.instruction ?? '',
        can: faceAlarmAbilities(row),
        version: row.version,
      }
    })
  }
}

/** Return the bubble of an alarm. */
export const bubbleOf = (alarm: FaceAlarm): FaceAlarmBubble => ({
  id: alarm.id,
  bubbleType: alertBubbleType.alarm,
  alertType: alarm.personId === null ? alertType.stranger : alertType.blacklist,
  personName: alarm.suspectPerson,
  surveillanceId: alarm.taskId,
  captureTime: alarm.captureTime,
  captureFaceImage: alarm.captureFaceImage,
  hitFaceImage: alarm.hitFaceImage,
  score: alarm.score,
  groupName: alarm.groupName,
  surveillanceName: alarm.surveillanceName,
  deviceType: alarm.deviceType,
  deviceName: alarm.deviceName,
  deviceId: alarm.deviceId,
  level: alarm.level,
  status: alarm.status,
  escalatedAt: alarm.escalatedAt,
  captures: alarm.captures,
  sound: alarm.sound,
  instruction: alarm.instruction,
  personId: alarm.personId,
  version: alarm.version,
})
