/** The bubbles of this page: received by live frames, shown once in all tabs, and ringing unless they are muted. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { topics } from '@gatehouse/contract/realtime'
import { useLive } from '../../../api/live.ts'
import { storage } from '../../../api/storage.ts'
import { askForSound, playNow, ring, silence, type Sound } from '../../../kit/media/sound.ts'
import {
  NONE_UNSHOWN,
  takeHits,
  takeStatuses,
  without,
  withoutDismissed,
  withDismissed,
  type Alarms,
  type AlarmsUpdate,
  type CentreAlarms,
  type CentreKind,
} from './alarms.ts'
import { createBursts, type Bursts } from './bursts.ts'
import { takeAlarms, type AlarmFrame } from './centre.ts'
import { BUBBLE_KINDS, isChosenTask, isOn, stayOf, type AlarmSettings, type BubbleKind, type KindParts } from './kinds.ts'
import { useStayTimes, type Stay } from './stay.ts'
import { useMissedAlarms, useMissedHits } from './useMissed.ts'
import { takeVisits } from './visits.ts'

/** Milliseconds between two checks whether a bubble has been shown long enough. */
const PASS_EVERY = 1_000

export interface AlarmState extends Alarms {
  /** Whether the browser prevents an alarm from being heard. */
  blocked: boolean
  /** Plays it, while the user presses something. */
  unblock: () => void
  close: (key: string) => void
  /** Called once the user has seen the alarms without a bubble: all of them, or those of a kind. */
  forgetMore: (of?: keyof Alarms['unshown'] | 'hits') => void
}

export function useAlarms(settings: AlarmSettings): AlarmState {
  const stayTimes = useStayTimes()
  const [alarms, setAlarms] = useState<Alarms>(() => ({
    bubbles: [],
    more: 0,
    unshown: NONE_UNSHOWN,
    dismissed: storage.get('alarmsTold') ?? [],
  }))
  const [blocked, setBlocked] = useState<Sound>()
  // Several frames may arrive before the page is rendered.
  const now = useRef(alarms)

  function become(next: Alarms): void {
    if (next.dismissed !== now.current.dismissed)
      storage.set('alarmsTold', [...withDismissed(storage.get('alarmsTold') ?? [], next.dismissed)])
    now.current = next
    setAlarms(next)
    if (next.bubbles.length === 0) silence()
  }
  /** Take what a frame brings, if bubbles of its kind are on. */
  function take(kind: BubbleKind, update: (before: Alarms, at: number, stay: Stay) => AlarmsUpdate): void {
    if (!isOn(kind, settings, stayTimes)) return
    const { sound: usual }: KindParts = BUBBLE_KINDS[kind]
    const { alarms: next, rings, sound = usual } = update(now.current, Date.now(), stayOf(kind, stayTimes))
    become(next)
    if (rings.length > 0 && sound) void ring(sound, rings).then((rang) => setBlocked(rang === 'blocked' ? sound : undefined))
  }
  const takeRecords = (frame: Parameters<typeof takeHits>[1]): void =>
    take('watchList', (before, at, stay) => takeHits(before, frame, at, stay))
  const takeFaces = (frame: AlarmFrame<CentreAlarms['faceAlarm']>): void => {
    const rows = frame.rows.filter(({ surveillanceId }) => isChosenTask(surveillanceId, settings))
    // Of those left out of the frame it is not known of which tasks they are.
    const more = settings.surveillances.length === 0 ? frame.more : 0
    take('faceAlarm', (before, at, stay) => takeAlarms('faceAlarm', before, { rows, more }, at, stay))
  }
  const takeOf =
    <Kind extends CentreKind>(kind: Kind) =>
    (frame: AlarmFrame<CentreAlarms[Kind]>): void =>
      take(kind, (before, at, stay) => takeAlarms(kind, before, frame, at, stay))
  function unblock(): void {
    if (blocked) void playNow(blocked).then((isHeard) => isHeard && setBlocked(undefined))
  }
  const close = (key: string): void => become(without(now.current, key))

  useLive(topics.watchListHits, takeRecords, [])
  useLive(topics.deviceStatus, ({ rows }) => take('deviceOffline', (before, at, stay) => takeStatuses(before, rows, at, stay)), [])
  useLive(topics.visitorCheckAlert, (frame) => take('visitCheck', (before, at, stay) => takeVisits(before, frame, at, stay)), [])
  useLive(topics.visitorArriveAlert, (frame) => take('visitArrive', (before, at, stay) => takeVisits(before, frame, at, stay)), [])
  useLive(topics.faceAlarms, useBursts(takeFaces), [])
  useLive(topics.deviceEvents, useBursts(takeOf('deviceAlarm')), [])
  useLive(topics.aiBoxEvents, useBursts(takeOf('aiBoxAlarm')), [])
  useLive(topics.deviceAlerts, useBursts(takeOf('deviceResource')), [])
  useMissedHits(isOn('watchList', settings, stayTimes), takeRecords)
  useMissedAlarms({
    faceAlarm: takeFaces,
    deviceAlarm: takeOf('deviceAlarm'),
    aiBoxAlarm: takeOf('aiBoxAlarm'),
    deviceResource: takeOf('deviceResource'),
  })
  useDismissedElsewhere((dismissed) => become(withoutDismissed(now.current, dismissed)))
  // On the first touch, before the touched control reacts: a blocked alarm rings without its own button.
  useFirstTouch(() => (blocked === undefined ? void askForSound() : unblock()))
  useEffect(() => silence, [])

  const pass = useEffectEvent(() => {
    for (const { key, until } of now.current.bubbles) if (until !== null && Date.now() >= until && !isLookedAt(key)) close(key)
  })
  const passes = alarms.bubbles.some(({ until }) => until !== null)
  useEffect(() => {
    if (!passes) return
    const timer = setInterval(() => pass(), PASS_EVERY)
    return () => clearInterval(timer)
  }, [passes])

  return {
    ...alarms,
    // A kind that was switched off meanwhile, and a task that is not chosen any more, are not shown.
    bubbles: alarms.bubbles.filter(
      (bubble) =>
        isOn(bubble.kind, settings, stayTimes) && (bubble.kind !== 'faceAlarm' || isChosenTask(bubble.alarm.surveillanceId, settings)),
    ),
    blocked: blocked !== undefined,
    unblock,
    close,
    forgetMore: (of) =>
      become({
        ...now.current,
        ...((of === undefined || of === 'hits') && { more: 0 }),
        unshown: of === undefined ? NONE_UNSHOWN : of === 'hits' ? now.current.unshown : { ...now.current.unshown, [of]: 0 },
      }),
  }
}

