/** Urgent alarms, above the page in the corner. F8 moves the focus to the newest from anywhere; closing moves it back. */
import { AudioMutedOutlined } from '@ant-design/icons'
import { useRef, useEffect, useEffectEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { useRead } from '../../../api/query.ts'
import { useStagedHit } from '../../../shared/stagedHit.ts'
import { path } from '../../../paths.ts'
import { KEYS } from '../../../kit/keys.ts'
import { isHitBubble, isOfflineBubble, isVisitBubble } from './alarms.ts'
import { DevicesBubble, HitBubble } from './Bubbles.tsx'
import { ALL_ALARMS, type AlarmSettings } from './kinds.ts'
import { VisitBubbleCard } from './VisitBubbleCard.tsx'
import { useAlarms } from './useAlarms.ts'
import styles from './alarms.module.css'

/** Waits until the user's choice of alarms is read; where that fails, all are shown. */
export default function Alarms() {
  const settings = useRead(alarmsCalls.accountAlertList, {})
  return settings.isPending ? null : <ChosenAlarms settings={settings.data ?? ALL_ALARMS} />
}

function ChosenAlarms({ settings }: { settings: AlarmSettings }) {
  const { t } = useTranslation('alarms')
  const { bubbles: all, more, blocked, unblock, close, forgetMore } = useAlarms(settings)
  const staged = useStagedHit()
  const bubbles = all.filter(({ key }) => key !== staged.id)
  const region = useRef<HTMLElement>(null)
  const leave = useAlarmFocus(region, close)
  // A person at a door is shown before a visitor, and a visitor before a device. Only the first is in full: there is room for all.
  const [hits, visits, devices] = [bubbles.filter(isHitBubble), bubbles.filter(isVisitBubble), bubbles.filter(isOfflineBubble)]
  // An alarm that is seen without a bubble must still be heard.
  if (bubbles.length === 0 && more === 0 && !(blocked && all.length > 0)) return null
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
      {hits.map((bubble, at) => (
        <HitBubble key={bubble.key} bubble={bubble} folded={at > 0 || staged.seen.includes(bubble.key)} close={() => leave(bubble.key)} />
      ))}
      {more > 0 && (
        <Link className={styles.more ?? ''} to={`${path('staffCurrent')}?watchList=true`} onClick={forgetMore}>
          {t('more', { count: more })}
        </Link>
      )}
      {visits.map((bubble, at) => (
        <VisitBubbleCard key={bubble.key} bubble={bubble} folded={hits.length + at > 0} close={() => leave(bubble.key)} />
      ))}
      {devices.map(({ key, devices: silent }) => (
        <DevicesBubble key={key} devices={silent} folded={hits.length + visits.length > 0} close={() => leave(key)} />
      ))}
    </section>
  )
}

const [KEY] = KEYS.everywhere.alarm
const bubblesOf = (region: HTMLElement | null): HTMLElement[] => [...(region?.querySelectorAll<HTMLElement>('[data-bubble]') ?? [])]

/**
 * Move the keyboard focus to the bubbles and back.
 * F8 focuses the newest bubble, Esc closes the one that has the focus.
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
