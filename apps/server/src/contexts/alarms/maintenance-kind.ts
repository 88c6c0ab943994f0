/** Maintenance alarms as escalation and cases see them. */
import { MAINTENANCE_LEVELS } from '@gatehouse/contract/alarms/maintenance-alarms'
import { RESOURCE_KINDS } from '@gatehouse/contract/maintenance/resources'
import { inOrderOf } from '../../platform/database/in-order.ts'
import type { ResourceAlerts } from '../maintenance/index.ts'
import type { AlarmKind } from './kinds.ts'

export function createMaintenanceKind(alerts: Pick<ResourceAlerts, 'overdue' | 'markEscalated' | 'some'>): AlarmKind {
  return {
    name: 'maintenance',
    async overdue(scope, { since, until, minLevel, limit }) {
      const kinds = RESOURCE_KINDS.filter((kind) => MAINTENANCE_LEVELS[kind] >= minLevel)
      const rows = await alerts.overdue(scope, { since, until, kinds, limit })
      return rows.map(({ id, raisedAt, kind, deviceName }) => ({
        id,
        time: raisedAt,
        level: MAINTENANCE_LEVELS[kind],
        deviceName,
        subject: kind,
      }))
    },
    markEscalated: (tx, scope, ids, now) => alerts.markEscalated(tx, scope, ids, now),
    async forCase(scope, ids) {
      return inOrderOf(ids, await alerts.some(scope, ids)).map((row) => {
        const { id, raisedAt, deviceName, kind, status, operator, dealtAt, dealingRecord } = row
        return {
          id,
          time: raisedAt,
          deviceName,
          level: MAINTENANCE_LEVELS[kind],
          status,
          personId: null,
          personName: '',
          count: 1,
          subject: kind,
          steps: dealtAt === null ? [] : [{ status, operator, time: dealtAt, record: dealingRecord }],
          fileIds: [],
        }
      })
    },
  }
}
