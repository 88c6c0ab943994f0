/** Rows of alarms of AI boxes as escalation reads them; every function takes the scope first. */
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { LONG_AGO, type OverdueQuery } from './kinds.ts'

// Written out, so that the planner knows the partial index fits.
const isUnhandled = sql<boolean>`(ai_box_alarm.status = ${sql.lit(alarmHandlingStatusAlt.unhandled)} AND ai_box_alarm.escalated_at IS NULL)`

/** Return the alarms nobody has handled and that were not escalated yet, earliest first. */
export const findOverdue = (scope: Scope, db: Database, { until, since, minLevel, limit }: OverdueQuery) =>
  db
    .selectFrom('aiBoxAlarm')
    .select(['id', 'eventTime as time', 'level', 'deviceName', 'eventType', 'eventTypeName'])
    .where('parkId', '=', scope.parkId)
    .where(isUnhandled)
    .where('receivedAt', '<=', timestamp(until))
    .where('receivedAt', '>=', timestamp(since))
    .where('level', '>=', minLevel)
    .where(sql<boolean>`ai_box_alarm.event_time >= ai_box_alarm.received_at - ${LONG_AGO}`)
    .orderBy('receivedAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Mark alarms as escalated; return the ids of those that nobody had handled and that were not marked yet. */
export async function markEscalated(scope: Scope, db: Database, ids: readonly string[], now: number): Promise<string[]> {
  const rows = await db
    .updateTable('aiBoxAlarm')
    .set({ escalatedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(isUnhandled)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
