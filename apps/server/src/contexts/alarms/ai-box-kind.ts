/** Alarms of AI boxes as escalation and cases see them. */
import { isKnownEvent } from '@gatehouse/contract/alarms/ai-box'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import type { Platform } from '../../platform/context.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import { findAlarms } from './ai-box-data.ts'
import { findOverdue, markEscalated } from './ai-box-kind-data.ts'
import { aiBoxAlarmsChanged } from './events.ts'
import type { AlarmKind } from './kinds.ts'

/** Known events are worded in the language of the reader. */
const subjectOf = (eventType: string, ownName: string): string => (isKnownEvent(eventType) ? eventType : ownName || eventType)

export function createAiBoxKind({ db, events }: Pick<Platform, 'db' | 'events'>): AlarmKind {
  return {
    name: 'aiBox',
    async overdue(scope, query) {
      const rows = await findOverdue(scope, db, query)
      return rows.map(({ eventType, eventTypeName, ...row }) => ({ ...row, subject: subjectOf(eventType, eventTypeName) }))
    },
    async markEscalated(tx, scope, ids, now) {
      const marked = await markEscalated(scope, tx, ids, now)
      if (marked.length > 0) await events.announce(tx, aiBoxAlarmsChanged, scope.parkId, { ids: marked })
      return marked
    },
    async forCase(scope, ids) {
      return inOrderOf(ids, await findAlarms(scope, db, ids)).map((row) => {
        const { id, eventTime: time, deviceName, level, status, eventType, eventTypeName, operator, dealtAt, dealingRecord, fileId } = row
        return {
          id,
          time,
          deviceName,
          level,
          status,
          personId: null,
          personName: '',
          count: 1,
          subject: subjectOf(eventType, eventTypeName),
          steps:
            status === alarmHandlingStatusAlt.unhandled || dealtAt === null
              ? []
              : [{ status, operator, time: dealtAt, record: dealingRecord }],
          fileIds: fileId === null ? [] : [fileId],
        }
      })
    },
  }
}
