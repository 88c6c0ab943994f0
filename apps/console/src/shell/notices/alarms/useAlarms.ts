/** The alarms of this page: taken from live frames, shown once in all tabs, and heard unless they are switched off. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { recordCalls } from '@gatehouse/contract/records/calls'
import type { AccountAlert } from '@gatehouse/contract/alarms/calls'
import { topics } from '@gatehouse/contract/realtime'
import { useLive, useLiveState } from '../../../api/live.ts'
import { request } from '../../../api/request.ts'
import { storage } from '../../../api/storage.ts'
import { useSeesWatchList } from '../../../shared/watchList.ts'
import { askForSound, playNow, ring, silence, type Sound } from '../../../kit/media/sound.ts'
import {
  isOfflineBubble,
  LATE,
  OFFLINE,
  takeHits,
  takeStatuses,
  without,
  withoutDismissed,
  withDismissed,
  type Alarms,
  type AlarmsUpdate,
} from './alarms.ts'

/** How often it is looked whether a bubble has stood long enough; milliseconds. */
const PASS_EVERY = 1_000

export interface AlarmState extends Alarms {
  /** The browser keeps an alarm from being heard. */
  blocked: boolean
  /** Has it heard, while the person presses something. */
  unblock: () => void
  close: (key: string) => void
  /** The hits without a bubble have been looked at. */
  forgetMore: () => void
}

export function useAlarms(settings: Pick<AccountAlert, 'watchListHit' | 'deviceOffline'>): AlarmState {
  const [alarms, setAlarms] = useState<Alarms>(() => ({ bubbles: [], more: 0, dismissed: storage.get('alarmsTold') ?? [] }))
  const [blocked, setBlocked] = useState<Sound>()
  // Frames follow one another before the page is drawn.
  const now = useRef(alarms)

  function become(next: Alarms): void {
    if (next.dismissed !== now.current.dismissed)
      storage.set('alarmsTold', [...withDismissed(storage.get('alarmsTold') ?? [], next.dismissed)])
    now.current = next
    setAlarms(next)
    if (next.bubbles.length === 0) silence()
  }
  function take(sound: Sound, { alarms: next, rings }: AlarmsUpdate): void {
    become(next)
    if (rings.length > 0) void ring(sound, rings).then((rang) => setBlocked(rang === 'blocked' ? sound : undefined))
  }
  const takeRecords = (frame: Parameters<typeof takeHits>[1]): void => {
    if (settings.watchListHit) take('watchList', takeHits(now.current, frame, Date.now()))
  }
  function unblock(): void {
    if (blocked) void playNow(blocked).then((isHeard) => isHeard && setBlocked(undefined))
  }
  const close = (key: string): void => become(without(now.current, key))

  useLive(topics.watchListHits, takeRecords, [])
  useLive(
    topics.deviceStatus,
    ({ rows }) => {
      if (settings.deviceOffline) take('deviceOffline', takeStatuses(now.current, rows, Date.now()))
    },
    [],
  )
  useMissed(settings.watchListHit, takeRecords)
  useDismissedElsewhere((dismissed) => become(withoutDismissed(now.current, dismissed)))
  // Before what is touched is pressed: an alarm that waits to be heard does not wait for its button.
  useFirstTouch(() => (blocked === undefined ? void askForSound() : unblock()))
  useEffect(() => silence, [])

  const until = alarms.bubbles.find(isOfflineBubble)?.until
  const pass = useEffectEvent(() => close(OFFLINE))
  useEffect(() => {
    if (until === undefined) return
    const timer = setInterval(() => {
      if (Date.now() >= until && !isLookedAt(OFFLINE)) pass()
    }, PASS_EVERY)
    return () => clearInterval(timer)
  }, [until])

  return {
    ...alarms,
    blocked: blocked !== undefined,
    unblock,
    close,
    forgetMore: () => become({ ...now.current, more: 0 }),
  }
}

/** Whether the pointer or the keyboard is in a bubble: it does not go away under either. */
const isLookedAt = (key: string): boolean => document.querySelector(`[data-bubble="${key}"]:is(:hover, :focus-within)`) !== null

/** Hits of the last minutes that came in no frame: before the page stood, or while it had no connection. */
function useMissed(isOn: boolean, takeRecords: (frame: Parameters<typeof takeHits>[1]) => void): void {
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
    if (connected && sees && isOn) read()
  }, [connected, sees, isOn])
}

/** Hears of alarms that were closed in another tab. */
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

/** The first touch of the page, by which a browser lets it sound from then on. */
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
