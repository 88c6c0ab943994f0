/** How long bubbles stay. */
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { ALARM_CONFIG_DEFAULT, type AlarmConfig } from '@gatehouse/contract/alarms/config'
import { alarmPopupStay } from '@gatehouse/contract/enums/alarms'
import type { ValueOf } from '@gatehouse/contract/enums/definition'
import { useRead } from '../../../api/query.ts'

/** Seconds, or one of `none` and `forever`. */
export type Stay = ValueOf<typeof alarmPopupStay>

/** Return the times of the park; the default ones until they are read. */
export const useStayTimes = (): AlarmConfig => useRead(alarmsCalls.config, {}).data ?? ALARM_CONFIG_DEFAULT

/** Return whether there are bubbles at all: those that stay for no time are neither shown nor heard. */
export const isShown = (stay: Stay): boolean => stay !== alarmPopupStay.none

/** Return when a bubble that appears now disappears by itself, in epoch milliseconds; null: once it is closed. */
export const endOfStay = (stay: Stay, now: number): number | null => (stay === alarmPopupStay.forever ? null : now + stay * 1000)
