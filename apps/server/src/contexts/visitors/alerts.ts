/** Alerts of visits for live screens. */
import { alertBubbleType, visitAlertType } from '@gatehouse/contract/enums/alarms'
import { reasonWord, visitUrlOf, type VisitAlert } from '@gatehouse/contract/visitors/alerts'
import type { Platform } from '../../platform/context.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findAlerted, type AlertedRow } from './alerts-data.ts'
import { isWaiting, statusOf } from './policy.ts'

export interface VisitAlerts {
  /** Return the alerts of those of these visits that still wait, in the order of the ids. */
  waiting(scope: Scope, ids: readonly string[]): Promise<VisitAlert[]>
  /** Return the alerts of visitors who have arrived, in the order of the ids. */
  arrived(scope: Scope, ids: readonly string[]): Promise<VisitAlert[]>
  /** Return those of the ids that are visits of the park, in their order. */
  existing(scope: Scope, ids: readonly string[]): Promise<string[]>
}

export function createVisitAlerts({ db, storage }: Pick<Platform, 'db' | 'storage'>): VisitAlerts {
  async function rowsOf(scope: Scope, ids: readonly string[]): Promise<AlertedRow[]> {
    return inOrderOf(ids, await findAlerted(scope, db, ids))
  }
  const alertOf = (scope: Scope, row: AlertedRow, type: VisitAlert['type']): VisitAlert => {
    const isArrival = type === visitAlertType.arrival
    return {
      id: row.id,
      bubbleType: alertBubbleType.visit,
      type,
      visitorName: row.name,
      visiteeName: row.hostName,
      visitTime: isArrival ? (row.enteredAt ?? row.visitAt) : row.visitAt,
      content: reasonWord(row.reason),
      remark: row.remark,
      faceUrl: row.photoFileId === null ? '' : storage.address(scope, row.photoFileId, 'full'),
      visitUrl: visitUrlOf(type, row.id),
      passType: isArrival ? (row.signInSource as VisitAlert['passType']) : null,
    }
  }
  return {
    async waiting(scope, ids) {
      const rows = await rowsOf(scope, ids)
      // A visit that was decided meanwhile needs nobody any more.
      return rows.filter((row) => isWaiting(statusOf(row))).map((row) => alertOf(scope, row, visitAlertType.check))
    },
    arrived: async (scope, ids) => (await rowsOf(scope, ids)).map((row) => alertOf(scope, row, visitAlertType.arrival)),
    existing: async (scope, ids) => (await rowsOf(scope, ids)).map(({ id }) => id),
  }
}
