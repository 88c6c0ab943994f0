/** Resources of devices that ran short, as alarms: `maintenance` stores them. */
import type { DataOf } from '@gatehouse/contract'
import type { DeviceResourceAlarm, DeviceResourceBubble, deviceEventCalls } from '@gatehouse/contract/alarms/device-events'
import { alertBubbleType } from '@gatehouse/contract/enums'
import type { z } from 'zod'
import { inOrderOf } from '../../platform/database/in-order.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import type { MaintenanceService, ResourceAlertOfDevice } from '../maintenance/index.ts'

export interface DeviceResources {
  /** Newest first. @throws Refusal 900007 a window that ends before it begins */
  list(scope: Scope, query: z.output<typeof deviceEventCalls.resources.query>): Promise<DataOf<typeof deviceEventCalls.resources>>
  /** @throws Refusal 500012 */
  read(scope: Scope, id: string): Promise<DeviceResourceAlarm>
  /** Rows for live screens, in the order of the ids; those that the scope does not see are left out. */
  rows(scope: Scope, ids: readonly string[]): Promise<DeviceResourceBubble[]>
  /** Return those of the ids that the scope sees, in their order. */
  seen(scope: Scope, ids: readonly string[]): Promise<string[]>
}

export interface DeviceResourceNeeds {
  devices: Pick<DevicesService, 'facts'>
  resources: Pick<MaintenanceService['resources'], 'alerts' | 'someAlerts'>
}

export function createDeviceResources({ devices, resources }: DeviceResourceNeeds): DeviceResources {
  async function present(scope: Scope, alerts: readonly ResourceAlertOfDevice[]): Promise<DeviceResourceAlarm[]> {
    const facts = await devices.facts(scope, [...new Set(alerts.map(({ deviceId }) => deviceId))])
    const codes = new Map(facts.map(({ id, code }) => [id, code]))
    return alerts.map(({ id, deviceId, deviceName, kind, value, threshold, raisedAt, clearedAt }) => ({
      id,
      deviceId,
      deviceCode: codes.get(deviceId) ?? '',
      deviceName,
      alertType: kind,
      usagePercent: value,
      threshold,
      checkTime: raisedAt,
      clearedAt,
    }))
  }

  async function some(scope: Scope, ids: readonly string[]): Promise<DeviceResourceAlarm[]> {
    return inOrderOf(ids, await present(scope, await resources.someAlerts(scope, ids)))
  }

  return {
    async list(scope, { alertType: kind, tab, startTime: from, endTime: to, ...query }) {
      if (from !== undefined && to !== undefined && from > to) refuse(900007, 'endTime')
      const open = tab === undefined ? undefined : tab === 'unhandled'
      const { content, ...page } = await resources.alerts(scope, { ...query, kind, open, from, to })
      return { ...page, content: await present(scope, content) }
    },
    async read(scope, id) {
      const [alarm] = await some(scope, [id])
      return alarm ?? refuse(500012, 'id')
    },
    rows: async (scope, ids) => (await some(scope, ids)).map((alarm) => ({ ...alarm, bubbleType: alertBubbleType.device })),
    seen: async (scope, ids) => (await some(scope, ids)).map(({ id }) => id),
  }
}
