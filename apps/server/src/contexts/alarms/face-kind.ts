/** Alarms of faces as escalation and cases see them. */
import type { Platform } from '../../platform/context.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import type { CaptureLists } from '../surveillance/index.ts'
import { findFaceAlarms } from './face-alarms-data.ts'
import { announceFaceAlarms } from './face-alarms-raising.ts'
import { findOverdue, findStepsOf, markEscalated } from './face-kind-data.ts'
import type { AlarmKind } from './kinds.ts'

export function createFaceKind(platform: Platform, captures: Pick<CaptureLists, 'picturesOf'>): AlarmKind {
  const db = platform.db
  return {
    name: 'face',
    async overdue(scope, query) {
      const rows = await findOverdue(scope, db, query)
      return rows.map(({ taskName, ...row }) => ({ ...row, subject: taskName }))
    },
    async markEscalated(tx, scope, ids, now) {
      const marked = await markEscalated(scope, tx, ids, now)
      if (marked.length > 0) await announceFaceAlarms(platform, tx, scope, marked)
      return marked
    },
    async forCase(scope, ids) {
      const rows = await findFaceAlarms(scope, db, ids)
      const [steps, pictures] = await Promise.all([
        findStepsOf(
          scope,
          db,
          rows.map(({ id }) => id),
        ),
        captures.picturesOf(
          scope,
          rows.map(({ captureId }) => captureId),
        ),
      ])
      return inOrderOf(ids, rows).map((row) => {
        const { id, capturedAt: time, captures: count, taskName: subject, deviceName, personId, personName, level, status } = row
        const fileId = pictures.get(row.captureId)
        return {
          id,
          time,
          subject,
          deviceName,
          personId,
          personName,
          level,
          status,
          count,
          steps: steps.filter(({ alarmId }) => alarmId === id).map(({ alarmId: _, ...step }) => step),
          fileIds: fileId === undefined ? [] : [fileId],
        }
      })
    },
  }
}
