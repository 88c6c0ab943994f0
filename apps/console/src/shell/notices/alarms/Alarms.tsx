/** Alarms that cannot wait, above the page in the corner. F8 leads to the newest from wherever the person is; closing leads back. */
import { AudioMutedOutlined } from '@ant-design/icons'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { alarmsCalls, type AccountAlert } from '@gatehouse/contract/alarms/calls'
import { useRead } from '../../../api/query.ts'
import { useStagedHit } from '../../../shared/stagedHit.ts'
import { path } from '../../../paths.ts'
import { isHitBubble, isOfflineBubble } from './alarms.ts'
import { DevicesBubble } from './DevicesBubble.tsx'
import { HitBubble } from './HitBubble.tsx'
import { useAlarmFocus } from './useAlarmFocus.ts'
import { useAlarms } from './useAlarms.ts'
import styles from './alarms.module.css'

/** Waits for what the person wants to be told of; who cannot be asked is told of all. */
export default function Alarms() {
  const settings = useRead(alarmsCalls.accountAlertList, {})
  return settings.isPending ? null : <Wanted wanted={settings.data ?? { watchListHit: true, deviceOffline: true }} />
}

function Wanted({ wanted }: { wanted: Pick<AccountAlert, 'watchListHit' | 'deviceOffline'> }) {
  const { t } = useTranslation('alarms')
  const { bubbles: all, more, blocked, unblock, close, forgetMore } = useAlarms(wanted)
  const staged = useStagedHit()
  const bubbles = all.filter(({ key }) => key !== staged.id)
  const region = useRef<HTMLElement>(null)
  const leave = useAlarmFocus(region, close)
  // A person at a door comes before a device. Only the newest is shown in full, so that all have room.
  const [hits, devices] = [bubbles.filter(isHitBubble), bubbles.filter(isOfflineBubble)]
  // One that is seen without a bubble is still to be heard.
  if (bubbles.length === 0 && more === 0 && !(blocked && all.length > 0)) return null
  const closeAll = (): void => {
    for (const { key } of bubbles) close(key)
    forgetMore()
    // The button goes with them.
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
      {devices.map(({ key, devices: silent }) => (
        <DevicesBubble key={key} devices={silent} folded={hits.length > 0} close={() => leave(key)} />
      ))}
    </section>
  )
}
