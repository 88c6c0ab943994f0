/** The devices a task names, and which of them it would upgrade. */
import { namesTargets, type UpgradeTargets } from '@gatehouse/contract/upgrades/calls'
import { isHigher } from '@gatehouse/contract/upgrades/package'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import type { Device } from '@gatehouse/contract/devices/device'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import { isOffered } from './signed.ts'
import { findOpen } from './task-devices-data.ts'
import type { Tasks, VersionTargets } from './tasks-types.ts'
import { findVersionUnscoped, type VersionRow } from './versions-data.ts'

interface Targets {
  devices: Device[]
  /** Codes that no device of the park has. */
  unknown: string[]
}

export interface TaskTargets extends Pick<Tasks, 'running' | 'reach'> {
  /** Return the version and the named devices. @throws NotFound; InvalidRequest for a version that does not exist */
  named(scope: Scope, fields: VersionTargets): Promise<Targets & { version: VersionRow }>
}

/** Return the version of a kind that a device reports; the version of face models is not reported in advance. */
export const runningOf = (kind: string, { firmwareVersion }: Device): string => (kind === 'algorithm' ? '' : firmwareVersion)
/** Return whether a device already runs the version, or a higher one. */
export const isNewest = ({ kind, versionNumber }: Pick<VersionRow, 'kind' | 'versionNumber'>, device: Device): boolean =>
  isHigher(versionNumber, runningOf(kind, device)) === false

export function createTaskTargets(platform: Platform, devices: DevicesService): TaskTargets {
  const db = platform.db

  async function targetsOf(scope: Scope, targets: UpgradeTargets): Promise<Targets> {
    if (!namesTargets(targets)) return { devices: await devices.all(scope), unknown: [] }
    const { deviceIds, deviceGroupIds, deviceTypes, codes } = targets
    const groups = new Set(deviceGroupIds)
    if ((await devices.groupNames(scope, [...groups])).length < groups.size) throw new NotFound()
    const deviceIdsNamed = new Set([...deviceIds, ...(groups.size > 0 ? await devices.idsInGroups(scope, [...groups]) : [])])
    const all = await devices.all(scope)
    const existingIds = new Set(all.map(({ id }) => id))
    if (deviceIds.some((id) => !existingIds.has(id))) throw new NotFound()
    const unmatched = new Map(codes.map((code) => [code.toLowerCase(), code]))
    const chosen = all.filter(
      ({ id, type, code }) => deviceIdsNamed.has(id) || deviceTypes.some((one) => one === type) || unmatched.has(code.toLowerCase()),
    )
    for (const { code } of all) unmatched.delete(code.toLowerCase())
    return { devices: chosen, unknown: [...unmatched.values()] }
  }

  async function named(scope: Scope, fields: VersionTargets): Promise<Targets & { version: VersionRow }> {
    const version = await findVersionUnscoped(db, fields.versionId)
    if (version === undefined) throw new InvalidRequest([{ path: 'versionId', rule: 'unknown' }])
    return { version, ...(await targetsOf(scope, fields)) }
  }

  return {
    named,
    async running(scope) {
      const byVersion = Map.groupBy(await devices.all(scope), ({ firmwareVersion }) => firmwareVersion)
      return [...byVersion]
        .map(([versionNumber, those]) => ({
          versionNumber,
          devices: those.length,
          online: those.filter(({ onlineStatus }) => onlineStatus === deviceOnlineStatus.online).length,
        }))
        .toSorted((one, other) => other.versionNumber.localeCompare(one.versionNumber, 'en', { numeric: true }))
    },
    async reach(scope, fields) {
      const { version, devices: chosen, unknown } = await named(scope, fields)
      const newest = chosen.filter((device) => isNewest(version, device))
      const unsigned = chosen.filter((device) => !newest.includes(device) && !isOffered(version, device))
      const open = await findOpen(
        scope,
        db,
        chosen.filter((device) => !newest.includes(device) && !unsigned.includes(device)).map(({ id }) => id),
        version.kind,
      )
      return {
        devices: chosen.length,
        online: chosen.filter(({ onlineStatus }) => onlineStatus === 1).length,
        alreadyNewest: newest.length,
        notRegistered: unknown.length,
        unsigned: unsigned.length,
        superseded: open.length,
      }
    },
  }
}
