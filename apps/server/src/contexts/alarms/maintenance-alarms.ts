/** Maintenance alarms: resources of devices that ran short, which `maintenance` stores; listed, shown live, and handled once each. */
import type { DataOf } from '@gatehouse/contract'
import { EVENT_ALARM_STATES } from '@gatehouse/contract/alarms/handling'
import {
  MAINTENANCE_LEVELS,
  type MaintenanceAlarm,
  type MaintenanceBubble,
  type maintenanceAlarmCalls,
} from '@gatehouse/contract/alarms/maintenance-alarms'
import { alertBubbleType } from '@gatehouse/contract/enums'
import type { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import type { HandledAlert, ResourceAlerts } from '../maintenance/index.ts'
import { HANDLED_AS, handlingOf } from './disposal.ts'
import { maintenanceAbilities } from './policy.ts'

export interface MaintenanceAlarms {
  /** Newest first. @throws Refusal 900007 a window that ends before it begins */
  list(scope: Scope, query: z.output<typeof maintenanceAlarmCalls.list.query>): Promise<DataOf<typeof maintenanceAlarmCalls.list>>
  /** @throws Refusal 500012 */
  read(scope: Scope, id: string): Promise<MaintenanceAlarm>
  /** @throws Refusal 500012 an alarm that does not exist, 500013 one that is handled */
  dispose(scope: Scope, actor: Actor, change: z.output<typeof maintenanceAlarmCalls.dispose.body>): Promise<MaintenanceAlarm>
  /** Rows for live screens, in the order of the ids; those that the scope does not see are left out. */
  rows(scope: Scope, ids: readonly string[]): Promise<MaintenanceBubble[]>
  /** Return those of the ids that the scope sees, in their order. */
  seen(scope: Scope, ids: readonly string[]): Promise<string[]>
}

export interface MaintenanceAlarmNeeds {
  devices: Pick<DevicesService, 'facts'>
  alerts: ResourceAlerts
}

export function createMaintenanceAlarms(platform: Platform, { devices, alerts }: MaintenanceAlarmNeeds): MaintenanceAlarms {
  async function present(scope: Scope, rows: readonly HandledAlert[]): Promise<MaintenanceAlarm[]> {
    const facts = await devices.facts(scope, [...new Set(rows.map(({ deviceId }) => deviceId))])
    const codes = new Map(facts.map(({ id, code }) => [id, code]))
    return rows.map(({ kind, value, raisedAt, ...row }) => ({
      ...row,
      deviceCode: codes.get(row.deviceId) ?? '',
      alertType: kind,
      level: MAINTENANCE_LEVELS[kind],
      usagePercent: value,
      checkTime: raisedAt,
      handling: handlingOf(row.status),
      can: maintenanceAbilities(row),
    }))
  }

  async function some(scope: Scope, ids: readonly string[]): Promise<MaintenanceAlarm[]> {
    return inOrderOf(ids, await present(scope, await alerts.some(scope, ids)))
  }

  return {
    async list(scope, { alertType: kind, tab, status, lasting: open, startTime: from, endTime: to, deviceId, page, size }) {
      if (from !== undefined && to !== undefined && from > to) refuse(900007, 'endTime')
      const ofTab = tab === undefined ? undefined : EVENT_ALARM_STATES[tab]
      const statuses = status === undefined ? ofTab : [status].filter((one) => ofTab?.includes(one) ?? true)
      const { content, total } = await alerts.list(scope, { page, size, deviceId, kind, statuses, open, from, to })
      return { total, page, size, content: await present(scope, content) }
    },
    async read(scope, id) {
      const [alarm] = await some(scope, [id])
      return alarm ?? refuse(500012, 'id')
    },
    async dispose(scope, { operator }, { id, handling, dealingRecord = '' }) {
      const handled = await platform.transaction(async (tx) => {
        const alert = await alerts.lock(tx, scope, id)
        if (alert === undefined) refuse(500012, 'id')
        if (!maintenanceAbilities(alert).dispose) refuse(500013)
        const [now, status] = [platform.clock.now(), HANDLED_AS[handling]]
        await alerts.handle(tx, scope, alert, { status, operator, dealingRecord }, now)
        platform.audit.note({ entity: 'maintenanceAlarm', id, label: alert.deviceName, before: { handling: null }, after: { handling } })
        return { ...alert, status, operator, dealingRecord, dealtAt: now }
      })
      return (await present(scope, [handled]))[0]!
    },
    async rows(scope, ids) {
      return (await some(scope, ids)).map((alarm) => {
        const { id, deviceId, deviceCode, deviceName, alertType, level, usagePercent, threshold, checkTime, clearedAt } = alarm
        const { status, escalatedAt } = alarm
        const bubbleType = alertBubbleType.device
        const what = { alertType, level, usagePercent, threshold, checkTime, clearedAt }
        return { id, bubbleType, deviceId, deviceCode, deviceName, ...what, status, escalatedAt }
      })
    },
    seen: async (scope, ids) => (await some(scope, ids)).map(({ id }) => id),
  }
}
