/** Sends failed persons again, and asks devices again that did not answer. */
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { loadCounts } from './device-states.ts'
import * as data from './status-data.ts'
import type { StatusService } from './status.ts'
import type { SynchronisationView } from './view.ts'

/** Maximum of failing persons that one call sends again, counted for each audience. */
export const RESEND_MAX = 5_000

/** The log of changes, as far as resending needs it. */
export interface ChangeLog {
  /** Log a new change of these persons in each audience; devices that failed on one try again. Resolve once the changes are visible. */
  touch(scope: Scope, touched: ReadonlyMap<string, ReadonlySet<string>>): Promise<void>
  /** Send devices their desired state again. */
  remind(scope: Scope, deviceIds: readonly string[]): Promise<void>
}

export interface ResendQuery {
  personId?: string | undefined
  deviceId?: string | undefined
  strategyId?: string | undefined
}

/**
 * Send again what failed or was not answered: of one person, of a device, of a strategy, or of the park. Return how many pairs of a person
 * and a device are tried again, and how many failed pairs remain.
 * @throws NotFound, Refusal 300101 if the query names something that does not exist
 */
export type Resend = (scope: Scope, query: ResendQuery) => Promise<{ resent: number; remaining: number }>

export function createResend(platform: Platform, view: SynchronisationView, status: StatusService, log: ChangeLog): Resend {
  const db = platform.db

  async function ask(scope: Scope, failing: readonly data.Failing[], silent: readonly string[]): Promise<void> {
    const touched = new Map<string, Set<string>>()
    for (const { audienceId, personId } of failing) touched.set(audienceId, (touched.get(audienceId) ?? new Set()).add(personId))
    await data.restartWait(scope, db, silent, platform.clock.now())
    if (touched.size > 0) await log.touch(scope, touched)
    if (silent.length > 0) await log.remind(scope, silent)
  }

  return async (scope, { personId, deviceId, strategyId }) => {
    const states = await status.states(scope, { deviceId, strategyId })
    if (personId !== undefined) {
      const pairs = await status.pairsOfPerson(scope, states, personId)
      const failed = pairs.filter((pair) => pair.status === personSyncStatus.failed)
      const silent = pairs.filter((pair) => pair.status === personSyncStatus.overtime).map(({ state }) => state.device.id)
      await ask(
        scope,
        failed.map(({ state }) => ({ audienceId: state.desired.id, personId, devices: 1 })),
        silent,
      )
      return { resent: failed.length + silent.length, remaining: 0 }
    }
    const following = states.filter(({ behind }) => behind === null).map(({ device }) => device.id)
    const only = strategyId === undefined ? null : view.personsOf(scope, strategyId)
    const [{ failing, total }, counted] = await Promise.all([
      data.findToSendAgain(scope, db, following, only, RESEND_MAX),
      loadCounts(scope, db, view, states, platform.clock.now(), only),
    ])
    const silent = states.filter((_, place) => counted[place]!.counts.overtime > 0).map(({ device }) => device.id)
    await ask(scope, failing, silent)
    const failed = failing.reduce((sum, { devices }) => sum + devices, 0)
    const overtime = counted.reduce((sum, { counts }) => sum + counts.overtime, 0)
    return { resent: failed + overtime, remaining: total - failed }
  }
}
