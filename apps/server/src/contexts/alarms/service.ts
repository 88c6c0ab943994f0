/** Which pop-ups a user wants in a park. */
import type { AccountAlert } from '@gatehouse/contract/alarms/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Session } from '../../platform/session/session.ts'
import { findAccountAlert, putAccountAlert } from './data.ts'
import type { AlarmsTables } from './schema.ts'

export interface AlarmsService {
  accountAlert(session: Session): Promise<AccountAlert>
  /** What is not given stays as it is. */
  saveAccountAlert(session: Session, change: Partial<AccountAlert>): Promise<AccountAlert>
}

/** Nobody misses an alarm for not having opened a dialog. */
const EVERYTHING: AccountAlert = {
  visitCheck: true,
  visitArrive: true,
  sendExpiredCustomers: true,
  deviceSystemResourceAlert: true,
  deviceEvent: true,
  aiBoxEvent: true,
  watchListHit: true,
  deviceOffline: true,
  surveillances: [],
}

export function createAlarmsService(platform: Platform): AlarmsService {
  const db = platform.db as unknown as Database<AlarmsTables>
  const current = async (session: Session, from: Database<AlarmsTables>): Promise<AccountAlert> =>
    (await findAccountAlert(session.scope, from, session.userId)) ?? EVERYTHING
  return {
    accountAlert: (session) => current(session, db),
    saveAccountAlert: (session, change) =>
      platform.transaction(async (tx: Tx<AlarmsTables>) => {
        const before = await current(session, tx)
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        const after = { ...before, ...given, surveillances: [...new Set(change.surveillances ?? before.surveillances)] }
        await putAccountAlert(session.scope, tx, session.userId, after, platform.clock.now())
        platform.audit.note({
          entity: 'alertAccount',
          id: session.userId,
          label: session.account,
          before: { ...before },
          after: { ...after },
        })
        return after
      }),
  }
}
