/** Which pop-ups a user wants in a park. */
import type { AccountAlert } from '@gatehouse/contract/alarms/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import { findAccountAlert, putAccountAlert } from './data.ts'

export interface AlarmsService {
  accountAlert(scope: Scope, actor: Actor): Promise<AccountAlert>
  /** What is not given stays as it is. */
  saveAccountAlert(scope: Scope, actor: Actor, change: Partial<AccountAlert>): Promise<AccountAlert>
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
  const db = platform.db
  const current = async (scope: Scope, actor: Actor, from: Database): Promise<AccountAlert> =>
    (await findAccountAlert(scope, from, actor.userId)) ?? EVERYTHING
  return {
    accountAlert: (scope, actor) => current(scope, actor, db),
    saveAccountAlert: (scope, actor, change) =>
      platform.transaction(async (tx) => {
        const before = await current(scope, actor, tx)
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        const after = { ...before, ...given, surveillances: [...new Set(change.surveillances ?? before.surveillances)] }
        await putAccountAlert(scope, tx, actor.userId, after, platform.clock.now())
        platform.audit.note({
          entity: 'alertAccount',
          id: actor.userId,
          label: actor.account,
          before: { ...before },
          after: { ...after },
        })
        return after
      }),
  }
}
