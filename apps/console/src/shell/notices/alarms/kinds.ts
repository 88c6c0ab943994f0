/** The kinds of bubbles: what brings them, whose they are, how long they stay, and how they sound. */
import type { AccountAlert } from '@gatehouse/contract/alarms/calls'
import { STAY_TIME_OF, type AlarmConfig } from '@gatehouse/contract/alarms/config'
import { alertBubbleType } from '@gatehouse/contract/enums/alarms'
import type { ValueOf } from '@gatehouse/contract/enums/definition'
import { topics, type Topic } from '@gatehouse/contract/realtime'
import type { Sound } from '../../../kit/media/sound.ts'
import { isShown, type Stay } from './stay.ts'

type BubbleType = ValueOf<typeof alertBubbleType>
export type AlarmSettings = Pick<AccountAlert, 'watchListHit' | 'deviceOffline' | 'visitCheck' | 'visitArrive'>

interface KindParts {
  /** The type of the specification, which decides how long it stays. */
  type: BubbleType
  /** The switch of the user's alert settings. */
  setting: keyof AlarmSettings
  /** Its permission is that of the kind. */
  topic: Topic
  sound: Sound
}

export const BUBBLE_KINDS = {
  watchList: { type: alertBubbleType.alarm, setting: 'watchListHit', topic: topics.watchListHits, sound: 'watchList' },
  deviceOffline: { type: alertBubbleType.device, setting: 'deviceOffline', topic: topics.deviceStatus, sound: 'deviceOffline' },
  visitCheck: { type: alertBubbleType.visit, setting: 'visitCheck', topic: topics.visitorCheckAlert, sound: 'visit' },
  visitArrive: { type: alertBubbleType.visit, setting: 'visitArrive', topic: topics.visitorArriveAlert, sound: 'visit' },
} as const satisfies Record<string, KindParts>
export type BubbleKind = keyof typeof BUBBLE_KINDS

/** Used where the user's choice of alarms cannot be read. */
export const ALL_ALARMS: AlarmSettings = { watchListHit: true, deviceOffline: true, visitCheck: true, visitArrive: true }

export const stayOf = (kind: BubbleKind, times: AlarmConfig): Stay => times[STAY_TIME_OF[BUBBLE_KINDS[kind].type]]

/** Return whether bubbles of a kind are shown and heard. */
export const isOn = (kind: BubbleKind, settings: AlarmSettings, times: AlarmConfig): boolean =>
  settings[BUBBLE_KINDS[kind].setting] && isShown(stayOf(kind, times))
