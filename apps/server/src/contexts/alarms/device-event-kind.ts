/** Events at doors as escalation and cases see them. */
import type { Platform } from '../../platform/context.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import { findOverdue, markEscalated } from './device-event-kind-data.ts'
import { findEvents } from './device-events-data.ts'
import { deviceEventsChanged } from './events.ts'
import type { AlarmKind } from './kinds.ts'

export function createDeviceEventKind({ db, events }: Pick<Platform, 'db' | 'events'>): AlarmKind {
  return {
    name: 'deviceEvent',
    async overdue(scope, query) {
      const rows = await findOverdue(scope, db, query)
      return rows.map(({ type, ...row }) => ({ ...row, subject: String(type) }))
    },
    async markEscalated(tx, scope, ids, now) {
      const marked = await markEscalated(scope, tx, ids, now)
      if (marked.length > 0) await events.announce(tx, deviceEventsChanged, scope.parkId, { eventIds: marked })
      return marked
    },
    async forCase(scope, ids) {
      return inOrderOf(ids, await findEvents(scope, db, ids)).map((row) => {
        const { id, time, deviceName, level, status, type, operator, dealtAt, dealingRecord, pictureFileId } = row
        return {
          id,
          time,
          deviceName,
          level,
          status,
          personId: null,
          personName: '',
          count: 1,
          subject: String(type),
          steps: dealtAt === null ? [] : [{ status, operator, time: dealtAt, record: dealingRecord }],
          fileIds: pictureFileId === null ? [] : [pictureFileId],
        }
      })
    },
  }
}
