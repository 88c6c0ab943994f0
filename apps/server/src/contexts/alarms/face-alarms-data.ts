/**
 * Rows of alarms of faces; every function takes the scope first. An alarm of a person whom the caller may not see, or at a device the
 * caller may not see, does not exist for the caller.
 */
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import { FACE_ALARM_STATES, type AlarmTab } from '@gatehouse/contract/alarms/handling'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { countUpTo } from '../../platform/database/page.ts'
import type { Place } from '../../platform/http/newest-first.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'

const alarmColumns = columnList([
  'id',
  'level',
  'status',
  'raisedAt',
  'capturedAt',
  'lastCapturedAt',
  'captures',
  'operator',
  'dealingRecord',
  'dealtAt',
  'escalatedAt',
  'personId',
  'personName',
  'groupName',
  'score',
  'captureId',
  'taskId',
  'taskName',
  'deviceId',
  'deviceName',
  'deviceType',
  'sound',
  'version',
])

export interface FaceAlarmFilter {
  from: number
  /** Inclusive; null for no end. */
  to: number | null
  tab?: AlarmTab | undefined
  status?: number | undefined
  /** True: of a person; false: of a stranger. */
  isMatched?: boolean | undefined
  level?: number | undefined
  deviceId?: string | undefined
  taskId?: string | undefined
  personId?: string | undefined
  personName?: string | undefined
}

const alarmsOf = (scope: Scope, db: Database) =>
  db
    .selectFrom('faceAlarm')
    .where('parkId', '=', scope.parkId)
    .where(personIsSeen(scope, 'faceAlarm.personId'))
    .where(deviceIsSeen(scope, 'faceAlarm.deviceId'))

function filtered(scope: Scope, db: Database, filter: FaceAlarmFilter) {
  let rows = alarmsOf(scope, db).where('capturedAt', '>=', timestamp(filter.from))
  if (filter.to !== null) rows = rows.where('capturedAt', '<=', timestamp(filter.to))
  if (filter.tab !== undefined) rows = rows.where('status', 'in', FACE_ALARM_STATES[filter.tab])
  if (filter.status !== undefined) rows = rows.where('status', '=', filter.status)
  if (filter.isMatched !== undefined) rows = rows.where('personId', filter.isMatched ? 'is not' : 'is', null)
  if (filter.level !== undefined) rows = rows.where('level', '=', filter.level)
  if (filter.deviceId !== undefined) rows = rows.where('deviceId', '=', filter.deviceId)
  if (filter.taskId !== undefined) rows = rows.where('taskId', '=', filter.taskId)
  if (filter.personId !== undefined) rows = rows.where('personId', '=', filter.personId)
  const { personName = '' } = filter
  return personName === '' ? rows : rows.where('personName', 'ilike', personalPattern(scope, personName))
}

/** Return at most `limit` alarms after the cursor; without a cursor, from the offset on. */
export function listFaceAlarms(scope: Scope, db: Database, filter: FaceAlarmFilter, { after, offset, limit }: Place) {
  let rows = filtered(scope, db, filter).select(alarmColumns)
  if (after !== null) rows = rows.where(sql<boolean>`(captured_at, id) < (${timestamp(after.time)}, ${after.id}::uuid)`)
  return rows.orderBy('capturedAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute()
}
export type FaceAlarmRow = Awaited<ReturnType<typeof listFaceAlarms>>[number]

/** Return how many alarms match, counted up to one more than lists can page through. */
export const countFaceAlarms = (scope: Scope, db: Database, filter: FaceAlarmFilter): Promise<number> =>
  countUpTo(db, filtered(scope, db, filter).select('id'), LIST_OFFSET_MAX + 1)

/** Return these alarms, in no order. */
export async function findFaceAlarms(scope: Scope, db: Database, ids: readonly string[]): Promise<FaceAlarmRow[]> {
  if (ids.length === 0) return []
  return alarmsOf(scope, db).where('id', '=', oneOf(ids)).select(alarmColumns).execute()
}

/** Return an alarm, locked until the transaction ends. */
export const lockFaceAlarm = (scope: Scope, db: Database, id: string): Promise<FaceAlarmRow | undefined> =>
  alarmsOf(scope, db).where('id', '=', id).select(alarmColumns).forUpdate().executeTakeFirst()

/** Return the steps of an alarm's handling, the first first. */
export function findSteps(scope: Scope, db: Database, alarmId: string) {
  return db
    .selectFrom('faceAlarmStep')
    .select(['status', 'operator', 'at as time', 'record'])
    .where('parkId', '=', scope.parkId)
    .where('alarmId', '=', alarmId)
    .orderBy('at')
    .orderBy('status')
    .execute()
}

/** Note a step of an alarm's handling. */
export async function insertStep(
  scope: Scope,
  db: Database,
  { alarmId, status, operator, record }: { alarmId: string; status: number; operator: string; record: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('faceAlarmStep')
    .values({ alarmId, status, parkId: scope.parkId, operator, record, at: timestamp(now) })
    .execute()
}

/** Set the state of a locked alarm. */
export async function updateState(
  scope: Scope,
  db: Database,
  id: string,
  { status, operator, dealingRecord }: { status: number; operator: string; dealingRecord: string },
  now: number,
): Promise<void> {
  await db
    .updateTable('faceAlarm')
    .set({ status, operator, dealingRecord, dealtAt: timestamp(now), updatedAt: timestamp(now), version: sql<number>`version + 1` })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}
