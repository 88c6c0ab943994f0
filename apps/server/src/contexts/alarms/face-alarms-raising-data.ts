/** Rows of alarms as captures raise them and as they are removed; every function takes the scope first. */
import { alarmHandlingStatus } from '@gatehouse/contract/enums/alarms'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'

export interface NewFaceAlarm {
  id: string
  level: number
  capturedAt: number
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
}

/** Return those of these matches that are counted with an alarm which the caller may see, with the alarm. */
export async function findAlarmsOfMatches(scope: Scope, db: Database, matchIds: readonly string[]): Promise<Map<string, string>> {
  if (matchIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('faceAlarmCapture as counted')
    .innerJoin('faceAlarm', 'faceAlarm.id', 'counted.alarmId')
    .select(['counted.matchId', 'counted.alarmId'])
    .where('counted.parkId', '=', scope.parkId)
    .where('counted.matchId', '=', oneOf(matchIds))
    .where(personIsSeen(scope, 'faceAlarm.personId'))
    .where(deviceIsSeen(scope, 'faceAlarm.deviceId'))
    .execute()
  return new Map(rows.map(({ matchId, alarmId }) => [matchId, alarmId]))
}

/**
 * Count a capture with the latest alarm of the same person at the same device and task that is not handled and is near in time.
 * @param personId null: of strangers, who are counted together
 * @param within where the alarm has to lie (`repeatWindow`)
 * @returns the id of the alarm; undefined where there is none
 */
export async function countWith(
  scope: Scope,
  db: Database,
  { deviceId, taskId, personId, capturedAt }: Pick<NewFaceAlarm, 'deviceId' | 'taskId' | 'personId' | 'capturedAt'>,
  within: { from: number; to: number },
): Promise<string | undefined> {
  const open = await db
    .selectFrom('faceAlarm')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('taskId', '=', taskId)
    .where('personId', 'is not distinct from', personId)
    // Written out, so that the planner knows the partial index fits.
    .where(sql<boolean>`status IN (1, 2)`)
    .where('lastCapturedAt', '>=', timestamp(within.from))
    // Captures of a camera that was away may be older than the alarm.
    .where('capturedAt', '<=', timestamp(within.to))
    .orderBy('lastCapturedAt', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (open === undefined) return undefined
  // The version stays: who is dealing with the alarm is not disturbed by another capture.
  await db
    .updateTable('faceAlarm')
    .set({
      captures: sql<number>`captures + 1`,
      lastCapturedAt: sql<number>`greatest(last_captured_at, ${timestamp(capturedAt)})`,
    })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', open.id)
    .execute()
  return open.id
}

/** Insert a new alarm, which nobody has dealt with. */
export async function insertFaceAlarm(scope: Scope, db: Database, alarm: NewFaceAlarm, now: number): Promise<void> {
  await db
    .insertInto('faceAlarm')
    .values({
      ...alarm,
      parkId: scope.parkId,
      status: alarmHandlingStatus.undealt,
      raisedAt: timestamp(now),
      capturedAt: timestamp(alarm.capturedAt),
      lastCapturedAt: timestamp(alarm.capturedAt),
      captures: 1,
      operator: '',
      dealingRecord: '',
      dealtAt: null,
      version: 1,
      updatedAt: timestamp(now),
    })
    .execute()
}

/** Note with which alarm a match is counted. */
export async function insertCounted(
  scope: Scope,
  db: Database,
  counted: { matchId: string; alarmId: string; captureId: string },
): Promise<void> {
  await db
    .insertInto('faceAlarmCapture')
    .values({ ...counted, parkId: scope.parkId })
    .execute()
}

/**
 * Return how far the alarms are handled that these captures raised or were counted with, by capture; alarms that do not exist for the scope
 * are left out. Of several, one that was handled as false counts first, then the newest.
 */
export async function findStatuses(scope: Scope, db: Database, captureIds: readonly string[]): Promise<Map<string, number>> {
  if (captureIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('faceAlarmCapture as counted')
    .innerJoin('faceAlarm', 'faceAlarm.id', 'counted.alarmId')
    .distinctOn('counted.captureId')
    .select(['counted.captureId', 'faceAlarm.status'])
    .where('counted.parkId', '=', scope.parkId)
    .where('counted.captureId', '=', oneOf(captureIds))
    .where(personIsSeen(scope, 'faceAlarm.personId'))
    .where(deviceIsSeen(scope, 'faceAlarm.deviceId'))
    .orderBy('counted.captureId')
    .orderBy(sql`face_alarm.status = ${alarmHandlingStatus.misinformation}`, 'desc')
    .orderBy('faceAlarm.raisedAt', 'desc')
    .execute()
  return new Map(rows.map(({ captureId, status }) => [captureId, status]))
}

/** Return the alarms that this capture raised. */
export async function findRaisedBy(scope: Scope, db: Database, captureId: string): Promise<string[]> {
  const rows = await db.selectFrom('faceAlarm').select('id').where('parkId', '=', scope.parkId).where('captureId', '=', captureId).execute()
  return rows.map(({ id }) => id)
}

/** Forget that these captures were counted; the alarms stay as they are. */
export async function forgetCaptures(scope: Scope, db: Database, captureIds: readonly string[]): Promise<void> {
  await db.deleteFrom('faceAlarmCapture').where('parkId', '=', scope.parkId).where('captureId', '=', oneOf(captureIds)).execute()
}

export async function countAlarmsOfPersons(scope: Scope, db: Database, personIds: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom('faceAlarm')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .executeTakeFirstOrThrow()
  return count
}

/** Delete the alarms of these persons with all their steps; return their ids. */
export async function deleteAlarmsOfPersons(scope: Scope, db: Database, personIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('faceAlarm')
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Delete all alarms of the park; return how many. */
export async function deleteFaceAlarmsOfPark(scope: Scope, db: Database): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('faceAlarm').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Delete some of the alarms that were raised before a moment; return how many. Unscoped: the daily job deletes those of all parks. */
export async function deleteFaceAlarmsBeforeUnscoped(db: Database, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('faceAlarm')
    .where('id', 'in', (eb) => eb.selectFrom('faceAlarm').select('id').where('raisedAt', '<', timestamp(before)).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
