/** How long bubbles stay. */
import { ALARM_CONFIG_DEFAULT, type AlarmConfig } from '@gatehouse/contract/alarms/config'
import { alarmPopupStay } from '@gatehouse/contract/enums/alarms'
import type { ValueOf } from '@gatehouse/contract/enums/definition'

/** Seconds, or one of `none` and `forever`. */
export type Stay = ValueOf<typeof alarmPopupStay>

/** Return the times of the park. The call that reads them comes with module M09, and is to be made here. */
export const useStayTimes = (): AlarmConfig => ALARM_CONFIG_DEFAULT

/** Return whether there are bubbles at all: those that stay for no time are neither shown nor heard. */
export const isShown = (stay: Stay): boolean => stay !== alarmPopupStay.none

/** Return when a bubble that appears now disappears by itself, in epoch milliseconds; null: once it is closed. */
export const endOfStay = (stay: Stay, now: number): number | null => (stay === alarmPopupStay.forever ? null : now + stay * 1000)
