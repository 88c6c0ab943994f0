/** What a replay takes from the form of a task. */
import { monitorPrecision } from '@gatehouse/contract/enums/alarms'
import { scoreOfTask } from '@gatehouse/contract/faces/precision'
import type { ReplaySettings } from '@gatehouse/contract/surveillance/replay-rules'
import type { TaskValues } from '../taskValues.ts'
import type { ReplayQuestion } from './useReplay.ts'

/** Return what has to be computed. */
export const questionOf = ({ deviceIds = [], personGroupIds = [], periods = [], compareRule = 'person' }: TaskValues): ReplayQuestion => ({
  deviceIds: deviceIds.toSorted(),
  personGroupIds: personGroupIds.toSorted(),
  periods,
  compareRule,
})

export const isSameQuestion = (one: ReplayQuestion, other: ReplayQuestion): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Return the settings that the alarms follow at once; null where the threshold depends on what the user may not see.
 * @param promised raw score that keeps the park's promise of its watch list; null: the user may not see it
 */
export function settingsOf(values: TaskValues, promised: number | null): ReplaySettings | null {
  const { precision = monitorPrecision.standard, customPrecision = null, similarityThreshold = null } = values
  const own = similarityThreshold ?? (precision === monitorPrecision.custom ? customPrecision : null)
  if (own === null && promised === null) return null
  return {
    threshold: own ?? scoreOfTask({ precision, customPrecision, similarityThreshold }, promised!),
    lowThreshold: values.lowThreshold ?? 0,
    highThreshold: values.highThreshold ?? 0,
    strangerAlarm: values.strangerAlarm ?? false,
    repeatSeconds: values.repeatSeconds ?? 0,
  }
}
