/** Rule and temperature alarms as escalation and cases see them. */
import type { Platform } from '../../platform/context.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import type { RulePassages } from '../records/index.ts'
import { ruleAlarmsChanged } from './events.ts'
import type { AlarmKind } from './kinds.ts'
import * as data from './passage-alarms-data.ts'

const ABOUT = { rule: 'rules', temperature: 'temperatures' } as const

export function createPassageKind(
  { db, events }: Pick<Platform, 'db' | 'events'>,
  records: Pick<RulePassages, 'pictures'>,
  name: keyof typeof ABOUT,
): AlarmKind {
  const subjectOf = ({ kind }: data.PassageAlarmRow) => (name === 'rule' ? kind : '')
  return {
    name,
    async overdue(scope, query) {
      const rows = await data.findOverdue(scope, db, ABOUT[name], query)
      return rows.map((row) => ({ id: row.id, time: row.time, level: row.level, deviceName: row.deviceName, subject: subjectOf(row) }))
    },
    async markEscalated(tx, scope, ids, now) {
      const marked = await data.markEscalated(scope, tx, ids, now)
      if (marked.length > 0 && name === 'rule') await events.announce(tx, ruleAlarmsChanged, scope.parkId, { ids: marked })
      return marked
    },
    async forCase(scope, ids) {
      const rows = (await data.findAlarms(scope, db, ids)).filter(({ kind }) => (kind === 'temperature') === (name === 'temperature'))
      if (rows.length === 0) return []
      const moments = rows.map(({ recordAt }) => recordAt)
      const [steps, pictures] = await Promise.all([
        data.findSteps(
          scope,
          db,
          rows.map(({ id }) => id),
        ),
        records.pictures(
          scope,
          rows.map(({ recordId }) => recordId),
          { from: Math.min(...moments), to: Math.max(...moments) },
        ),
      ])
      return inOrderOf(ids, rows).map((row) => {
        const { id, time, deviceName, personId, personName, level, status, count } = row
        const fileId = pictures.get(row.recordId)
        return {
          id,
          time,
          deviceName,
          personId,
          personName,
          level,
          status,
          count,
          subject: subjectOf(row),
          steps: steps.filter(({ alarmId }) => alarmId === id).map(({ alarmId: _, ...step }) => step),
          fileIds: fileId === undefined ? [] : [fileId],
        }
      })
    },
  }
}
