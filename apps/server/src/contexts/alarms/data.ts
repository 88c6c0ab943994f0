/** Rows of alarms; every function takes the scope first. */
import type { AccountAlert } from '@gatehouse/contract/alarms/calls'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

const columns = [
  'visitCheck',
  'visitArrive',
  'sendExpiredCustomers',
  'deviceSystemResourceAlert',
  'deviceEvent',
  'aiBoxEvent',
  'watchListHit',
  'deviceOffline',
  'surveillances',
] as const

export function findAccountAlert(scope: Scope, db: Database, userId: string): Promise<AccountAlert | undefined> {
  return db.selectFrom('alertAccount').select(columns).where('parkId', '=', scope.parkId).where('userId', '=', userId).executeTakeFirst()
}

export async function putAccountAlert(scope: Scope, db: Database, userId: string, alert: AccountAlert, now: number): Promise<void> {
  const values = {
    visitCheck: alert.visitCheck,
    visitArrive: alert.visitArrive,
    sendExpiredCustomers: alert.sendExpiredCustomers,
    deviceSystemResourceAlert: alert.deviceSystemResourceAlert,
    deviceEvent: alert.deviceEvent,
    aiBoxEvent: alert.aiBoxEvent,
    watchListHit: alert.watchListHit,
    deviceOffline: alert.deviceOffline,
    surveillances: alert.surveillances,
    updatedAt: timestamp(now),
  }
  await db
    .insertInto('alertAccount')
    .values({ userId, parkId: scope.parkId, ...values })
    .onConflict((conflict) => conflict.columns(['userId', 'parkId']).doUpdateSet(values))
    .execute()
}
