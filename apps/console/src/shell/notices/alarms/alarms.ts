/** Which alarms stand as bubbles, which of them ring, and which are only counted. */
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { deviceAuthorisationStatus, deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import type { topics, TopicPayload } from '@gatehouse/contract/realtime'
import { isHit, type HitRecord } from '../../../shared/watchList.ts'

/** Bubbles kept at once; the oldest gives way. */
export const BUBBLES_MAX = 4
/** What happened longer ago is shown, but rings no more; milliseconds. */
export const LATE = 5 * 60_000
/** Somebody who stays at a door is one bubble, however often the terminal looks; milliseconds. */
const AGAIN = 60_000
/** Devices that fall silent within so long are one alarm; milliseconds. */
export const TOGETHER = 10_000
/** How long a bubble of devices stands; one of the watch list stands until it is closed. Milliseconds. */
export const STAY = 30_000
/** Alarms remembered as dismissed. */
const DISMISSED_MAX = 200

/** The key of the one bubble of devices. */
export const OFFLINE = 'deviceOffline'

interface SilentDevice {
  id: string
  lastSeenAt: number
}
export interface HitBubble {
  kind: 'watchList'
  /** Of the record. */
  key: string
  time: number
  record: HitRecord
  /** It comes long after it happened, as from a terminal that was offline. */
  late: boolean
}
export interface OfflineBubble {
  kind: typeof OFFLINE
  key: typeof OFFLINE
  /** When it last rang. */
  time: number
  devices: SilentDevice[]
  /** When it goes away by itself. */
  until: number
}
export type Bubble = HitBubble | OfflineBubble

export interface Alarms {
  /** Newest first. */
  bubbles: readonly Bubble[]
  /** Hits without a bubble of their own. */
  more: number
  /** Keys of alarms that are shown no more, or never were; they do not come again. */
  dismissed: readonly string[]
}
export interface AlarmsUpdate {
  alarms: Alarms
  /** Keys of what is to be heard. */
  rings: string[]
}
type StatusRow = TopicPayload<typeof topics.deviceStatus>['rows'][number]

const keyOfSilence = ({ id, lastSeenAt }: SilentDevice): string => `${id}:${lastSeenAt}`
const keysOf = (bubble: Bubble): string[] => (bubble.kind === OFFLINE ? bubble.devices.map(keyOfSilence) : [bubble.key])
export const isHitBubble = (bubble: Bubble): bubble is HitBubble => bubble.kind === 'watchList'
export const isOfflineBubble = (bubble: Bubble): bubble is OfflineBubble => bubble.kind === OFFLINE

/** Return the remembered keys with these, the latest last. */
export const withDismissed = (dismissed: readonly string[], keys: readonly string[]): readonly string[] =>
  keys.every((key) => dismissed.includes(key))
    ? dismissed
    : [...dismissed.filter((key) => !keys.includes(key)), ...keys].slice(-DISMISSED_MAX)

/** Newest first, as many as are kept; the others are dismissed, and counted where they are hits. */
function fitted({ bubbles, more, dismissed }: Alarms): Alarms {
  const sorted = bubbles.toSorted((one, other) => other.time - one.time)
  const dropped = sorted.slice(BUBBLES_MAX)
  return {
    bubbles: sorted.slice(0, BUBBLES_MAX),
    more: more + dropped.filter(isHitBubble).length,
    dismissed: withDismissed(dismissed, dropped.flatMap(keysOf)),
  }
}

/** Takes one hit in. A record that comes again, as with its picture, replaces itself. */
function takeHit({ alarms, rings }: AlarmsUpdate, record: HitRecord, now: number): AlarmsUpdate {
  const { bubbles, more, dismissed } = alarms
  const instead = (bubble: HitBubble, by: HitRecord): readonly Bubble[] =>
    bubbles.map((other) => (other === bubble ? { ...bubble, key: by.id, time: by.time, record: by } : other))
  const same = bubbles.filter(isHitBubble).find(({ key }) => key === record.id)
  if (same) return { alarms: { ...alarms, bubbles: instead(same, record) }, rings }
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
    return { alarms: { bubbles: instead(again, newer), more: more + 1, dismissed: withDismissed(dismissed, [older.id]) }, rings }
  }
  const late = now - record.time > LATE
  return {
    alarms: { ...alarms, bubbles: [...bubbles, { kind: 'watchList', key: record.id, time: record.time, record, late }] },
    rings: late ? rings : [...rings, record.id],
  }
}

/** @param more hits that were left out of the frame */
export function takeHits(
  alarms: Alarms,
  { rows, more = 0 }: { rows: readonly AccessRecord[]; more?: number | undefined },
  now: number,
): AlarmsUpdate {
  const taken = rows
    .filter(isHit)
    .toSorted((one, other) => one.time - other.time)
    .reduce<AlarmsUpdate>((so, record) => takeHit(so, record, now), { alarms, rings: [] })
  return { ...taken, alarms: fitted({ ...taken.alarms, more: taken.alarms.more + more }) }
}

/** A device whose connection has just ended. One that was never paired, or is no more, is not expected to answer. */
const hasFallenSilent = (row: StatusRow, now: number): row is StatusRow & SilentDevice =>
  row.onlineStatus === deviceOnlineStatus.offline &&
  row.authorisationStatus === deviceAuthorisationStatus.authorised &&
  row.lastSeenAt !== null &&
  now - row.lastSeenAt <= LATE

/** Takes in how devices are now: those that are back, or no longer expected, leave the bubble. */
export function takeStatuses(alarms: Alarms, rows: readonly StatusRow[], now: number): AlarmsUpdate {
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
    until: fresh.length > 0 || before === undefined ? now + STAY : before.until,
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

/** Without a bubble, which does not come again. */
export function without(alarms: Alarms, key: string): Alarms {
  const closed = alarms.bubbles.filter((bubble) => bubble.key === key)
  return {
    ...alarms,
    bubbles: alarms.bubbles.filter((bubble) => bubble.key !== key),
    dismissed: withDismissed(alarms.dismissed, closed.flatMap(keysOf)),
  }
}

/** Without what was dismissed elsewhere, as in another tab. */
export function withoutDismissed(alarms: Alarms, dismissed: readonly string[]): Alarms {
  return {
    ...alarms,
    bubbles: alarms.bubbles.filter((bubble) => !keysOf(bubble).every((key) => dismissed.includes(key))),
    dismissed: withDismissed(alarms.dismissed, dismissed),
  }
}
