/** How long bubbles of alarms stay. */
import { z } from 'zod'
import { alarmPopupStay, type alertBubbleType } from '../enums/alarms.ts'
import type { ValueOf } from '../enums/definition.ts'

/** Seconds; the names are those of the specification. */
export const alarmConfig = z.object({
  /** Bubbles of faces and visits. */
  stay_time: alarmPopupStay.schema,
  /** Bubbles of devices. */
  device_alert_stay_time: alarmPopupStay.schema,
})
export type AlarmConfig = z.output<typeof alarmConfig>

/** A person of the watch list must not be missed; a device that is offline is shown by its list too. */
export const ALARM_CONFIG_DEFAULT: AlarmConfig = { stay_time: alarmPopupStay.forever, device_alert_stay_time: alarmPopupStay.long }

/** The time by which each type of bubble stays. */
export const STAY_TIME_OF: Readonly<Record<ValueOf<typeof alertBubbleType>, keyof AlarmConfig>> = {
  alarm: 'stay_time',
  aiBoxAlarm: 'device_alert_stay_time',
  deviceAlarm: 'device_alert_stay_time',
  visit: 'stay_time',
  device: 'device_alert_stay_time',
}
