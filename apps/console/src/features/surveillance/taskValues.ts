/** Initial values of the form of a monitoring task, and the rules it is checked by. */
import type { FieldIssue, InputOf } from '@gatehouse/contract'
import { alarmSound, monitorPrecision, taskEnabled } from '@gatehouse/contract/enums/alarms'
import { taskIssues } from '@gatehouse/contract/surveillance/task-rules'
import type { MonitoringTask, monitoringTaskFields } from '@gatehouse/contract/surveillance/tasks'
import { ALWAYS } from '../strategies/index.ts'

export type TaskValues = Partial<InputOf<typeof monitoringTaskFields>>

const MINUTE = 60_000
const DAY = 1440 * MINUTE
/** Days that a new task lasts if nobody chooses another end. */
const NEW_TASK_DAYS = 30

export function newTask(now: number): TaskValues {
  const startTime = Math.floor(now / MINUTE) * MINUTE
  return {
    startTime,
    endTime: startTime + NEW_TASK_DAYS * DAY,
    enabled: taskEnabled.enabled,
    periods: ALWAYS,
    deviceIds: [],
    personGroupIds: [],
    precision: monitorPrecision.standard,
    customPrecision: null,
    similarityThreshold: null,
    compareRule: 'person',
    lowThreshold: 60,
    highThreshold: 80,
    strangerAlarm: false,
    alarmSound: alarmSound.first,
    repeatSeconds: 300,
  }
}

export const taskValuesOf = (task: MonitoringTask): TaskValues => ({
  name: task.name,
  startTime: task.startTime,
  endTime: task.endTime,
  periods: task.periods,
  deviceIds: task.deviceIds,
  personGroupIds: task.personGroupIds,
  precision: task.precision,
  customPrecision: task.customPrecision,
  similarityThreshold: task.similarityThreshold,
  compareRule: task.compareRule,
  lowThreshold: task.lowThreshold,
  highThreshold: task.highThreshold,
  strangerAlarm: task.strangerAlarm,
  alarmSound: task.alarmSound,
  repeatSeconds: task.repeatSeconds,
})

const isSet = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined

/** Return the fields that break a rule of tasks. @param before the task as it was read; absent: a new one */
export function issuesOfTask(values: { [Field in keyof TaskValues]?: TaskValues[Field] | null }, before?: MonitoringTask): FieldIssue[] {
  // A list that was empty before may stay so: what is not shown to this user is kept, and may be all there is.
  const wasEmpty = (field: string): boolean =>
    before !== undefined && (field === 'deviceIds' || field === 'personGroupIds') && before[field].length === 0
  const draft = Object.fromEntries(Object.entries(values).filter(([, value]) => isSet(value)))
  return taskIssues(draft)
    .filter(({ field }) => !wasEmpty(field))
    .map(({ code, field }) => {
      if (field === 'customPrecision' && !isSet(values.customPrecision)) return { path: field, rule: 'required' }
      return { path: field, rule: code === null ? 'invalid' : `code.${code}` }
    })
}

/** Return the task without members that were not changed: an empty list would be refused where others, which are not shown, are kept. */
export function changedBody(body: Record<string, unknown>, before: MonitoringTask | undefined): Record<string, unknown> {
  const isSame = (field: 'deviceIds' | 'personGroupIds') => before !== undefined && before[field].length === 0 && isEmptyList(body[field])
  const kept = (['deviceIds', 'personGroupIds'] as const).filter(isSame)
  return Object.fromEntries(Object.entries(body).filter(([field]) => !(kept as readonly string[]).includes(field)))
}
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
