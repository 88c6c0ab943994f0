/**
 * What is kept of alarms of faces no longer: old ones, those of persons who were erased, those of a removed park. Those of persons who were
 * only deleted stay, as their access records do.
 */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './face-alarms-raising-data.ts'
import type { AlarmsAboutPersons } from './holder.ts'

/** Days for which alarms are kept: as many as a list can look back. */
const ALARMS_KEPT_DAYS = 366
/** Alarms deleted in one statement. */
const AT_ONCE = 2_000
const DAY = 86_400_000

export interface FaceAlarmRemoval extends AlarmsAboutPersons {
  job: Job
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}

export function createFaceAlarmRemoval({ db, clock, audit }: Pick<Platform, 'db' | 'clock' | 'audit'>): FaceAlarmRemoval {
  return {
    job: {
      name: 'alarms.dropOldFaceAlarms',
      schedule: '37 2 * * *',
      async run() {
        const before = clock.now() - ALARMS_KEPT_DAYS * DAY
        let alarms = 0
        for (;;) {
          const deleted = await data.deleteFaceAlarmsBeforeUnscoped(db, before, AT_ONCE)
          alarms += deleted
          if (deleted < AT_ONCE) return { outcome: alarms > 0 ? 'success' : 'skipped', counts: { alarms } }
        }
      },
    },
    count: (scope, personIds) => data.countAlarmsOfPersons(scope, db, personIds),
    async forget(tx, scope, personIds) {
      const alarmIds = await data.deleteAlarmsOfPersons(scope, tx, personIds)
      // What was written about the alarm may name the person.
      await audit.forget(tx, 'faceAlarm', alarmIds)
      return alarmIds.length
    },
    erasePark: (tx, scope) => data.deleteFaceAlarmsOfPark(scope, tx),
  }
}
