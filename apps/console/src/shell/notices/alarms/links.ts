/** Where bubbles of the alarm centre lead to. */
import { path } from '../../../paths.ts'
import type { CentreBubble, CentreKind } from './alarms.ts'

const SCREENS = {
  faceAlarm: 'monitorAlarm',
  deviceAlarm: 'deviceAlarm',
  aiBoxAlarm: 'aiBoxAlarm',
  deviceResource: 'maintenanceAlarm',
} as const

/** Return the address of the list of a kind. */
export const listOf = (kind: CentreKind): string => path(SCREENS[kind])

/** Return the address that opens the alarm of a bubble. `timestamp`, or `timeStamp`, makes it new each time. */
export function addressOf({ kind, alarm, time, shownAt }: CentreBubble): string {
  if (kind === 'faceAlarm' || kind === 'deviceResource') return `${listOf(kind)}?id=${alarm.id}&timeStamp=${shownAt}`
  return `${listOf(kind)}?id=${alarm.id}&time=${time}&timestamp=${shownAt}`
}
