/** Alerts for resources above a threshold: raised and ended by reports of devices, and handled by users, which `alarms` decides about. */
import type { ResourceAlert } from '@gatehouse/contract/maintenance/calls'
import type { ResourceKind } from '@gatehouse/contract/maintenance/resources'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import { deviceResourceAlert } from './events.ts'
import * as data from './resource-alerts-data.ts'

/** An alert, what became of it, and the name its device has now. */
export type HandledAlert = data.AlertRow & { deviceName: string }

export interface ResourceAlerts {
  /** Newest first. */
  list(scope: Scope, query: data.AlertQuery): Promise<{ content: HandledAlert[]; total: number }>
  /** Return those of these alerts that the scope sees. */
  some(scope: Scope, ids: readonly string[]): Promise<HandledAlert[]>
  /** Return the alerts of a device that last, earliest first. */
  ofDevice(scope: Scope, deviceId: string): Promise<HandledAlert[]>
  /** Raise alerts for these kinds, and end those of other kinds. */
  note(tx: Transaction, scope: Scope, deviceId: string, above: readonly Above[], now: number): Promise<void>
  /** Lock an alert until the transaction ends, and return it; undefined where the scope sees none. */
  lock(tx: Transaction, scope: Scope, id: string): Promise<HandledAlert | undefined>
  /** Store how a locked alert was handled. */
  handle(
    tx: Transaction,
    scope: Scope,
    alert: Pick<HandledAlert, 'id' | 'deviceId' | 'kind'>,
    handled: { status: 2 | 3; operator: string; dealingRecord: string },
    now: number,
  ): Promise<void>
  /** Return alerts that last and that nobody has handled in time, earliest first. */
  overdue(scope: Scope, query: data.OverdueAlerts): Promise<HandledAlert[]>
  /** Mark alerts as escalated; return the ids of those that still lasted and were unhandled. */
  markEscalated(tx: Transaction, scope: Scope, ids: readonly string[], now: number): Promise<string[]>
  /** Delete alerts that are old, handled and over. @returns how many */
  dropOld(parkIds: readonly string[]): Promise<number>
}

/** A share that has reached its threshold. */
interface Above {
  kind: ResourceKind
  value: number
  threshold: number
}

const DAY = 86_400_000
/** Handled alerts are kept as long as events at doors. What is unhandled stays until somebody has seen to it. */
const KEPT_DAYS = 366
/** Alerts deleted in one transaction. */
const AT_ONCE = 1_000

/** Return an alert as calls of devices show it: without its handling. */
export const withoutHandling = ({
  id,
  deviceId,
  deviceName,
  kind,
  value,
  threshold,
  raisedAt,
  clearedAt,
}: HandledAlert): ResourceAlert => ({
  id,
  deviceId,
  deviceName,
  kind,
  value,
  threshold,
  raisedAt,
  clearedAt,
})

export function createResourceAlerts(platform: Platform, devices: Pick<DevicesService, 'names'>): ResourceAlerts {
  const { db, clock, events } = platform

  async function named(scope: Scope, rows: readonly data.AlertRow[]): Promise<HandledAlert[]> {
    const names = new Map(
      (await devices.names(scope, [...new Set(rows.map(({ deviceId }) => deviceId))])).map(({ id, name }) => [id, name]),
    )
    return rows.map((row) => ({ ...row, deviceName: names.get(row.deviceId) ?? '' }))
  }

  const changed = (
    tx: Transaction,
    { parkId }: Scope,
    { id: alertId, deviceId, kind }: { id: string; deviceId: string; kind: ResourceKind },
  ) => events.announce(tx, deviceResourceAlert, parkId, { deviceId, alertId, kind })

  return {
    async list(scope, query) {
      const { content, total } = await data.listAlerts(scope, db, query)
      return { total, content: await named(scope, content) }
    },
    some: async (scope, ids) => named(scope, await data.findAlerts(scope, db, ids)),
    ofDevice: async (scope, deviceId) => named(scope, await data.findOpenAlerts(scope, db, deviceId)),
    async note(tx, scope, deviceId, above, now) {
      const kinds = above.map(({ kind }) => kind)
      for (const { id, kind } of await data.clearAlerts(scope, tx, deviceId, kinds, now)) await changed(tx, scope, { id, deviceId, kind })
      for (const alert of above) {
        const id = await data.raiseAlert(scope, tx, { ...alert, deviceId }, now)
        if (id !== null) await changed(tx, scope, { id, deviceId, kind: alert.kind })
      }
    },
    async lock(tx, scope, id) {
      const row = await data.lockAlert(scope, tx, id)
      return row && (await named(scope, [row]))[0]
    },
    async handle(tx, scope, alert, handled, now) {
      await data.handleAlert(scope, tx, alert.id, handled, now)
      await changed(tx, scope, alert)
    },
    overdue: async (scope, query) => named(scope, await data.findOverdueAlerts(scope, db, query)),
    async markEscalated(tx, scope, ids, now) {
      const marked = await data.markAlertsEscalated(scope, tx, ids, now)
      for (const alert of marked) await changed(tx, scope, alert)
      return marked.map(({ id }) => id)
    },
    async dropOld(parkIds) {
      let total = 0
      for (const parkId of parkIds)
        for (let dropped = AT_ONCE; dropped === AT_ONCE; total += dropped)
          dropped = await data.deleteHandledAlerts({ parkId }, db, clock.now() - KEPT_DAYS * DAY, AT_ONCE)
      return total
    },
  }
}
