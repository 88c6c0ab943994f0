/** Which alarms are shown as bubbles, which of them ring, and which are only counted. */
import type { AiBoxBubble } from '@gatehouse/contract/alarms/ai-box'
import type { DeviceEventBubble } from '@gatehouse/contract/alarms/device-events'
import type { FaceAlarmBubble } from '@gatehouse/contract/alarms/face-alarms'
import type { MaintenanceBubble } from '@gatehouse/contract/alarms/maintenance-alarms'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { ALARM_BUBBLES_MAX } from '@gatehouse/contract'
import { deviceAuthorisationStatus, deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import type { topics, TopicPayload } from '@gatehouse/contract/realtime'
import type { VisitAlert } from '@gatehouse/contract/visitors/alerts'
import { isHit, type HitRecord } from '../../../shared/watchList.ts'
import type { Sound } from '../../../kit/media/sound.ts'
import { endOfStay, type Stay } from './stay.ts'

/** Milliseconds after which an event is shown, but does not ring any more. */
export const LATE = 5 * 60_000
/** Milliseconds within which a person who stays at a door is one bubble, however often the terminal recognises them. */
const AGAIN = 60_000
/** Milliseconds within which devices that go offline are one alarm. */
export const TOGETHER = 10_000
/** Alarms remembered as dismissed. */
const DISMISSED_MAX = 200

/** The key of the one bubble of devices. */
export const OFFLINE = 'deviceOffline'

interface SilentDevice {
  id: string
  lastSeenAt: number
}
interface BubbleParts {
  key: string
  /** Decides which is the oldest; epoch milliseconds. */
  time: number
  /** When it disappears by itself; null: once it is closed. */
  until: number | null
}
/** Its key is the id of the record. */
export interface HitBubble extends BubbleParts {
  kind: 'watchList'
  record: HitRecord
  /** Whether it arrived long after it happened, as from a terminal that was offline. */
  late: boolean
}
/** Its time is when it last rang. */
export interface OfflineBubble extends BubbleParts {
  kind: typeof OFFLINE
  key: typeof OFFLINE
  devices: SilentDevice[]
}
export interface VisitBubble extends BubbleParts {
  kind: 'visitCheck' | 'visitArrive'
  alert: VisitAlert
}
/** What lists of the alarm centre show, by the kind of its bubble. */
export interface CentreAlarms {
  faceAlarm: FaceAlarmBubble
  deviceAlarm: DeviceEventBubble
  aiBoxAlarm: AiBoxBubble
  deviceResource: MaintenanceBubble
}
export type CentreKind = keyof CentreAlarms
interface CentreBubbleOf<Kind extends CentreKind> extends BubbleParts {
  kind: Kind
  alarm: CentreAlarms[Kind]
  /** Whether it arrived long after it happened. */
  late: boolean
  /** When it was first shown; epoch milliseconds. */
  shownAt: number
}
export type CentreBubble = { [Kind in CentreKind]: CentreBubbleOf<Kind> }[CentreKind]
export type FaceBubble = CentreBubbleOf<'faceAlarm'>
export type EventBubble = CentreBubbleOf<'deviceAlarm'> | CentreBubbleOf<'aiBoxAlarm'>
export type ResourceBubble = CentreBubbleOf<'deviceResource'>
export type Bubble = HitBubble | OfflineBubble | VisitBubble | CentreBubble

export interface Alarms {
  /** Newest first. */
  bubbles: readonly Bubble[]
  /** Hits without a bubble of their own. */
  more: number
  /** Alarms of the alarm centre without a bubble of their own, by kind. */
  unshown: Readonly<Record<CentreKind, number>>
  /** Keys of alarms that are not shown any more, or never were; they are not shown again. */
  dismissed: readonly string[]
}
export interface AlarmsUpdate {
  alarms: Alarms
  /** Keys of the alarms that ring. */
  rings: string[]
  /** How they ring; absent: as their kind does. */
  sound?: Sound
}
type StatusRow = TopicPayload<typeof topics.deviceStatus>['rows'][number]

const keyOfSilence = ({ id, lastSeenAt }: SilentDevice): string => `${id}:${lastSeenAt}`
const keysOf = (bubble: Bubble): string[] => (bubble.kind === OFFLINE ? bubble.devices.map(keyOfSilence) : [bubble.key])
export const isHitBubble = (bubble: Bubble): bubble is HitBubble => bubble.kind === 'watchList'
export const isCentreBubble = (bubble: Bubble): bubble is CentreBubble => 'shownAt' in bubble
export const isEventBubble = (bubble: Bubble): bubble is EventBubble => bubble.kind === 'deviceAlarm' || bubble.kind === 'aiBoxAlarm'
const isOfflineBubble = (bubble: Bubble): bubble is OfflineBubble => bubble.kind === OFFLINE

/** Return the remembered keys with these added, the latest last. */
export const withDismissed = (dismissed: readonly string[], keys: readonly string[]): readonly string[] =>
  keys.every((key) => dismissed.includes(key))
    ? dismissed
    : [...dismissed.filter((key) => !keys.includes(key)), ...keys].slice(-DISMISSED_MAX)

export const NONE_UNSHOWN: Alarms['unshown'] = { faceAlarm: 0, deviceAlarm: 0, aiBoxAlarm: 0, deviceResource: 0 }

/** Return the numbers of alarms without a bubble, with these added. */
export function withUnshown(unshown: Alarms['unshown'], kind: Bubble['kind'], count: number): Alarms['unshown'] {
  return count > 0 && kind in unshown ? { ...unshown, [kind]: unshown[kind as CentreKind] + count } : unshown
}

/** Return as many bubbles as are kept, newest first; the others are dismissed, and counted if they are hits or of the alarm centre. */
export function fitted({ bubbles, more, unshown, dismissed }: Alarms): Alarms {
  const sorted = bubbles.toSorted((one, other) => other.time - one.time)
  const dropped = sorted.slice(ALARM_BUBBLES_MAX)
  return {
    bubbles: sorted.slice(0, ALARM_BUBBLES_MAX),
    more: more + dropped.filter(isHitBubble).length,
    unshown: dropped.reduce((counts, { kind }) => withUnshown(counts, kind, 1), unshown),
    dismissed: withDismissed(dismissed, dropped.flatMap(keysOf)),
  }
}

/** Add one hit. A record that arrives again, as with its picture, replaces its earlier version. */
function takeHit({ alarms, rings }: AlarmsUpdate, record: HitRecord, now: number, stay: Stay): AlarmsUpdate {
  const { bubbles, more, dismissed } = alarms
  const instead = (bubble: HitBubble, by: HitRecord, until: number | null): readonly Bubble[] =>
    bubbles.map((other) => (other === bubble ? { ...bubble, key: by.id, time: by.time, until, record: by } : other))
  const until = endOfStay(stay, now)
  const same = bubbles.filter(isHitBubble).find(({ key }) => key === record.id)
  if (same) return { alarms: { ...alarms, bubbles: instead(same, record, same.until) }, rings }
  if (dismissed.includes(record.id)) return { alarms, rings }

  const { personId } = record.watchList
  const again = bubbles
    .filter(isHitBubble)
    .find(
      (bubble) =>
        bubble.record.watchList.personId === personId &&
        bubble.record.deviceId === record.deviceId &&
        Math.abs(bubble.time - record.time) <= AGAIN,
    )
  if (again) {
    const [newer, older] = record.time >= again.time ? [record, again.record] : [again.record, record]
    return {
      alarms: { ...alarms, bubbles: instead(again, newer, until), more: more + 1, dismissed: withDismissed(dismissed, [older.id]) },
      rings,
    }
  }
  const late = now - record.time > LATE
  return {
    alarms: { ...alarms, bubbles: [...bubbles, { kind: 'watchList', key: record.id, time: record.time, until, record, late }] },
    rings: late ? rings : [...rings, record.id],
  }
}

/** Add the hits of a frame. @param more hits that were left out of the frame */
export function takeHits(
  alarms: Alarms,
  { rows, more = 0 }: { rows: readonly AccessRecord[]; more?: number | undefined },
  now: number,
  stay: Stay,
): AlarmsUpdate {
  const taken = rows
    .filter(isHit)
    .toSorted((one, other) => one.time - other.time)
    .reduce<AlarmsUpdate>((so, record) => takeHit(so, record, now, stay), { alarms, rings: [] })
  return { ...taken, alarms: fitted({ ...taken.alarms, more: taken.alarms.more + more }) }
}

/** Return whether a device has just lost its connection. One that was never paired, or no longer exists, is not expected to answer. */
const hasFallenSilent = (row: StatusRow, now: number): row is StatusRow & SilentDevice =>
  row.onlineStatus === deviceOnlineStatus.offline &&
  row.authorisationStatus === deviceAuthorisationStatus.authorised &&
  row.lastSeenAt !== null &&
  now - row.lastSeenAt <= LATE

/** Apply the present states of devices: those that are back, or no longer expected, are removed from the bubble. */
export function takeStatuses(alarms: Alarms, rows: readonly StatusRow[], now: number, stay: Stay): AlarmsUpdate {
  const before = alarms.bubbles.find(isOfflineBubble)
  const silent = rows.filter((row) => hasFallenSilent(row, now))
  const over = new Set(rows.filter((row) => !silent.includes(row as (typeof silent)[number])).map(({ id }) => id))
  const silentKeys = before?.devices.map(keyOfSilence) ?? []
  const fresh = silent
    .map(({ id, lastSeenAt }) => ({ id, lastSeenAt }))
    .filter((device) => !silentKeys.includes(keyOfSilence(device)) && !alarms.dismissed.includes(keyOfSilence(device)))
  const replaced = new Set([...over, ...fresh.map(({ id }) => id)])
  const [kept, removed] = [
    before?.devices.filter(({ id }) => !replaced.has(id)) ?? [],
    before?.devices.filter(({ id }) => replaced.has(id)) ?? [],
  ]
  if (fresh.length + removed.length === 0) return { alarms, rings: [] }

  const devices = [...kept, ...fresh]
  const rings = fresh.length > 0 && (before === undefined || now - before.time > TOGETHER) ? fresh.map(keyOfSilence) : []
  const bubble: OfflineBubble = {
    kind: OFFLINE,
    key: OFFLINE,
    devices,
    time: rings.length > 0 || before === undefined ? now : before.time,
    until: fresh.length > 0 || before === undefined ? endOfStay(stay, now) : before.until,
  }
  const others = alarms.bubbles.filter(({ key }) => key !== OFFLINE)
  return {
    alarms: fitted({
      ...alarms,
      bubbles: devices.length > 0 ? [...others, bubble] : others,
      dismissed: withDismissed(alarms.dismissed, removed.map(keyOfSilence)),
    }),
    rings,
  }
}

/** Return the alarms without a bubble, which is not shown again. */
export function without(alarms: Alarms, key: string): Alarms {
  const closed = alarms.bubbles.filter((bubble) => bubble.key === key)
  return {
    ...alarms,
    bubbles: alarms.bubbles.filter((bubble) => bubble.key !== key),
    dismissed: withDismissed(alarms.dismissed, closed.flatMap(keysOf)),
  }
}

/** Return the alarms without those dismissed elsewhere, as in another tab. */
export function withoutDismissed(alarms: Alarms, dismissed: readonly string[]): Alarms {
  return {
    ...alarms,
    bubbles: alarms.bubbles.filter((bubble) => !keysOf(bubble).every((key) => dismissed.includes(key))),
    dismissed: withDismissed(alarms.dismissed, dismissed),
  }
}
