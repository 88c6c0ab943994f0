/** What is heard of passages: a tone for yes, another for no, switched off in this browser by who does not want them. A hit rings as alarms do. */
import { useEffect, useState } from 'react'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { askForSound, playTone } from '../../../kit/media/sound.ts'
import { storage } from '../../../api/storage.ts'
import { weightOf } from './stage.ts'

export interface Tones {
  isOn: boolean
  /** The browser keeps the page silent until it is touched. */
  isBlocked: boolean
  toggle: () => void
  tell: (record: AccessRecord) => void
}

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
    tell: (record) => {
      const weight = weightOf(record)
      if (isOn && weight !== 'hit') play(weight)
    },
  }
}
