import { defineEnum } from './definition.ts'

/** Face alarms. */
export const alarmMatchType = defineEnum('alarmMatchType', { matched: 1, unmatched: 2 }, { matched: 'error', unmatched: 'warning' })

/** Device and AI-box alarms; the specification does not say what the numbered ones mean. Type 110 is a door that was forced. */
export const alarmType = defineEnum('alarmType', {
  fire: 1,
  tamper: 2,
  slope: 3,
  gateOvertime: 4,
  type110: 110,
  type133: 133,
  type134: 134,
  type135: 135,
  type190: 190,
  type191: 191,
  type195: 195,
  type196: 196,
  type197: 197,
  type198: 198,
  type400: 400,
  type1104: 1104,
  type2101: 2101,
  type2103: 2103,
  type2104: 2104,
})

export const alarmLevel = defineEnum(
  'alarmLevel',
  { none: 0, low: 1, medium: 2, high: 3 },
  { none: 'neutral', low: 'processing', medium: 'warning', high: 'error' },
)

/** Face alarms; the first two are under the tab "unhandled". */
export const alarmHandlingStatus = defineEnum(
  'alarmHandlingStatus',
  { undealt: 1, dealing: 2, confirmed: 3, misinformation: 4, test: 5 },
  { undealt: 'error', dealing: 'processing', confirmed: 'success', misinformation: 'neutral', test: 'neutral' },
)

/** Device events and AI-box alarms. */
export const alarmHandlingStatusAlt = defineEnum(
  'alarmHandlingStatusAlt',
  { unhandled: 0, falseAlarm: 1, ignored: 2, handling: 3 },
  { unhandled: 'error', falseAlarm: 'neutral', ignored: 'neutral', handling: 'processing' },
)

/** Handling of a device event: stored as handling (3) and ignored (2). */
export const deviceAlarmHandling = defineEnum(
  'deviceAlarmHandling',
  { followedUp: 'followedUp', ignored: 'ignored' },
  { followedUp: 'processing', ignored: 'neutral' },
)

export const alarmSound = defineEnum('alarmSound', { first: 1, second: 2 })

/** Seconds a bubble stays; with `none` it is neither shown nor heard. */
export const alarmPopupStay = defineEnum('alarmPopupStay', { none: 0, short: 5, long: 30, forever: -1 })

export const alertBubbleType = defineEnum('alertBubbleType', {
  alarm: 'alarm',
  aiBoxAlarm: 'aiBoxAlarm',
  deviceAlarm: 'deviceAlarm',
  visit: 'visit',
  device: 'device',
})

/** Type of a face alarm's bubble: any value but 1 is a stranger. */
export const alertType = defineEnum('alertType', { blacklist: 1, stranger: 2 }, { blacklist: 'error', stranger: 'warning' })

export const visitAlertType = defineEnum('visitAlertType', { check: 0, arrival: 1 })

export const taskEnabled = defineEnum('taskEnabled', { disabled: 0, enabled: 1 }, { disabled: 'neutral', enabled: 'success' })

export const monitorPrecision = defineEnum('monitorPrecision', {
  extremelyStrict: 1,
  strict: 2,
  standard: 3,
  general: 4,
  loose: 5,
  custom: 6,
})

export const resultOrder = defineEnum('resultOrder', { similarity: 1, oldestFirst: 2, newestFirst: 3 })

export const topN = defineEnum('topN', { ten: 10, twenty: 20, fifty: 50 })
