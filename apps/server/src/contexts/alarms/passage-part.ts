/** Rule and temperature alarms as a part of this area: what raises them, their calls, and what removes them. */
import type { MountedCall, Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { on } from '../../platform/events/events.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import { personsDeleted } from '../people/index.ts'
import { recordsReceived, spanOf, watchListHitNoted, type RecordsContext } from '../records/index.ts'
import type { AlarmsAboutPersons } from './holder.ts'
import type { AlarmKind } from './kinds.ts'
import type { LiveRows } from './live.ts'
import { createPassageAlarms } from './passage-alarms.ts'
import { countOfPersonsUnscoped, deleteBeforeUnscoped, deleteOfPark, deleteOfPersonsUnscoped } from './passage-alarms-data.ts'
import { passageAlarmHandlers } from './passage-calls.ts'
import { createPassageKind } from './passage-kinds.ts'
import { createPassageRaising, type PassageRaising } from './passage-raising.ts'

/** Its persons are those of all parks: a person of a linked park raises alarms there. */
export interface PassagePart extends AlarmsAboutPersons {
  raising: PassageRaising
  /** Rule alarms. */
  live: LiveRows
  kinds: readonly AlarmKind[]
  calls: readonly MountedCall[]
  job: Job
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}

/** Lists reach back as far, and an older alarm is of no use to anybody. */
const KEPT_MS = 366 * 86_400_000

export function createPassagePart(platform: Platform, records: RecordsContext): PassagePart {
  const db = platform.db
  const raising = createPassageRaising(platform, records)
  platform.events.consume({
    name: 'alarms.passages',
    mode: 'once',
    handlers: [
      on(recordsReceived, ({ parkId, payload }) => raising.received({ parkId }, payload.recordIds, spanOf(payload))),
      on(watchListHitNoted, ({ parkId, payload }) => raising.watched({ parkId }, payload.recordId, spanOf(payload))),
      // Like the note of the record on which the person was found.
      on(personsDeleted, async ({ payload }) => void (await deleteOfPersonsUnscoped(db, payload.personIds, 'watchList'))),
    ],
  })
  const alarms = createPassageAlarms(platform, records.records)
  return {
    raising,
    live: alarms.live,
    kinds: (['rule', 'temperature'] as const).map((name) => createPassageKind(platform, records.rulePassages, name)),
    calls: passageAlarmHandlers(alarms),
    job: {
      name: 'alarms.dropOldPassages',
      schedule: '53 3 * * *',
      run: async () => ({ outcome: 'success', counts: { alarms: await deleteBeforeUnscoped(db, platform.clock.now() - KEPT_MS) } }),
    },
    count: (_, personIds) => countOfPersonsUnscoped(db, personIds),
    forget: (tx, _, personIds) => deleteOfPersonsUnscoped(tx, personIds),
    erasePark: (tx, scope) => deleteOfPark(scope, tx),
  }
}
