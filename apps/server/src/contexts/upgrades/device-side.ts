/** What a device asks of its upgrade, and says of it. */
import type { DeviceUpgrade, UpgradeReport } from '@gatehouse/contract/upgrades/calls'
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'
import { mayFollow, type UpgradeState, type UpgradeStep } from '@gatehouse/contract/upgrades/states'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { RangedFile } from '../../platform/http/ranged-file.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { DevicePrincipal } from '../../platform/session/session.ts'
import type { Packages } from './packages.ts'
import type { UpgradesTables } from './schema.ts'
import * as data from './tasks-data.ts'
import { piecesOf } from './versions.ts'
import { findVersionUnscoped } from './versions-data.ts'

/** A device that downloads says so at least this often. */
export const LEASE_MS = 60_000

export interface DeviceSide {
  read(device: DevicePrincipal, taskId: string): Promise<DeviceUpgrade>
  /** @throws NotFound once it is no longer in progress */
  package(device: DevicePrincipal, taskId: string): Promise<RangedFile>
  report(device: DevicePrincipal, taskId: string, report: UpgradeReport): Promise<{ attempt: number; state: UpgradeState }>
}

/** @param freed told that somebody else may download */
export function createDeviceSide(platform: Platform, packages: Packages, freed: () => void): DeviceSide {
  const db = platform.db as unknown as Database<UpgradesTables>

  async function found({ parkId, deviceId }: DevicePrincipal, taskId: string): Promise<{ task: data.TaskRow; row: data.DeviceRow }> {
    const [task, row] = await Promise.all([data.findTask({ parkId }, db, taskId), data.findDevice({ parkId }, db, taskId, deviceId)])
    // Before a second person has agreed there is nothing to come to.
    if (task === undefined || row === undefined || row.step === 'approval') throw new NotFound()
    return { task, row }
  }

  /** What a word makes of a row; null where it is late, or a repeat. */
  function moved(
    task: data.TaskRow,
    row: data.DeviceRow,
    { attempt, state: said, step, progress, reason, versionNumber }: UpgradeReport,
  ): data.Progress | null {
    const now = platform.clock.now()
    const before = row.state as UpgradeState
    if (attempt !== row.attempt || !mayFollow(before, said)) return null
    // It says that it is done, and runs something else.
    const isOther = said === 'success' && versionNumber !== undefined && versionNumber !== task.versionNumber
    const state = isOther ? 'failed' : said
    const at = step ?? (row.step as UpgradeStep)
    const downloads = state === 'inProgress' && (at === 'told' || at === 'downloading')
    return {
      state,
      step: at,
      progress: state === 'success' || state === 'restarted' ? 100 : (progress ?? row.progress),
      reason: isOther ? 'notStarted' : state === 'failed' ? (reason ?? 'fault') : null,
      endedAt: state === 'inProgress' ? null : now,
      leaseUntil: downloads ? now + LEASE_MS : null,
    }
  }

  return {
    async read(device, taskId) {
      const { task, row } = await found(device, taskId)
      const { kind, apkName, versionNumber, content, updateType, size, md5, sha256 } = task
      return {
        id: taskId,
        attempt: row.attempt,
        kind: kind as UpgradeKind,
        apkName,
        versionNumber,
        content,
        type: updateType as DeviceUpgrade['type'],
        size: Number(size),
        md5,
        sha256,
        state: row.state as UpgradeState,
      }
    },
    async package(device, taskId) {
      const { task, row } = await found(device, taskId)
      const version = row.state === 'inProgress' && task.versionId !== null ? await findVersionUnscoped(db, task.versionId) : undefined
      if (version === undefined) throw new NotFound()
      return packages.open({ pieces: piecesOf(version), size: Number(version.size) })
    },
    async report(device, taskId, report) {
      const scope = { parkId: device.parkId }
      await found(device, taskId)
      return platform.transaction(async (tx: Tx<UpgradesTables>) => {
        // The task before its rows, as everybody does who changes states.
        if (report.state !== 'inProgress') await data.lockTask(scope, tx, taskId)
        const task = await data.findTask(scope, tx, taskId)
        const row = await data.findDevice(scope, tx, taskId, device.deviceId, 'hold')
        if (task === undefined || row === undefined) throw new NotFound()
        const next = moved(task, row, report)
        if (next === null) return { attempt: row.attempt, state: row.state as UpgradeState }
        await data.noteProgress(scope, tx, row.id, next)
        if (next.state !== row.state) await data.settleTask(scope, tx, taskId)
        if (next.leaseUntil === null) freed()
        return { attempt: row.attempt, state: next.state }
      })
    },
  }
}
