/** The kinds of bubbles: what brings them, whose they are, how long they stay, and how they sound. */
import type { AccountAlert } from '@gatehouse/contract/alarms/calls'
import { STAY_TIME_OF, type AlarmConfig } from '@gatehouse/contract/alarms/config'
import { alertBubbleType } from '@gatehouse/contract/enums/alarms'
import type { ValueOf } from '@gatehouse/contract/enums/definition'
import { topics, type Topic } from '@gatehouse/contract/realtime'
import type { Sound } from '../../../kit/media/sound.ts'
import { isShown, type Stay } from './stay.ts'

type BubbleType = ValueOf<typeof alertBubbleType>
export type AlarmSettings = Omit<AccountAlert, 'sendExpiredCustomers'>

export interface KindParts {
  /** The type of the specification, which decides how long it stays. */
  type: BubbleType
  /** The switch of the user's alert settings; null: none, since the user chooses tasks instead. */
  setting: Exclude<keyof AlarmSettings, 'surveillances'> | null
  /** Its permission is that of the kind. */
  topic: Topic
  /** Absent: that of the alarm. */
  sound?: Sound
}

export const BUBBLE_KINDS = {
  watchList: { type: alertBubbleType.alarm, setting: 'watchListHit', topic: topics.watchListHits, sound: 'watchList' },
  faceAlarm: { type: alertBubbleType.alarm, setting: null, topic: topics.faceAlarms },
  deviceAlarm: { type: alertBubbleType.deviceAlarm, setting: 'deviceEvent', topic: topics.deviceEvents, sound: 'alarmSecond' },
  aiBoxAlarm: { type: alertBubbleType.aiBoxAlarm, setting: 'aiBoxEvent', topic: topics.aiBoxEvents, sound: 'alarmSecond' },
  deviceResource: {
    type: alertBubbleType.device,
    setting: 'deviceSystemResourceAlert',
    topic: topics.deviceAlerts,
    sound: 'deviceOffline',
  },
  deviceOffline: { type: alertBubbleType.device, setting: 'deviceOffline', topic: topics.deviceStatus, sound: 'deviceOffline' },
  visitCheck: { type: alertBubbleType.visit, setting: 'visitCheck', topic: topics.visitorCheckAlert, sound: 'visit' },
  visitArrive: { type: alertBubbleType.visit, setting: 'visitArrive', topic: topics.visitorArriveAlert, sound: 'visit' },
} as const satisfies Record<string, KindParts>
export type BubbleKind = keyof typeof BUBBLE_KINDS

/** Used where the user's choice of alarms cannot be read. */
export const ALL_ALARMS: AlarmSettings = {
  watchListHit: true,
  deviceOffline: true,
  visitCheck: true,
  visitArrive: true,
  deviceEvent: true,
  aiBoxEvent: true,
  deviceSystemResourceAlert: true,
  surveillances: [],
}

export const stayOf = (kind: BubbleKind, times: AlarmConfig): Stay => times[STAY_TIME_OF[BUBBLE_KINDS[kind].type]]

/** Return whether bubbles of a kind are shown and heard. */
export function isOn(kind: BubbleKind, settings: AlarmSettings, times: AlarmConfig): boolean {
  const { setting } = BUBBLE_KINDS[kind]
  return (setting === null || settings[setting]) && isShown(stayOf(kind, times))
}

/**
 * Return whether the user wants to see the alarms of a task: those they chose, or all where they chose none. An alarm whose task was
 * deleted is shown to everyone, since it cannot be chosen any more.
 */
export const isChosenTask = (surveillanceId: string | null, { surveillances }: AlarmSettings): boolean =>
  surveillanceId === null || surveillances.length === 0 || surveillances.includes(surveillanceId)

/** Return the settings without tasks that were deleted since: where none of the chosen ones is left, those of all tasks are shown. */
export const withExistingTasks = (settings: AlarmSettings, tasks: readonly { id: string }[] | undefined): AlarmSettings =>
  tasks === undefined
    ? settings
    : { ...settings, surveillances: settings.surveillances.filter((id) => tasks.some((task) => task.id === id)) }
