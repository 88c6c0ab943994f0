/** How alarms are handled: rules that lists, bubbles and the server share. Pure. */
import { z } from 'zod'
import { alarmHandlingStatus, alarmHandlingStatusAlt } from '../enums/alarms.ts'
import { masked } from '../masking.ts'
import { instant } from '../schema.ts'

/** The two tabs of every list of alarms. */
export const ALARM_TABS = ['unhandled', 'handled'] as const
export type AlarmTab = (typeof ALARM_TABS)[number]

/** Characters of a dealing record. */
export const DEALING_RECORD_MAX = 500

/** Who handled an alarm and how, in answers. */
export const handledFields = {
  operator: masked('name', z.string()),
  dealingRecord: z.string(),
  /** Null while nobody has handled it. */
  dealtAt: instant.nullable(),
  /** When it was reported because nobody had handled it; null where it was not. */
  escalatedAt: instant.nullable(),
}

/** States of face alarms by tab, and what may follow each. */
export const FACE_ALARM_STATES: Readonly<Record<AlarmTab, readonly number[]>> = {
  unhandled: [alarmHandlingStatus.undealt, alarmHandlingStatus.dealing],
  handled: [alarmHandlingStatus.confirmed, alarmHandlingStatus.misinformation, alarmHandlingStatus.test],
}
const FOLLOWING: Readonly<Record<number, readonly number[]>> = {
  [alarmHandlingStatus.undealt]: [alarmHandlingStatus.dealing],
  [alarmHandlingStatus.dealing]: FACE_ALARM_STATES.handled,
}

/** Return the states that may follow a state of a face alarm; none once it is handled. */
export const statesAfter = (status: number): readonly number[] => FOLLOWING[status] ?? []

/** States of alarms of devices and AI boxes by tab. */
export const EVENT_ALARM_STATES: Readonly<Record<AlarmTab, readonly number[]>> = {
  unhandled: [alarmHandlingStatusAlt.unhandled],
  handled: [alarmHandlingStatusAlt.falseAlarm, alarmHandlingStatusAlt.ignored, alarmHandlingStatusAlt.handling],
}
