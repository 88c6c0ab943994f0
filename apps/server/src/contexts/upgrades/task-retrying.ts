/** Retries failed devices of a task. */
import { updateType } from '@gatehouse/contract/enums/devices'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { DevicesService } from '../devices/index.ts'
import { isOffered } from './signed.ts'
import { endRows, findOpen, findRows, reopenRows } from './task-devices-data.ts'
import { endUpgrades } from './task-ending.ts'
import { existingTask } from './task-queries.ts'
import type { Tasks } from './tasks-types.ts'
import * as data from './tasks-data.ts'
import { lockVersionUnscoped } from './versions-data.ts'

const invalid = (path: string, rule: string): never => {
  throw new InvalidRequest([{ path, rule }])
}

export function createTaskRetrying(platform: Platform, devices: Pick<DevicesService, 'facts'>): Tasks['retry'] {
  return async (scope, { userId, operator }, id, rowId) =>
    platform.transaction(async (tx) => {
      await data.lockTasks(scope, tx)
      const { versionId, versionNumber, kind, signed, updateType: type, approval } = await existingTask(scope, tx, id)
      if (versionId === null || !(await lockVersionUnscoped(tx, versionId, 'use'))) invalid('id', 'versionGone')
      const failed = await findRows(scope, tx, id, 'failed', rowId)
      if (rowId !== undefined && failed.length === 0) throw new NotFound()
      const facts = await devices.facts(
        scope,
        failed.flatMap(({ deviceId }) => deviceId ?? []),
        tx,
      )
      const existing = new Map(facts.map((device) => [device.id, device]))
      const deleted = failed.filter(({ deviceId }) => !existing.has(deviceId ?? ''))
      const reopened = failed.filter(({ deviceId }) => {
        const device = existing.get(deviceId ?? '')
        return device !== undefined && isOffered({ signed }, device)
      })
      // A task that was approved may be tried again. One that was declined, or made before approvals existed, needs an approval.
      const needsApproval = type === updateType.forced && approval !== 'given'
      const starting = needsApproval ? [] : reopened.flatMap(({ deviceId }) => deviceId ?? [])
      const superseded = await findOpen(scope, tx, starting, kind)
      await endUpgrades(scope, tx, superseded, { state: 'failed', reason: 'superseded' }, platform.clock)
      await data.lockTask(scope, tx, id)
      if (needsApproval && approval !== 'pending' && reopened.length > 0)
        await data.askApproval(scope, tx, id, { askedById: userId, askedBy: operator })
      await reopenRows(
        scope,
        tx,
        reopened.map((row) => row.id),
        needsApproval ? 'approval' : 'waiting',
        platform.clock.now(),
      )
      await endRows(
        scope,
        tx,
        deleted.map((row) => row.id),
        'notRegistered',
        null,
        platform.clock.now(),
      )
      await data.settleTask(scope, tx, id)
      platform.audit.note({ entity: 'upgradeTask', id, label: versionNumber, before: { retried: 0 }, after: { retried: reopened.length } })
      return reopened.length
    })
}
