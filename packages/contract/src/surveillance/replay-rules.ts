/** The alarms that compared captures would have raised, by the rules by which captures raise them. Pure, and quick enough for a slider. */
import { alarmHandlingStatus } from '../enums/alarms.ts'
import { levelOfAlarm, raisesAlarm, repeatWindow } from './task-rules.ts'

/** A capture with the nearest person it is compared with, whatever the threshold. */
export interface ComparedCapture {
  id: string
  time: number
  deviceId: string
  personId: string | null
  /** Raw; null where there is no person. */
  score: number | null
  /** How far the alarm is handled that it really raised; null: none. */
  alarmStatus: number | null
}

/** Settings of a task that decide which of its captures raise alarms. */
export interface ReplaySettings {
  /** Raw score from which a face counts as a person's. */
  threshold: number
  lowThreshold: number
  highThreshold: number
  strangerAlarm: boolean
  repeatSeconds: number
}

export interface ReplayedAlarm {
  /** The capture that raised it. */
  capture: ComparedCapture
  /** Null: a stranger. */
  personId: string | null
  score: number | null
  level: number
  lastTime: number
  /** Captures that are counted with it. */
  captures: number
  /** One of these captures really raised an alarm; and one that was handled as false. */
  wasRaised: boolean
  wasFalse: boolean
}

/**
 * Return the alarms of captures in the order of time, as if nobody had handled one of them meanwhile.
 * @param captures in the order of time
 */
export function replayAlarms(captures: readonly ComparedCapture[], settings: ReplaySettings): ReplayedAlarm[] {
  const alarms: ReplayedAlarm[] = []
  /** The last alarm of each person, or of strangers, at each device. */
  const last = new Map<string, ReplayedAlarm>()
  for (const capture of captures) {
    const isPerson = capture.score !== null && capture.score >= settings.threshold
    if (!raisesAlarm(isPerson, settings)) continue
    const personId = isPerson ? capture.personId : null
    const key = `${capture.deviceId} ${personId ?? ''}`
    const within = repeatWindow(capture.time, settings)
    let alarm = last.get(key)
    if (alarm !== undefined && within !== null && alarm.lastTime >= within.from && alarm.capture.time <= within.to) {
      alarm.lastTime = capture.time
      alarm.captures++
    } else {
      const score = isPerson ? capture.score : null
      const level = levelOfAlarm(score, settings)
      alarm = { capture, personId, score, level, lastTime: capture.time, captures: 1, wasRaised: false, wasFalse: false }
      alarms.push(alarm)
      last.set(key, alarm)
    }
    if (capture.alarmStatus !== null) alarm.wasRaised = true
    if (capture.alarmStatus === alarmHandlingStatus.misinformation) alarm.wasFalse = true
  }
  return alarms
}

export interface ReplaySummary {
  alarms: number
  strangers: number
  wereRaised: number
  wereFalse: number
  byLevel: ReadonlyMap<number, number>
  /** Most alarms first. */
  byPerson: readonly { personId: string; alarms: number }[]
}

/** Return what alarms amount to. */
export function summaryOfReplay(alarms: readonly ReplayedAlarm[]): ReplaySummary {
  const [byLevel, byPerson] = [new Map<number, number>(), new Map<string, number>()]
  let [strangers, wereRaised, wereFalse] = [0, 0, 0]
  for (const { personId, level, wasRaised, wasFalse } of alarms) {
    byLevel.set(level, (byLevel.get(level) ?? 0) + 1)
    if (personId === null) strangers++
    else byPerson.set(personId, (byPerson.get(personId) ?? 0) + 1)
    if (wasRaised) wereRaised++
    if (wasFalse) wereFalse++
  }
  return {
    alarms: alarms.length,
    strangers,
    wereRaised,
    wereFalse,
    byLevel,
    byPerson: [...byPerson].map(([personId, count]) => ({ personId, alarms: count })).toSorted((a, b) => b.alarms - a.alarms),
  }
}
