/** Rules of monitoring tasks, the same in the form and on the server. Pure. */
import { alarmLevel, monitorPrecision } from '../enums/alarms.ts'
import type { ValueOf } from '../enums/definition.ts'
import { PRECISION_CUSTOM_MAX, PRECISION_CUSTOM_MIN, THRESHOLD_MAX, THRESHOLD_MIN, VALUE_BOUND_MAX, VALUE_BOUND_MIN } from '../limits.ts'

/**
 * State of a task: switched off; switched on and waiting for its start; between its start and its end; over. A task that is switched off
 * stays so when its time is over.
 */
export const TASK_STATES = ['disabled', 'enabled', 'inControl', 'finished'] as const
export type TaskState = (typeof TASK_STATES)[number]

/** Return the state of a task at a moment. The start is inclusive, the end exclusive. */
export function taskStateAt(task: { enabled: number; startTime: number; endTime: number }, moment: number): TaskState {
  if (task.enabled === 0) return 'disabled'
  if (moment >= task.endTime) return 'finished'
  return moment >= task.startTime ? 'inControl' : 'enabled'
}

/** What the rules ask of a task; each part may be absent where it does not change. */
export interface TaskDraft {
  startTime?: number | undefined
  endTime?: number | undefined
  periods?: readonly unknown[] | undefined
  deviceIds?: readonly string[] | undefined
  personGroupIds?: readonly string[] | undefined
  precision?: number | undefined
  customPrecision?: number | null | undefined
  similarityThreshold?: number | null | undefined
  lowThreshold?: number | undefined
  highThreshold?: number | undefined
  repeatSeconds?: number | undefined
}

/** A rule that a draft breaks: business code and field; null: no code of its own, refused with 400. */
export interface TaskIssue {
  code: 900007 | 500006 | 500007 | 500008 | 500009 | null
  field: string
}

const isThreshold = (value: number) => value >= THRESHOLD_MIN && value <= THRESHOLD_MAX

/** Return the rules that a draft breaks, in the order of the form (VAL-156 to VAL-163). */
export function taskIssues(draft: TaskDraft): TaskIssue[] {
  const issues: TaskIssue[] = []
  const { startTime, endTime, periods, deviceIds, personGroupIds, precision, customPrecision, similarityThreshold } = draft
  const { lowThreshold, highThreshold, repeatSeconds } = draft
  if (startTime !== undefined && endTime !== undefined && endTime <= startTime) issues.push({ code: 900007, field: 'endTime' })
  if (periods?.length === 0) issues.push({ code: 500008, field: 'periods' })
  if (deviceIds?.length === 0) issues.push({ code: 500006, field: 'deviceIds' })
  if (personGroupIds?.length === 0) issues.push({ code: 500007, field: 'personGroupIds' })
  if (
    customPrecision != null &&
    !(Number.isInteger(customPrecision) && customPrecision >= PRECISION_CUSTOM_MIN && customPrecision <= PRECISION_CUSTOM_MAX)
  )
    issues.push({ code: 500009, field: 'customPrecision' })
  else if (precision === monitorPrecision.custom && customPrecision == null && similarityThreshold == null)
    issues.push({ code: 500009, field: 'customPrecision' })
  if (similarityThreshold != null && !isThreshold(similarityThreshold)) issues.push({ code: 500009, field: 'similarityThreshold' })
  if (lowThreshold !== undefined && !isThreshold(lowThreshold)) issues.push({ code: 500009, field: 'lowThreshold' })
  if (highThreshold !== undefined && !isThreshold(highThreshold)) issues.push({ code: 500009, field: 'highThreshold' })
  else if (lowThreshold !== undefined && isThreshold(lowThreshold) && highThreshold !== undefined && lowThreshold >= highThreshold)
    issues.push({ code: 500009, field: 'highThreshold' })
  if (repeatSeconds !== undefined && (repeatSeconds < VALUE_BOUND_MIN || repeatSeconds > VALUE_BOUND_MAX))
    issues.push({ code: null, field: 'repeatSeconds' })
  return issues
}

/** Level of an alarm of a stranger, whom no score says anything about. */
const STRANGER_LEVEL = alarmLevel.medium

/** Return whether what a task made of a face raises an alarm. @param isPerson somebody of its groups was near enough */
export const raisesAlarm = (isPerson: boolean, { strangerAlarm }: { strangerAlarm: boolean }): boolean => isPerson || strangerAlarm

/**
 * Return the level of an alarm by its raw score: below the low threshold low, from the high one on high.
 * @param score null: of a stranger
 */
export function levelOfAlarm(
  score: number | null,
  { lowThreshold, highThreshold }: { lowThreshold: number; highThreshold: number },
): ValueOf<typeof alarmLevel> {
  if (score === null) return STRANGER_LEVEL
  if (score >= highThreshold) return alarmLevel.high
  return score >= lowThreshold ? alarmLevel.medium : alarmLevel.low
}
/**
 * Return between what moments an alarm has to lie that a capture is counted with, both ends inclusive: its last capture from `from` on, its
 * first one up to `to`. Null: each capture raises one.
 */
export function repeatWindow(capturedAt: number, { repeatSeconds }: { repeatSeconds: number }): { from: number; to: number } | null {
  if (repeatSeconds === 0) return null
  return { from: capturedAt - repeatSeconds * 1000, to: capturedAt + repeatSeconds * 1000 }
}
