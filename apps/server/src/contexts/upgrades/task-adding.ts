/** Creation of tasks. */
import { updateType } from '@gatehouse/contract/enums/devices'
import type { Device } from '@gatehouse/contract/devices/device'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { isOffered } from './signed.ts'
import { findOpen, insertDevices, type DeviceValues } from './task-devices-data.ts'
import { endUpgrades } from './task-ending.ts'
import { isNewest, runningOf, type TaskTargets } from './task-targets.ts'
import type { Tasks } from './tasks-types.ts'
import * as data from './tasks-data.ts'
import { lockVersionUnscoped, type VersionRow } from './versions-data.ts'

const invalid = (path: string, rule: string): never => {
  throw new InvalidRequest([{ path, rule }])
}

/** Return the rows of a new task: the named devices, and the codes that no device has. */
function rowsFor(
  version: VersionRow,
  { devices, unknown }: { devices: readonly Device[]; unknown: readonly string[] },
  step: DeviceValues['step'],
): DeviceValues[] {
  const { kind } = version
  const initial = { step, reason: null }
  return [
    ...devices.map((device) => ({
      id: newId(),
      deviceId: device.id,
      code: device.code,
      name: device.name,
      versionBefore: runningOf(kind, device),
      ...initial,
      ...(isNewest(version, device)
        ? { state: 'alreadyNewest' as const }
        : isOffered(version, device)
          ? { state: 'inProgress' as const }
          : { state: 'failed' as const, reason: 'unsigned' as const }),
    })),
    ...unknown.map((code) => ({
      id: newId(),
      deviceId: null,
      code,
      name: code,
      state: 'notRegistered' as const,
      versionBefore: '',
      ...initial,
    })),
  ]
}

export function createTaskAdding(platform: Platform, targets: Pick<TaskTargets, 'named'>): Tasks['add'] {
  return async (scope, { userId, operator }, fields) => {
    const { version, devices: chosen, unknown } = await targets.named(scope, fields)
    if (chosen.length + unknown.length === 0) invalid('deviceIds', 'upgradeTargets')
    // Among other devices they are left out, each with the reason.
    if (unknown.length === 0 && chosen.every((device) => !isOffered(version, device))) invalid('deviceIds', 'terminalsTakeSigned')
    const { kind, apkName, versionNumber, content, md5, sha256, file, size, signed } = version
    const type = fields.type ?? version.updateType
    const isForced = type === updateType.forced
    const task: data.TaskValues = {
      id: newId(),
      versionId: version.id,
      kind,
      apkName,
      versionNumber,
      content,
      updateType: type,
      md5,
      sha256,
      file,
      size: Number(size),
      signed,
      approval: isForced ? 'pending' : 'none',
      askedById: userId,
      askedBy: operator,
    }
    const rows = rowsFor(version, { devices: chosen, unknown }, isForced ? 'approval' : 'waiting')
    // A task that waits for approval neither starts nor ends anything.
    const starting = isForced ? [] : rows.filter(({ state }) => state === 'inProgress').flatMap(({ deviceId }) => deviceId ?? [])
    await platform.transaction(async (tx) => {
      await data.lockTasks(scope, tx)
      if (!(await lockVersionUnscoped(tx, version.id, 'use'))) invalid('versionId', 'unknown')
      const superseded = await findOpen(scope, tx, starting, kind)
      await endUpgrades(scope, tx, superseded, { state: 'failed', reason: 'superseded' }, platform.clock)
      await data.insertTask(scope, tx, task, platform.clock.now())
      await insertDevices(scope, tx, task, rows, platform.clock.now())
      await data.settleTask(scope, tx, task.id)
      platform.audit.note({
        entity: 'upgradeTask',
        id: task.id,
        label: versionNumber,
        after: { kind, versionNumber, updateType: type, file, signed, approval: task.approval, devices: rows.length },
      })
    })
    return task.id
  }
}
