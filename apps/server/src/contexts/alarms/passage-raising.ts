/**
 * Alarms raised by records as they arrive. Passages of one person that break one rule at one door within a few minutes are one alarm,
 * which counts them. A record counts once for each kind of alarm, so that an event may be handled twice.
 */
import { REPEATED_REFUSALS, RULE_ALARM_MINUTES } from '@gatehouse/contract/alarms/rule-alarms'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { RecordsContext, RulePassage } from '../records/index.ts'
import { ruleAlarmsChanged } from './events.ts'
import * as data from './passage-alarms-data.ts'
import { brokenBy, isRefusal, LEVEL_OF, momentOf, type Broken } from './passage-rules.ts'

const WINDOW_MS = RULE_ALARM_MINUTES * 60_000
/** Passages of a window that are looked at: some of them may have been counted by an alarm that was dealt with. */
const REFUSALS_READ = 100

export interface PassageRaising {
  /** Raise the alarms of new records. */
  received(scope: Scope, recordIds: readonly string[], span?: { from: number; to: number }): Promise<void>
  /** Raise the alarm of a person of the watch list who was found on a record. */
  watched(scope: Scope, recordId: string, span?: { from: number; to: number }): Promise<void>
}

/** Return a passage as the alarm that it would begin. */
const alarmOf = (passage: RulePassage, { kind, level }: Broken): data.NewPassageAlarm => ({
  kind,
  level,
  time: momentOf(passage),
  lastTime: momentOf(passage),
  deviceId: passage.deviceId,
  deviceName: passage.deviceName,
  recordId: passage.id,
  recordAt: passage.occurredAt,
  personId: passage.personId,
  personName: passage.personName,
  temperature: kind === 'temperature' ? passage.temperature : null,
  temperatureStatus: kind === 'temperature' ? passage.temperatureStatus : null,
})

export function createPassageRaising(
  platform: Platform,
  { rulePassages, watchListHits }: Pick<RecordsContext, 'rulePassages' | 'watchListHits'>,
): PassageRaising {
  const db = platform.db

  /** Announce an alarm that live screens show: temperatures have no such screen. */
  async function announce(tx: Transaction, scope: Scope, { kind }: data.NewPassageAlarm, id: string): Promise<void> {
    if (kind !== 'temperature') await platform.events.announce(tx, ruleAlarmsChanged, scope.parkId, { ids: [id] })
  }

  /** Count passages with the alarm that runs, or begin one. */
  async function raise(tx: Transaction, scope: Scope, alarm: data.NewPassageAlarm, recordIds: readonly string[]): Promise<void> {
    const now = platform.clock.now()
    const counted = await data.findCounted(scope, tx, alarm.kind, recordIds)
    const fresh = recordIds.filter((id) => !counted.has(id))
    if (!fresh.includes(alarm.recordId)) return
    const running = await data.findRunning(scope, tx, alarm, WINDOW_MS)
    if (running !== undefined && (await data.countPassage(scope, tx, running.id, alarm.time, now))) {
      await data.noteRecords(scope, tx, { id: running.id, kind: alarm.kind }, [alarm.recordId])
      await announce(tx, scope, alarm, running.id)
      return
    }
    if (alarm.kind === 'repeatedRefusals' && fresh.length < REPEATED_REFUSALS) return
    const id = newId()
    await data.insertAlarm(scope, tx, { ...alarm, id, passages: fresh.length }, now)
    await data.noteRecords(scope, tx, { id, kind: alarm.kind }, fresh)
    await announce(tx, scope, alarm, id)
  }

  /** Raise the alarm of one passage; of a person who is no longer registered no name is kept. */
  async function raiseOf(scope: Scope, passage: RulePassage, broken: Broken): Promise<void> {
    await platform.transaction(async (tx) => {
      const isRegistered = passage.personId !== null && (await data.lockRegisteredUnscoped(tx, passage.personId))
      // Whoever may not see the watch list must not learn of a person who was on it.
      if (!isRegistered && passage.watched) return
      const alarm = alarmOf(isRegistered ? passage : { ...passage, personId: null, personName: '' }, broken)
      await raise(tx, scope, alarm, [passage.id])
    })
  }

  async function raiseRefusals(scope: Scope, passage: RulePassage): Promise<void> {
    const { deviceId, occurredAt } = passage
    const period = { from: occurredAt - WINDOW_MS, to: occurredAt }
    const refusedIds = await rulePassages.refusedAt(scope, deviceId, period, REFUSALS_READ)
    const alarm = {
      ...alarmOf({ ...passage, personId: null, personName: '' }, { kind: 'repeatedRefusals', level: LEVEL_OF.repeatedRefusals }),
      temperature: null,
      temperatureStatus: null,
    }
    const isEnough = refusedIds.length >= REPEATED_REFUSALS
    if (!isEnough && (await data.findRunning(scope, db, alarm, WINDOW_MS)) === undefined) return
    await platform.transaction((tx) => raise(tx, scope, alarm, isEnough ? refusedIds : [passage.id]))
  }

  return {
    async received(of, recordIds, span) {
      const scope = seeingAll(of)
      for (const passage of await rulePassages.notable(scope, recordIds, span)) {
        for (const broken of brokenBy(passage)) await raiseOf(scope, passage, broken)
        if (isRefusal(passage)) await raiseRefusals(scope, passage)
      }
    },
    async watched(of, recordId, span) {
      const scope = seeingAll(of)
      const [passage, hits] = await Promise.all([rulePassages.one(scope, recordId, span), watchListHits.of(scope, [recordId])])
      const hit = hits.get(recordId)
      if (passage === undefined || hit === undefined) return
      const { personId, personName } = hit
      await raiseOf(scope, { ...passage, personId, personName, watched: true }, { kind: 'watchList', level: LEVEL_OF.watchList })
    },
  }
}
