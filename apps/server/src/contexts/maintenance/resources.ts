/** Processor, memory and disk of devices: their last reports, and alerts for values above a threshold. */
import type { z } from 'zod'
import type { DataOf } from '@gatehouse/contract'
import type { DeviceResource, maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import {
  RESOURCE_THRESHOLDS,
  kindsAbove,
  resourceThresholds,
  type ResourceThresholds,
  type ResourceUsage,
} from '@gatehouse/contract/maintenance/resources'
import { deviceOnlineStatus } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { CommandOutcome, DeviceCommands } from '../../platform/broker/device-commands.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import { oneDevice } from './one-device.ts'
import { withoutHandling, type ResourceAlerts } from './resource-alerts.ts'
import * as data from './resource-data.ts'

const thresholdSetting = defineSetting<ResourceThresholds>('maintenance.resourceThresholds', resourceThresholds, RESOURCE_THRESHOLDS)
/** Devices notified of new thresholds at a time. */
const NOTIFIED_AT_ONCE = 20

export interface Resources {
  thresholds(scope: Scope): ResourceThresholds & { version: number }
  /** Change the thresholds; devices that are online apply them and report their usage. */
  saveThresholds(scope: Scope, thresholds: ResourceThresholds, version: number | undefined): Promise<void>
  /** Store the usage a device reports. @returns the thresholds in force */
  note(scope: Scope, deviceId: string, usage: ResourceUsage): Promise<ResourceThresholds>
  /** Ask a device that is online, and store its answer. */
  ask(scope: Scope, device: { id: string; code: string }): Promise<CommandOutcome<ResourceUsage>>
  /** Return the usage of a device, asked again if it is online. @throws NotFound */
  look(scope: Scope, deviceId: string): Promise<DeviceResource>
  alerts(
    scope: Scope,
    query: z.output<typeof maintenanceCalls.resourceAlerts.query>,
  ): Promise<DataOf<typeof maintenanceCalls.resourceAlerts>>
  forget(scope: Scope, deviceIds: readonly string[]): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
  stop(): Promise<void>
}

export function createResources(
  platform: Platform,
  devices: Pick<DevicesService, 'all' | 'some'>,
  alerts: ResourceAlerts,
  commands: () => DeviceCommands,
  settings: Settings,
): Resources {
  const db = platform.db
  const ending = new AbortController()
  const notifications = new Set<Promise<void>>()

  const limitsOf = ({ parkId }: Scope): ResourceThresholds => {
    const { cpu, memory, disk } = settings.read(parkId, thresholdSetting)
    return { cpu, memory, disk }
  }

  async function note(scope: Scope, deviceId: string, usage: ResourceUsage): Promise<ResourceThresholds> {
    const thresholds = limitsOf(scope)
    const now = platform.clock.now()
    const above = kindsAbove(usage, thresholds).map((kind) => ({ kind, value: usage[kind], threshold: thresholds[kind] }))
    await platform.transaction(async (tx) => {
      await data.putUsage(scope, tx, deviceId, usage, now)
      await alerts.note(tx, scope, deviceId, above, now)
    })
    return thresholds
  }

  async function ask(scope: Scope, device: { id: string; code: string }): Promise<CommandOutcome<ResourceUsage>> {
    const outcome = await commands().send(device, 'resource', { thresholds: limitsOf(scope) }, { signal: ending.signal })
    if (outcome.isSuccess) await note(scope, device.id, outcome.result)
    return outcome
  }

  async function notifyAll(scope: Scope): Promise<void> {
    const online = (await devices.all(scope)).filter(({ onlineStatus }) => onlineStatus === deviceOnlineStatus.online).values()
    const worker = async () => {
      for (const device of online) if (!ending.signal.aborted) await ask(scope, device)
    }
    await Promise.all(Array.from({ length: NOTIFIED_AT_ONCE }, worker))
  }

  return {
    note,
    ask,
    thresholds(scope) {
      const { cpu, memory, disk, version } = settings.show(scope.parkId, thresholdSetting)
      return { cpu, memory, disk, version }
    },
    async saveThresholds(scope, thresholds, version) {
      await settings.write(scope.parkId, thresholdSetting, thresholds, version)
      // Runs in the background, because a park has thousands of devices. A device that misses it gets the thresholds with its next report.
      const work: Promise<void> = platform.audit
        .apart(() => notifyAll(scope))
        .catch((error: unknown) => platform.log.error({ err: error }, 'devices were not notified of new thresholds'))
        .finally(() => notifications.delete(work))
      notifications.add(work)
    },
    async look(scope, deviceId) {
      const device = await oneDevice(devices, scope, deviceId)
      const outcome = device.onlineStatus === deviceOnlineStatus.online ? await ask(scope, device) : null
      const [row, open] = await Promise.all([data.findUsage(scope, db, deviceId), alerts.ofDevice(scope, deviceId)])
      return {
        deviceId,
        usage: row === undefined ? null : { cpu: row.cpu, memory: row.memory, disk: row.disk, at: row.at },
        isFresh: outcome?.isSuccess ?? false,
        errorType: outcome?.errorType ?? null,
        thresholds: limitsOf(scope),
        alerts: open.map(withoutHandling),
      }
    },
    async alerts(scope, query) {
      const { content, total } = await alerts.list(scope, query)
      return { total, content: content.map(withoutHandling), page: query.page, size: query.size }
    },
    forget: (scope, deviceIds) => data.deleteResources(scope, db, deviceIds),
    erasePark: (tx, scope) => data.deleteResourcesOfPark(scope, tx),
    async stop() {
      ending.abort()
      await Promise.all(notifications)
    },
  }
}
