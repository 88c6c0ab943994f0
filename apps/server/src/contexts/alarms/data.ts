/** Rows of alarms; every function takes the scope first. */
import type { AccountAlert } from '@gatehouse/contract/alarms/calls'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { AlarmsTables } from './schema.ts'

type Db = Database<AlarmsTables>

const columns = [
  'visit_check as visitCheck',
  'visit_arrive as visitArrive',
  'send_expired_customers as sendExpiredCustomers',
  'device_system_resource_alert as deviceSystemResourceAlert',
  'device_event as deviceEvent',
  'ai_box_event as aiBoxEvent',
  'watch_list_hit as watchListHit',
  'device_offline as deviceOffline',
  'surveillances',
] as const

export function findAccountAlert(scope: Scope, db: Db, userId: string): Promise<AccountAlert | undefined> {
  return db.selectFrom('alert_account').select(columns).where('park_id', '=', scope.parkId).where('user_id', '=', userId).executeTakeFirst()
}

export async function putAccountAlert(scope: Scope, db: Db, userId: string, alert: AccountAlert, now: number): Promise<void> {
  const values = {
    visit_check: alert.visitCheck,
    visit_arrive: alert.visitArrive,
    send_expired_customers: alert.sendExpiredCustomers,
    device_system_resource_alert: alert.deviceSystemResourceAlert,
    device_event: alert.deviceEvent,
    ai_box_event: alert.aiBoxEvent,
    watch_list_hit: alert.watchListHit,
    device_offline: alert.deviceOffline,
    surveillances: alert.surveillances,
    updated_at: timestamp(now),
  }
  await db
    .insertInto('alert_account')
    .values({ user_id: userId, park_id: scope.parkId, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'park_id']).doUpdateSet(values))
    .execute()
}
