/** Selection of devices and persons for the views of the synchronisation. */
import type { SyncCounts } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import type { Platform } from '../../platform/context.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { countsOf, narrowed, type Arrangement } from './arrangement.ts'
import { count, loadStates, noCounts, type DeviceState } from './device-states.ts'
import { arrangeDevice, arrangeStrategy } from './person-lists.ts'
import type { StatusSources } from './status-types.ts'
import type { SynchronisationView } from './view.ts'

/** All devices, those of a strategy, those of a list that exist, or exactly one. */
export interface DeviceSelection {
  strategyId?: string | undefined
  deviceIds?: readonly string[] | undefined
  deviceId?: string | undefined
}

export interface StatusSelection {
  /** Return the states of devices. @throws NotFound; Refusal 300101 */
  states(scope: Scope, of: DeviceSelection): Promise<DeviceState[]>
  /** Return the persons of a device; if a strategy or a linked park is named, only those of it. */
  arranged(
    scope: Scope,
    state: DeviceState | undefined,
    of: { strategyId?: string | undefined; from?: string },
    now: number,
  ): Promise<Arrangement>
  /** Return how many persons of a strategy have each status. */
  countPersons(scope: Scope, strategyId: string, reached: readonly DeviceState[], now: number): Promise<SyncCounts>
}

export function createStatusSelection(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  view: SynchronisationView,
  { devices, people, reading }: StatusSources,
): StatusSelection {
  async function states(scope: Scope, { strategyId, deviceId, deviceIds }: DeviceSelection): Promise<DeviceState[]> {
    let listed = await devices.all(scope)
    if (deviceIds !== undefined) listed = listed.filter(({ id }) => deviceIds.includes(id))
    if (strategyId !== undefined) {
      const [strategy] = isUuid(strategyId) ? await reading.findStrategies(scope, [strategyId]) : []
      if (strategy === undefined) refuse(300101)
      const reached = new Set(view.devicesOf(scope, strategyId))
      listed = listed.filter(({ id }) => reached.has(id))
    }
    if (deviceId !== undefined) {
      listed = listed.filter(({ id }) => id === deviceId)
      if (listed.length === 0) throw new NotFound()
    }
    return loadStates(scope, db, view, listed, clock.now())
  }

  async function countPersons(scope: Scope, strategyId: string, reached: readonly DeviceState[], now: number): Promise<SyncCounts> {
    const [arrangement, { ids: unseen }] = await Promise.all([
      arrangeStrategy(scope, db, view, strategyId, reached, now),
      people.unseen(scope),
    ])
    const counts = noCounts()
    for (const [status, persons] of countsOf(narrowed(arrangement, (id) => !unseen.has(id)))) count(counts, status, persons)
    return counts
  }

  async function arranged(
    scope: Scope,
    state: DeviceState | undefined,
    { strategyId, from }: { strategyId?: string | undefined; from?: string },
    now: number,
  ): Promise<Arrangement> {
    // A device that was just added has no audience yet.
    if (state === undefined) return { everybody: [], status: personSyncStatus.success, others: new Map(), othersInside: 0 }
    const arrangement = await arrangeDevice(scope, db, view, state, now)
    if (strategyId === undefined && from === undefined) return arrangement
    const guests = from === undefined ? null : new Set(view.personsFrom(scope, from))
    return narrowed(
      arrangement,
      (id) =>
        (guests?.has(id) ?? true) &&
        (strategyId === undefined || !view.holds(scope, state.desired.id, id) || view.covers(scope, strategyId, id)),
    )
  }

  return { states, arranged, countPersons }
}
