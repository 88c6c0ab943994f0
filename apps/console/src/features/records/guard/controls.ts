/** The controls of guard mode: keys, full screen, and tones. */
import { useEffect, useEffectEvent, useState } from 'react'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { isKey, isTyping, KEYS } from '../../../kit/keys.ts'
import { askForSound, playTone } from '../../../kit/media/sound.ts'
import { storage } from '../../../api/storage.ts'
import { weightOf } from './stage.ts'

type Use = keyof typeof KEYS.guard
const uses = Object.entries(KEYS.guard) as [Use, readonly string[]][]

/** Return whether a key belongs to something else: to an alarm bubble, or to an open dialog or menu. */
const isElsewhere = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && target.closest('[data-bubble]') !== null) ||
  [...document.querySelectorAll('[role="dialog"], [role="menu"]')].some((element) => element.checkVisibility())

/** Handle the keys of guard mode wherever the focus is, but not while the user types, or while a dialog, menu or bubble has the keys. */
export function useGuardKeys(does: Partial<Record<Use, (key: string) => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event) || isElsewhere(event)) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const use = uses.find(([name, keys]) => does[name] !== undefined && isKey(keys, key))?.[0]
    if (use === undefined) return
    event.preventDefault()
    // A key that is held down keeps stepping, and repeats nothing else.
    if (!event.repeat || use === 'step') does[use]?.(key)
  })
  useEffect(() => {
    // In the capture phase, before a dialog or menu that the same key closes is removed.
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
 * Return the state of the browser's full screen and its switch. The whole page is shown in it, so that questions and alarms are visible.
 * It ends when the page is left.
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
  /** Whether the browser keeps the page silent, as it does until the user touches it. */
  isBlocked: boolean
  toggle: () => void
  announce: (record: AccessRecord) => void
}

/**
 * Return the tones of passages: one for admitted, another for refused, unless they are switched off in this browser. A
 * hit plays none of them: it sounds as an alarm.
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
      // Plays an example, which also shows whether the browser allows sound.
      if (!isOn) play('admitted')
    },
    announce: (record) => {
      const weight = weightOf(record)
      if (isOn && weight !== 'hit') play(weight)
    },
  }
}
