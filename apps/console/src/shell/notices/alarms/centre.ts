/** Which alarms of the alarm centre are shown as bubbles, which of them ring, and which are only counted. */
import { EVENT_ALARM_STATES, FACE_ALARM_STATES } from '@gatehouse/contract/alarms/handling'
import { ALARM_BUBBLES_MAX } from '@gatehouse/contract'
import { ALARM_SOUNDS, type Sound } from '../../../kit/media/sound.ts'
import {
  fitted,
  isCentreBubble,
  LATE,
  withDismissed,
  withUnshown,
  type Alarms,
  type AlarmsUpdate,
  type CentreAlarms,
  type CentreBubble,
  type CentreKind,
} from './alarms.ts'
import { endOfStay, type Stay } from './stay.ts'

/** A frame of live alarms. */
export interface AlarmFrame<Alarm> {
  rows: readonly Alarm[]
  /** Number of alarms that were left out. */
  more?: number | undefined
}

type BubbleBase = Pick<CentreBubble, 'key' | 'time' | 'until' | 'late' | 'shownAt'>
interface KindOf<Alarm> {
  bubbleOf: (alarm: Alarm, base: BubbleBase) => CentreBubble
  /** When it happened; epoch milliseconds. */
  timeOf: (alarm: Alarm) => number
  /** Whether nobody needs to be told any more: it was handled, or is over by itself. */
  isOver: (alarm: Alarm) => boolean
  soundOf?: (alarm: Alarm) => Sound
}
const KINDS: { readonly [Kind in CentreKind]: KindOf<CentreAlarms[Kind]> } = {
  faceAlarm: {
    bubbleOf: (alarm, base) => ({ ...base, kind: 'faceAlarm', alarm }),
    timeOf: ({ captureTime }) => captureTime,
    isOver: ({ status }) => FACE_ALARM_STATES.handled.includes(status),
    soundOf: ({ sound }) => ALARM_SOUNDS[sound],
  },
  deviceAlarm: {
    bubbleOf: (alarm, base) => ({ ...base, kind: 'deviceAlarm', alarm }),
    timeOf: ({ alertTime }) => alertTime,
    isOver: ({ status }) => EVENT_ALARM_STATES.handled.includes(status),
  },
  aiBoxAlarm: {
    bubbleOf: (alarm, base) => ({ ...base, kind: 'aiBoxAlarm', alarm }),
    timeOf: ({ eventTime }) => eventTime,
    isOver: ({ status }) => EVENT_ALARM_STATES.handled.includes(status),
  },
  deviceResource: {
    bubbleOf: (alarm, base) => ({ ...base, kind: 'deviceResource', alarm }),
    timeOf: ({ checkTime }) => checkTime,
    isOver: ({ clearedAt, status }) => clearedAt !== null || EVENT_ALARM_STATES.handled.includes(status),
  },
}

/** When an alarm was escalated because nobody had handled it; null where it was not, and for kinds that are not. */
const escalatedAtOf = (alarm: object): number | null => ('escalatedAt' in alarm ? (alarm.escalatedAt as number | null) : null)

const ESCALATED = '-escalated'
/** An alarm that was escalated is shown again, whether its bubble was closed or not. */
const keyOf = (kind: CentreKind, alarm: { id: string }): string => `${kind}-${alarm.id}${escalatedAtOf(alarm) === null ? '' : ESCALATED}`

/** Return the alarms of two frames as one: of two versions of an alarm the later, and no more than `limit` of them. */
export function joinedFrames<Alarm extends { id: string }>(
  earlier: AlarmFrame<Alarm>,
  later: AlarmFrame<Alarm>,
  limit: number,
): AlarmFrame<Alarm> {
  const byId = new Map<string, Alarm>()
  for (const alarm of [...earlier.rows, ...later.rows]) {
    byId.delete(alarm.id)
    byId.set(alarm.id, alarm)
  }
  const rows = [...byId.values()].slice(-limit)
  return { rows, more: (earlier.more ?? 0) + (later.more ?? 0) + byId.size - rows.length }
}

/**
 * Apply a frame. An alarm that arrives again, as with its picture or when it was counted once more, replaces its earlier version; one that
 * is over disappears. However many arrive, no more become bubbles than are shown: the others are counted.
 */
export function takeAlarms<Kind extends CentreKind>(
  kind: Kind,
  alarms: Alarms,
  { rows, more = 0 }: AlarmFrame<CentreAlarms[Kind]>,
  now: number,
  stay: Stay,
): AlarmsUpdate {
  const { bubbleOf, timeOf, isOver, soundOf }: KindOf<CentreAlarms[Kind]> = KINDS[kind]
  const latest = new Map(rows.map((alarm) => [keyOf(kind, alarm), alarm]))
  const dismissed = new Set(alarms.dismissed)
  const present = new Set(alarms.bubbles.map(({ key }) => key))

  const over = alarms.bubbles.filter(({ key }) => {
    const alarm = latest.get(key)
    return (alarm !== undefined && isOver(alarm)) || latest.has(`${key}${ESCALATED}`)
  })
  const kept = alarms.bubbles
    .filter((bubble) => !over.includes(bubble))
    .map((bubble) => {
      const alarm = latest.get(bubble.key)
      return alarm !== undefined && isCentreBubble(bubble) ? ({ ...bubble, alarm } as CentreBubble) : bubble
    })
  const fresh = [...latest]
    .filter(([key, alarm]) => !present.has(key) && !dismissed.has(key) && !isOver(alarm))
    .toSorted(([, one], [, other]) => timeOf(other) - timeOf(one))
  const [shown, counted] = [fresh.slice(0, ALARM_BUBBLES_MAX), fresh.slice(ALARM_BUBBLES_MAX)]
  const bubbles = shown.map(([key, alarm]) =>
    bubbleOf(alarm, {
      key,
      time: timeOf(alarm),
      until: endOfStay(stay, now),
      late: now - (escalatedAtOf(alarm) ?? timeOf(alarm)) > LATE,
      shownAt: now,
    }),
  )
  const next = fitted({
    ...alarms,
    bubbles: [...bubbles, ...kept],
    unshown: withUnshown(alarms.unshown, kind, counted.length + more),
    dismissed: withDismissed(alarms.dismissed, [...over.map(({ key }) => key), ...counted.map(([key]) => key)]),
  })
  const rings = bubbles.filter((bubble) => !bubble.late && next.bubbles.includes(bubble)).map(({ key }) => key)
  const loudest = shown.find(([key]) => rings.includes(key))
  return { alarms: next, rings, ...(loudest && soundOf && { sound: soundOf(loudest[1]) }) }
}
