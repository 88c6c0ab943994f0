/** Ends devices of tasks. */
import type { UpgradeFailure, UpgradeState } from '@gatehouse/contract/upgrades/states'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { endRows, type DeviceRow } from './task-devices-data.ts'
import { lockTask, settleTask } from './tasks-data.ts'

/** End rows of any tasks. Tasks are locked in the order of their ids, so that two transactions never deadlock. */
export async function endUpgrades(
  scope: Scope,
  tx: Transaction,
  rows: readonly Pick<DeviceRow, 'id' | 'taskId'>[],
  { state, reason }: { state: UpgradeState; reason: UpgradeFailure | null },
  clock: Platform['clock'],
): Promise<void> {
  const byTask = Map.groupBy(rows, ({ taskId }) => taskId)
  for (const taskId of [...byTask.keys()].toSorted()) {
    await lockTask(scope, tx, taskId)
    await endRows(
      scope,
      tx,
      byTask.get(taskId)!.map(({ id }) => id),
      state,
      reason,
      clock.now(),
    )
    await settleTask(scope, tx, taskId)
  }
}
