/** The bubbles of this page: received by live frames, shown once in all tabs, and ringing unless they are muted. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { topics } from '@gatehouse/contract/realtime'
import { useLive, useLiveState } from '../../../api/live.ts'
import { request } from '../../../api/request.ts'
import { storage } from '../../../api/storage.ts'
import { useSeesWatchList } from '../../../shared/watchList.ts'
import { askForSound, playNow, ring, silence, type Sound } from '../../../kit/media/sound.ts'
import { LATE, takeHits, takeStatuses, without, withoutDismissed, withDismissed, type Alarms, type AlarmsUpdate } from './alarms.ts'
import { BUBBLE_KINDS, isOn, stayOf, type AlarmSettings, type BubbleKind } from './kinds.ts'
import { useStayTimes, type Stay } from './stay.ts'
import { takeVisits } from './visits.ts'

/** Milliseconds between two checks whether a bubble has been shown long enough. */
const PASS_EVERY = 1_000

export interface AlarmState extends Alarms {
  /** Whether the browser prevents an alarm from being heard. */
  blocked: boolean
  /** Plays it, while the user presses something. */
  unblock: () => void
  close: (key: string) => void
  /** Called once the user has seen the hits without a bubble. */
  forgetMore: () => void
}

export function useAlarms(settings: AlarmSettings): AlarmState {
  const stayTimes = useStayTimes()
  const [alarms, setAlarms] = useState<Alarms>(() => ({ bubbles: [], more: 0, dismissed: storage.get('alarmsTold') ?? [] }))
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
    const { alarms: next, rings } = update(now.current, Date.now(), stayOf(kind, stayTimes))
    const { sound } = BUBBLE_KINDS[kind]
    become(next)
    if (rings.length > 0) void ring(sound, rings).then((rang) => setBlocked(rang === 'blocked' ? sound : undefined))
  }
  const takeRecords = (frame: Parameters<typeof takeHits>[1]): void =>
    take('watchList', (before, at, stay) => takeHits(before, frame, at, stay))
  function unblock(): void {
    if (blocked) void playNow(blocked).then((isHeard) => isHeard && setBlocked(undefined))
  }
  const close = (key: string): void => become(without(now.current, key))

  useLive(topics.watchListHits, takeRecords, [])
  useLive(topics.deviceStatus, ({ rows }) => take('deviceOffline', (before, at, stay) => takeStatuses(before, rows, at, stay)), [])
  useLive(topics.visitorCheckAlert, (frame) => take('visitCheck', (before, at, stay) => takeVisits(before, frame, at, stay)), [])
  useLive(topics.visitorArriveAlert, (frame) => take('visitArrive', (before, at, stay) => takeVisits(before, frame, at, stay)), [])
  useMissed(isOn('watchList', settings, stayTimes), takeRecords)
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
    // A kind that was switched off meanwhile is not shown any more.
    bubbles: alarms.bubbles.filter(({ kind }) => isOn(kind, settings, stayTimes)),
    blocked: blocked !== undefined,
    unblock,
    close,
    forgetMore: () => become({ ...now.current, more: 0 }),
  }
}

/** Return whether the pointer or the focus is in a bubble, which must not disappear then. */
const isLookedAt = (key: string): boolean => document.querySelector(`[data-bubble="${key}"]:is(:hover, :focus-within)`) !== null

/** Read the hits of the last minutes that arrived in no frame: before the page was loaded, or while it had no connection. */
function useMissed(isShown: boolean, takeRecords: (frame: Parameters<typeof takeHits>[1]) => void): void {
  const sees = useSeesWatchList()
  const connected = useLiveState(({ state }) => state === 'connected')
  const read = useEffectEvent(() => {
    const body = { watchList: true, startTime: Date.now() - LATE } as const
    void request(recordCalls.find, { body }, { errors: 'silent' }).then(
      ({ content }) => takeRecords({ rows: content }),
      () => {},
    )
  })
  useEffect(() => {
    if (connected && sees && isShown) read()
  }, [connected, sees, isShown])
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
