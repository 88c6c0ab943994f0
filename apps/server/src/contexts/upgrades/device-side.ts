/** The upgrade of a device, as the device reads it and reports on it. */
import type { DeviceUpgrade, UpgradeReport } from '@gatehouse/contract/upgrades/calls'
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'
import { mayFollow, type UpgradeState, type UpgradeStep } from '@gatehouse/contract/upgrades/states'
import type { Platform } from '../../platform/context.ts'
import type { RangedFile } from '../../platform/http/ranged-file.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { DevicePrincipal } from '../../platform/session/session.ts'
import type { Packages } from './packages.ts'
import { findDevice, noteProgress, type DeviceRow, type Progress } from './task-devices-data.ts'
import * as data from './tasks-data.ts'
import { piecesOf } from './versions.ts'
import { findVersionUnscoped } from './versions-data.ts'

/** Longest time between two reports of a downloading device. */
export const LEASE_MS = 60_000

export interface DeviceSide {
  read(device: DevicePrincipal, taskId: string): Promise<DeviceUpgrade>
  /** @throws NotFound once the task is no longer in progress */
  package(device: DevicePrincipal, taskId: string): Promise<RangedFile>
  report(device: DevicePrincipal, taskId: string, report: UpgradeReport): Promise<{ attempt: number; state: UpgradeState }>
}

/** @param freed called when another device may download */
export function createDeviceSide(platform: Platform, packages: Packages, freed: () => void): DeviceSide {
  const db = platform.db

  async function existing({ parkId, deviceId }: DevicePrincipal, taskId: string): Promise<{ task: data.TaskRow; row: DeviceRow }> {
    const [task, row] = await Promise.all([data.findTask({ parkId }, db, taskId), findDevice({ parkId }, db, taskId, deviceId)])
    // Before a second person has approved, there is nothing to fetch.
    if (task === undefined || row === undefined || row.step === 'approval') throw new NotFound()
    return { task, row }
  }

  /** Return a row as it is after a report; null if the report is late or repeated. */
  function progressAfter(
    task: data.TaskRow,
    row: DeviceRow,
    { attempt, state: reported, step, progress, reason, versionNumber }: UpgradeReport,
  ): Progress | null {
    const now = platform.clock.now()
    const before = row.state as UpgradeState
    if (attempt !== row.attempt || !mayFollow(before, reported)) return null
    // The device reports success, but runs another version.
    const isOther = reported === 'success' && versionNumber !== undefined && versionNumber !== task.versionNumber
    const state = isOther ? 'failed' : reported
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
      const { task, row } = await existing(device, taskId)
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
      const { task, row } = await existing(device, taskId)
      const version = row.state === 'inProgress' && task.versionId !== null ? await findVersionUnscoped(db, task.versionId) : undefined
      if (version === undefined) throw new NotFound()
      return packages.open({ pieces: piecesOf(version), size: Number(version.size) })
    },
    async report(device, taskId, report) {
      const scope = { parkId: device.parkId }
      await existing(device, taskId)
      return platform.transaction(async (tx) => {
        // The task is locked before its rows, as everywhere else where states change.
        if (report.state !== 'inProgress') await data.lockTask(scope, tx, taskId)
        const task = await data.findTask(scope, tx, taskId)
        const row = await findDevice(scope, tx, taskId, device.deviceId, 'lock')
        if (task === undefined || row === undefined) throw new NotFound()
        const next = progressAfter(task, row, report)
        if (next === null) return { attempt: row.attempt, state: row.state as UpgradeState }
        await noteProgress(scope, tx, row.id, next)
        if (next.state !== row.state) await data.settleTask(scope, tx, taskId)
        if (next.leaseUntil === null) freed()
        return { attempt: row.attempt, state: next.state }
      })
    },
  }
}
