/** Rows of alarms of faces as escalation and cases read them; every function takes the scope first. */
import { alarmHandlingStatus } from '@gatehouse/contract/enums/alarms'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { LONG_AGO, type OverdueQuery } from './kinds.ts'

// Written out, so that the planner knows the partial index fits.
const isUndealt = sql<boolean>`(face_alarm.status = ${sql.lit(alarmHandlingStatus.undealt)} AND face_alarm.escalated_at IS NULL)`

/** Return the alarms nobody has begun to deal with and that were not escalated yet, earliest first. */
export const findOverdue = (scope: Scope, db: Database, { until, since, minLevel, limit }: OverdueQuery) =>
  db
    .selectFrom('faceAlarm')
    .select(['id', 'capturedAt as time', 'level', 'deviceName', 'taskName'])
    .where('parkId', '=', scope.parkId)
    .where(isUndealt)
    .where('raisedAt', '<=', timestamp(until))
    .where('raisedAt', '>=', timestamp(since))
    .where('level', '>=', minLevel)
    .where(sql<boolean>`face_alarm.captured_at >= face_alarm.raised_at - ${LONG_AGO}`)
    .orderBy('raisedAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Mark alarms as escalated; return the ids of those that nobody had begun to deal with and that were not marked yet. */
export async function markEscalated(scope: Scope, db: Database, ids: readonly string[], now: number): Promise<string[]> {
  const rows = await db
    .updateTable('faceAlarm')
    .set({ escalatedAt: timestamp(now), updatedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(isUndealt)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Return the steps of these alarms, earliest first. */
export const findStepsOf = (scope: Scope, db: Database, alarmIds: readonly string[]) =>
  db
    .selectFrom('faceAlarmStep')
    .select(['alarmId', 'status', 'operator', 'at as time', 'record'])
    .where('parkId', '=', scope.parkId)
    .where('alarmId', '=', oneOf(alarmIds))
    .orderBy('at')
    .orderBy('status')
    .execute()
