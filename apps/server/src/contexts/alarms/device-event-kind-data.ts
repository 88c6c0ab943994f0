/** Rows of alarms of events at doors as escalation reads them; every function takes the scope first. */
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { LONG_AGO, type OverdueQuery } from './kinds.ts'

// Written out, so that the planner knows the partial index fits.
const isUnhandled = sql<boolean>`(device_event.status = ${sql.lit(alarmHandlingStatusAlt.unhandled)} AND device_event.escalated_at IS NULL)`

/** Return the alarms nobody has handled and that were not escalated yet, earliest first. */
export const findOverdue = (scope: Scope, db: Database, { until, since, minLevel, limit }: OverdueQuery) =>
  db
    .selectFrom('deviceEvent')
    .select(['id', 'occurredAt as time', 'level', 'deviceName', 'type'])
    .where('parkId', '=', scope.parkId)
    .where(isUnhandled)
    .where('receivedAt', '<=', timestamp(until))
    .where('receivedAt', '>=', timestamp(since))
    .where('level', '>=', minLevel as 0 | 1 | 2 | 3)
    .where(sql<boolean>`device_event.occurred_at >= device_event.received_at - ${LONG_AGO}`)
    .orderBy('receivedAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Mark alarms as escalated; return the ids of those that nobody had handled and that were not marked yet. */
export async function markEscalated(scope: Scope, db: Database, ids: readonly string[], now: number): Promise<string[]> {
  const rows = await db
    .updateTable('deviceEvent')
    .set({ escalatedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(isUnhandled)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
