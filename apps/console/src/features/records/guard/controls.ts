/** What guard mode is worked with: keys, the full screen, and tones. */
import { useEffect, useEffectEvent, useState } from 'react'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { isKey, isTyping, KEYS } from '../../../kit/keys.ts'
import { askForSound, playTone } from '../../../kit/media/sound.ts'
import { storage } from '../../../api/storage.ts'
import { weightOf } from './stage.ts'

type Use = keyof typeof KEYS.guard
const uses = Object.entries(KEYS.guard) as [Use, readonly string[]][]

/** What lies over the page, or is an alarm of its own, has keys of its own. */
const isElsewhere = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && target.closest('[data-bubble]') !== null) ||
  [...document.querySelectorAll('[role="dialog"], [role="menu"]')].some((element) => element.checkVisibility())

/** The keys of guard mode, wherever the focus is; none while something is typed, asked or chosen. */
export function useGuardKeys(does: Partial<Record<Use, (key: string) => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event) || isElsewhere(event)) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const use = uses.find(([name, keys]) => does[name] !== undefined && isKey(keys, key))?.[0]
    if (use === undefined) return
    event.preventDefault()
    // A key that is held down steps on, and does nothing else again.
    if (!event.repeat || use === 'step') does[use]?.(key)
  })
  useEffect(() => {
    // Before what is closed by the same key is gone.
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [])
}

export interface FullScreen {
  isFull: boolean
  toggle: () => void
}

const leave = (): void => {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
}

/**
 * The browser's full screen: of all the page, so that questions and alarms are seen in it.
 * It ends with the page.
 */
export function useFullScreen(): FullScreen {
  const [isFull, setFull] = useState(() => document.fullscreenElement !== null)
  useEffect(() => {
    const changed = (): void => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', changed)
    return () => {
      document.removeEventListener('fullscreenchange', changed)
      leave()
    }
  }, [])
  return {
    isFull,
    // A browser that does not allow it leaves the page as it is.
    toggle: () => (document.fullscreenElement ? leave() : void document.documentElement.requestFullscreen?.().catch(() => {})),
  }
}

export interface Tones {
  isOn: boolean
  /** The browser keeps the page silent until it is touched. */
  isBlocked: boolean
  toggle: () => void
  announce: (record: AccessRecord) => void
}

/**
 * What is heard of passages: a tone for yes, another for no, switched off in this browser by who does not want them. A
 * hit rings as alarms do.
 */
export function useTones(): Tones {
  const [isOn, setOn] = useState(() => storage.get('guardMuted') !== true)
  const [isBlocked, setBlocked] = useState(false)
  const ask = (): void => void askForSound().then((isHeard) => setBlocked(!isHeard))
  useEffect(ask, [])
  useEffect(() => {
    if (!isBlocked) return
    for (const kind of ['pointerdown', 'keydown']) window.addEventListener(kind, ask)
    return () => {
      for (const kind of ['pointerdown', 'keydown']) window.removeEventListener(kind, ask)
    }
  }, [isBlocked])
  const play = (tone: 'admitted' | 'refused'): void => void playTone(tone).then((isHeard) => setBlocked(!isHeard))
  return {
    isOn,
    isBlocked,
    toggle: () => {
      storage.set('guardMuted', isOn)
      setOn(!isOn)
      // What it sounds like, and whether it does.
      if (!isOn) play('admitted')
    },
    announce: (record) => {
      const weight = weightOf(record)
      if (isOn && weight !== 'hit') play(weight)
    },
  }
}
