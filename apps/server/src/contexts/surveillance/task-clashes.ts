/**
 * Tasks that would raise two alarms for one passer-by: switched on at the same time, at the same device, for the people of the same group,
 * or both for strangers. Pure.
 */
import type { Period } from '@gatehouse/access-rules'

/** A task as far as it can clash with another. */
export interface ClashingTask {
  name: string
  startTime: number
  endTime: number
  periods: readonly Period[]
  deviceIds: readonly string[]
  /** With all groups below them. */
  groupIds: ReadonlySet<string>
  strangerAlarm: boolean
}

/** `HH:mm` compares as it reads, `24:00` included. */
const shareHours = (some: readonly Period[], others: readonly Period[]): boolean =>
  some.some((one) => others.some((other) => one.weekday === other.weekday && one.start < other.end && other.start < one.end))

/** Return a device at which two tasks clash; null where they do not. */
export function clashAt(one: ClashingTask, other: ClashingTask): string | null {
  if (one.startTime >= other.endTime || other.startTime >= one.endTime || !shareHours(one.periods, other.periods)) return null
  const shareGroup = [...one.groupIds].some((id) => other.groupIds.has(id))
  if (!shareGroup && !(one.strangerAlarm && other.strangerAlarm)) return null
  return one.deviceIds.find((id) => other.deviceIds.includes(id)) ?? null
}
