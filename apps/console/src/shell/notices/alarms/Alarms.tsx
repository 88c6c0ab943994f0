/** Urgent alarms, above the page in the corner. F8 moves the focus to the newest from anywhere; closing moves it back. */
import { AudioMutedOutlined } from '@ant-design/icons'
import { useRef, useEffect, useEffectEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { alarmLevel } from '@gatehouse/contract/enums/alarms'
import { useRead } from '../../../api/query.ts'
import { useDealtAlarm } from '../../../shared/dealtAlarm.ts'
import { useStagedHit } from '../../../shared/stagedHit.ts'
import { path } from '../../../paths.ts'
import { isKey, KEYS } from '../../../kit/keys.ts'
import { isCentreBubble, isEventBubble, isHitBubble, NONE_UNSHOWN, type Bubble } from './alarms.ts'
import { DevicesBubble, HitBubble } from './Bubbles.tsx'
import { EventAlarmCard, FaceAlarmCard, ResourceAlarmCard } from './CentreBubbles.tsx'
import { ALL_ALARMS, withExistingTasks, type AlarmSettings, type BubbleKind } from './kinds.ts'
import { listOf } from './links.ts'
import { VisitBubbleCard } from './VisitBubbleCard.tsx'
import { useAlarms } from './useAlarms.ts'
import styles from './alarms.module.css'

/** Waits until the user's choice of alarms is read; where that fails, all are shown. */
export default function Alarms() {
  const settings = useRead(alarmsCalls.accountAlertList, {})
  const chosen = settings.data ?? ALL_ALARMS
  const tasks = useRead(alarmsCalls.surveillanceList, {}, { enabled: chosen.surveillances.length > 0 })
  return settings.isPending ? null : <ChosenAlarms settings={withExistingTasks(chosen, tasks.data)} />
}

/** The order of the bubbles: a person is shown before an event at a door, that before a visitor, and a visitor before a device's state. */
const RANKS: Readonly<Record<BubbleKind, number>> = {
  watchList: 0,
  faceAlarm: 0,
  deviceAlarm: 1,
  aiBoxAlarm: 1,
  visitCheck: 2,
  visitArrive: 2,
  deviceResource: 3,
  deviceOffline: 3,
}

const rankOf = (bubble: Bubble): number => RANKS[bubble.kind] - (isEventBubble(bubble) && bubble.alarm.level === alarmLevel.high ? 0.5 : 0)

function ChosenAlarms({ settings }: { settings: AlarmSettings }) {
  const { t } = useTranslation('alarms')
  const { bubbles: all, more, unshown, blocked, unblock, close, forgetMore } = useAlarms(settings)
  const staged = useStagedHit()
  const dealt = useDealtAlarm(({ id }) => id)
  const { pathname } = useLocation()
  const sorted = all.filter(({ key }) => key !== staged.id).toSorted((one, other) => rankOf(one) - rankOf(other))
  // While one alarm is dealt with, the others are only counted: they would cover the buttons by which it is handled.
  const waiting = dealt === undefined ? [] : sorted.filter((bubble) => isCentreBubble(bubble) && bubble.alarm.id !== dealt)
  const bubbles = dealt === undefined ? sorted : sorted.filter((bubble) => !isCentreBubble(bubble))
  const region = useRef<HTMLElement>(null)
  const leave = useAlarmFocus(region, close)
  const uncounted = more === 0 && Object.values(unshown).every((count) => count === 0)
  // An alarm that is seen without a bubble must still be heard.
  if (bubbles.length + waiting.length === 0 && uncounted && !(blocked && all.length > 0)) return null
  const closeAll = (): void => {
    for (const { key } of bubbles) close(key)
    forgetMore()
    // The button is removed with them.
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  return (
    <section ref={region} className={styles.alarms} aria-label={t('bubbles')} aria-keyshortcuts="F8">
      {blocked && (
        <button type="button" className={styles.blocked} onClick={unblock}>
          <AudioMutedOutlined /> {t('blocked')} <b>{t('unblock')}</b>
        </button>
      )}
      {bubbles.length > 1 && (
        <button type="button" className={styles.closeAll} onClick={closeAll}>
          {t('closeAll', { count: bubbles.length })}
        </button>
      )}
      {/* Only the first is in full: there is room for all. */}
      {bubbles.map((bubble, at) => (
        <AnyBubble
          key={bubble.key}
          bubble={bubble}
          folded={
            at > 0 ||
            (isHitBubble(bubble) && staged.seen.includes(bubble.key)) ||
            // Its list is what the user looks at.
            (isCentreBubble(bubble) && pathname === listOf(bubble.kind))
          }
          close={() => leave(bubble.key)}
        />
      ))}
      {waiting.length > 0 && <p className={styles.more}>{t('bubble.waiting', { count: waiting.length })}</p>}
      {more > 0 && (
        <Link className={styles.more ?? ''} to={`${path('staffCurrent')}?watchList=true`} onClick={() => forgetMore('hits')}>
          {t('more', { count: more })}
        </Link>
      )}
      {UNSHOWN.filter((kind) => unshown[kind] > 0).map((kind) => (
        <Link key={kind} className={styles.more ?? ''} to={listOf(kind)} onClick={() => forgetMore(kind)}>
          {t(`bubble.more.${kind}`, { count: unshown[kind] })}
        </Link>
      ))}
    </section>
  )
}

const UNSHOWN = Object.keys(NONE_UNSHOWN) as (keyof typeof NONE_UNSHOWN)[]

interface AnyBubbleProps {
  bubble: Bubble
  /** Shown in one line. */
  folded: boolean
  close: () => void
}

function AnyBubble({ bubble, folded, close }: AnyBubbleProps) {
  switch (bubble.kind) {
    case 'watchList':
      return <HitBubble bubble={bubble} folded={folded} close={close} />
    case 'faceAlarm':
      return <FaceAlarmCard bubble={bubble} folded={folded} close={close} />
    case 'deviceAlarm':
    case 'aiBoxAlarm':
      return <EventAlarmCard bubble={bubble} folded={folded} close={close} />
    case 'deviceResource':
      return <ResourceAlarmCard bubble={bubble} folded={folded} close={close} />
    case 'deviceOffline':
      return <DevicesBubble devices={bubble.devices} folded={folded} close={close} />
    default:
      return <VisitBubbleCard bubble={bubble} folded={folded} close={close} />
  }
}

const [KEY] = KEYS.everywhere.alarm
const begins = ({ key, repeat }: KeyboardEvent): boolean => !repeat && isKey(KEYS.alarms.begin, key.length === 1 ? key.toLowerCase() : key)
const bubblesOf = (region: HTMLElement | null): HTMLElement[] => [...(region?.querySelectorAll<HTMLElement>('[data-bubble]') ?? [])]

/**
 * Move the keyboard focus to the bubbles and back.
 * F8 focuses the newest bubble, Esc closes the one that has the focus, and the keys of alarms begin to deal with it.
 * @returns a function that closes a bubble by its id: the focus moves to the next one, or back to where it was
 */
function useAlarmFocus(region: RefObject<HTMLElement | null>, close: (id: string) => void): (id: string) => void {
  const before = useRef<HTMLElement>(null)
  function leave(id: string): void {
    const all = bubblesOf(region.current)
    const leaving = all.find((bubble) => bubble.dataset.bubble === id)
    const hadFocus = leaving?.contains(document.activeElement)
    close(id)
    if (!hadFocus) return
    const back = before.current?.isConnected ? before.current : document.getElementById('content')
    const next = all.find((bubble) => bubble !== leaving) ?? back
    next?.focus({ preventScroll: true })
  }
  const leaveThis = useEffectEvent(leave)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const [newest] = bubblesOf(region.current)
      if (newest === undefined) return
      const inside = bubblesOf(region.current).find((bubble) => bubble.contains(document.activeElement))
      if (event.key === KEY) newest.focus()
      else if (event.key === 'Escape' && inside?.dataset.bubble) leaveThis(inside.dataset.bubble)
      else if (inside !== undefined && inside === document.activeElement && begins(event))
        inside.querySelector<HTMLElement>('[data-begin]')?.click()
      else return
      // Whatever is below handles Esc itself.
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    const enter = (event: FocusEvent): void => {
      const { target, relatedTarget } = event
      if (!(target instanceof Node) || !region.current?.contains(target)) return
      // A dialog pulls the focus back wherever it moves: an alarm must not wait until the dialog is closed.
      event.stopPropagation()
      if (relatedTarget instanceof HTMLElement && !region.current.contains(relatedTarget)) before.current = relatedTarget
    }
    window.addEventListener('keydown', press, { capture: true })
    document.addEventListener('focusin', enter)
    return () => {
      window.removeEventListener('keydown', press, { capture: true })
      document.removeEventListener('focusin', enter)
    }
  }, [region])
  return leave
}
