/**
 * Alarms that captures raise: for a person a task looks out for, and for a stranger where the task asks for that. Who comes by again soon
 * is counted with the alarm before, as long as that is not handled.
 */
import { levelOfAlarm, raisesAlarm, repeatWindow } from '@gatehouse/contract/surveillance/task-rules'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { eventBatches } from '../../platform/events/batches.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { CaptureCompanion, CaptureMatch, MatchedCapture } from '../surveillance/index.ts'
import type { AlarmMails } from './alarm-mails.ts'
import { faceAlarmsChanged } from './face-alarms-events.ts'
import * as data from './face-alarms-raising-data.ts'

/** Announce in the transaction of their change that these alarms changed. */
export async function announceFaceAlarms(
  { events }: Pick<Platform, 'events'>,
  tx: Transaction,
  scope: Scope,
  alarmIds: readonly string[],
): Promise<void> {
  await events.announceAll(
    tx,
    faceAlarmsChanged,
    scope.parkId,
    eventBatches(alarmIds).map((batch) => ({ alarmIds: batch })),
  )
}

/** Return what keeps alarms consistent with captures. */
export function createRaising(
  platform: Pick<Platform, 'db' | 'clock' | 'events'>,
  mails: Pick<AlarmMails, 'note'>,
): Required<CaptureCompanion> {
  const { db, clock } = platform

  /** Count a match with an alarm, or raise one; return its id. */
  async function raise(
    tx: Transaction,
    scope: Scope,
    capture: MatchedCapture,
    { id: matchId, task, person }: CaptureMatch,
  ): Promise<string> {
    const { id: captureId, deviceId, deviceName, deviceType, capturedAt } = capture
    const of = { deviceId, taskId: task.id, personId: person?.id ?? null, capturedAt }
    const within = repeatWindow(capturedAt, task)
    const repeated = within === null ? undefined : await data.countWith(scope, tx, of, within)
    if (repeated !== undefined) {
      await data.insertCounted(scope, tx, { matchId, alarmId: repeated, captureId })
      return repeated
    }
    const alarmId = newId()
    const level = levelOfAlarm(person?.score ?? null, task)
    await data.insertFaceAlarm(
      scope,
      tx,
      {
        ...of,
        id: alarmId,
        captureId,
        level,
        personName: person?.name ?? '',
        groupName: person?.groupName ?? '',
        score: person?.score ?? null,
        taskName: task.name,
        deviceName,
        deviceType,
        sound: task.alarmSound,
      },
      clock.now(),
    )
    await mails.note(tx, scope, {
      alarmId,
      kind: person === null ? 'stranger' : 'person',
      at: capturedAt,
      key: `${deviceId} ${person?.id ?? task.id}`,
      level,
      deviceId,
      deviceName,
      surveillanceName: task.name,
      personId: person?.id ?? null,
    })
    await data.insertCounted(scope, tx, { matchId, alarmId, captureId })
    return alarmId
  }

  return {
    async matched(tx, scope, captures) {
      const raising = captures
        .toSorted((one, other) => one.capturedAt - other.capturedAt)
        .flatMap((capture) => capture.matches.map((match) => ({ capture, match })))
        .filter(({ match: { person, task } }) => raisesAlarm(person !== null, task))
      const counted = await data.findAlarmsOfMatches(
        scope,
        tx,
        raising.map(({ match }) => match.id),
      )
      const alarmIds = new Set<string>()
      for (const { capture, match } of raising) if (!counted.has(match.id)) alarmIds.add(await raise(tx, scope, capture, match))
      await announceFaceAlarms(platform, tx, scope, [...alarmIds])
    },
    async pictured(tx, scope, captureId) {
      await announceFaceAlarms(platform, tx, scope, await data.findRaisedBy(scope, tx, captureId))
    },
    alarmsOf: (scope, matchIds) => data.findAlarmsOfMatches(scope, db, matchIds),
    statusesOf: (scope, captureIds) => data.findStatuses(scope, db, captureIds),
    dropped: (tx, scope, captureIds) => data.forgetCaptures(scope, tx, captureIds),
  }
}
