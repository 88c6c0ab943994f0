/** How the words by which an alarm is handled are stored, as numbers of the enum `alarmHandlingStatusAlt`. */
import { alarmHandlingStatusAlt, deviceAlarmHandling } from '@gatehouse/contract/enums'
import type { ValueOf } from '@gatehouse/contract/enums/definition'

export const HANDLED_AS = {
  [deviceAlarmHandling.followedUp]: alarmHandlingStatusAlt.handling,
  [deviceAlarmHandling.ignored]: alarmHandlingStatusAlt.ignored,
} as const

/** Return the word of a status; null for an unhandled alarm. */
export const handlingOf = (status: number): ValueOf<typeof deviceAlarmHandling> | null => {
  if (status === alarmHandlingStatusAlt.unhandled) return null
  return status === alarmHandlingStatusAlt.handling ? deviceAlarmHandling.followedUp : deviceAlarmHandling.ignored
}