/** Return whether the pointer or the focus is in a bubble, which must not disappear then. */
const isLookedAt = (key: string): boolean => document.querySelector(`[data-bubble="${key}"]:is(:hover, :focus-within)`) !== null

/** Return a function that passes on frames no faster than a guard can read them, and none after the page was left. */
function useBursts<Alarm extends { id: string }>(show: (frame: AlarmFrame<Alarm>) => void): (frame: AlarmFrame<Alarm>) => void {
  const showLatest = useEffectEvent(show)
  const queue = useRef<Bursts<Alarm>>(undefined)
  useEffect(() => {
    const opened = (queue.current = createBursts<Alarm>((frame) => showLatest(frame)))
    return () => opened.stop()
  }, [])
  return (frame) => queue.current?.push(frame)
}

/** Call back with alarms that were closed in another tab. */
function useDismissedElsewhere(hear: (dismissed: readonly string[]) => void): void {
  const take = useEffectEvent(hear)
  useEffect(() => {
    const changed = ({ key }: StorageEvent): void => {
      if (key === 'alarmsTold') take(storage.get('alarmsTold') ?? [])
    }
    window.addEventListener('storage', changed)
    return () => window.removeEventListener('storage', changed)
  }, [])
}

/** Call back on the first touch of the page, from which on a browser permits sound. */
function useFirstTouch(touched: () => void): void {
  const act = useEffectEvent(touched)
  useEffect(() => {
    const left = new AbortController()
    const once = (): void => {
      left.abort()
      act()
    }
    for (const kind of ['pointerdown', 'keydown']) window.addEventListener(kind, once, { capture: true, signal: left.signal })
    return () => left.abort()
  }, [])
}
