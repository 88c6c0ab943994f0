/** The head above the stage: which doors are watched, whether the screen is live, sound, full screen, the clock, and the way back. */
import { AudioMutedOutlined, CloseOutlined, FullscreenExitOutlined, FullscreenOutlined, SoundOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { useLastContact, useLiveState } from '../../../api/live.ts'
import { useSession } from '../../../api/session.ts'
import { isMuted } from '../../../kit/media/sound.ts'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { useDoorFilter, type Records } from '../useRecords.ts'
import { type FullScreen, useGuardKeys, type Tones } from './controls.ts'
import styles from './head.module.css'

interface GuardHeadProps {
  list: Records
  tones: Tones
  fullScreen: FullScreen
  leave: () => void
}

export function GuardHead({ list, tones, fullScreen, leave }: GuardHeadProps) {
  const { t } = useTranslation('records')
  const park = useSession((state) => state.park?.parkName ?? '')
  const doors = useDoorFilter()
  const chooser = useRef<HTMLDivElement>(null)
  useGuardKeys({
    ...(doors.length > 0 && { doors: () => chooser.current?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click() }),
  })
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h1>{t('shell:title.guardMode')}</h1>
          <small title={park}>{park}</small>
        </div>
        {doors.length > 0 && (
          <div ref={chooser} className={styles.doors}>
            <FilterBar list={list} filters={doors} />
            <kbd aria-hidden="true">D</kbd>
            {list.query.deviceId === undefined && <small>{t('guard.allDoors')}</small>}
          </div>
        )}
        <div className={styles.tools}>
          <Tool
            words={t(tones.isOn ? 'guard.soundOn' : 'guard.soundOff')}
            icon={tones.isOn ? <SoundOutlined /> : <AudioMutedOutlined />}
            cap="S"
            press={tones.toggle}
          />
          <Tool
            words={t(fullScreen.isFull ? 'guard.notFullScreen' : 'guard.fullScreen')}
            icon={fullScreen.isFull ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
            cap="F"
            press={fullScreen.toggle}
          />
          <span className={styles.help}>
            {t('keys:title')} <kbd>?</kbd>
          </span>
          <Tool words={t('guard.leave')} icon={<CloseOutlined />} cap="Esc" press={leave} />
          <Clock />
        </div>
      </header>
      <Contact />
      {tones.isOn && tones.isBlocked && <p className={styles.silent}>{t('guard.blocked')}</p>}
      {isMuted() && <p className={styles.silent}>{t('guard.alarmsMuted')}</p>}
    </>
  )
}

interface ToolProps {
  words: string
  icon: ReactNode
  /** Label of its key. */
  cap: string
  press: () => void
}

function Tool({ words, icon, cap, press }: ToolProps) {
  return (
    <span title={words}>
      <Button type="text" icon={icon} aria-keyshortcuts={cap === 'Esc' ? 'Escape' : cap} onClick={press}>
        <span className={styles.toolWords}>{words}</span> <kbd aria-hidden="true">{cap}</kbd>
      </Button>
    </span>
  )
}

const clockOf = (instant: number, offset: number): string => formatInstant(instant, offset).slice(11)

/** A warning while the screen is not live, with the time of the last update. */
function Contact() {
  const { t } = useTranslation('records')
  const { offset } = useZoneOffset()
  const state = useLiveState((live) => live.state)
  const at = useLastContact((contact) => contact.at)
  if (state === 'connected') return null
  return (
    <p className={styles.cut} role="alert">
      {at === undefined ? t('guard.connecting') : t('guard.cut', { time: clockOf(at, offset) })}
    </p>
  )
}

/** The clock of the park, and whether the screen is live. */
function Clock() {
  const { t } = useTranslation('records')
  const { offset } = useZoneOffset()
  const state = useLiveState((live) => live.state)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className={styles.clock}>
      <small data-state={state}>
        <i aria-hidden="true" /> {t(`shell:live.${state}`)}
      </small>
      <time dateTime={new Date(now).toISOString()}>{clockOf(now, offset)}</time>
    </span>
  )
}
