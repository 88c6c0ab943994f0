/**
 * What the console has to say to the person, whatever page is open: a line each between header and page, so that
 * nothing is covered. Incoming calls and alarm bubbles have places of their own, above the page in the corner.
 */
import { lazy, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { topics } from '@gatehouse/contract/realtime'
import { useMayCall } from '../../api/session.ts'
import { useStand } from './alarms/stand.ts'
import { DeviceFetched } from './DeviceFetched.tsx'
import { ExpiredCustomers } from './ExpiredCustomers.tsx'
import { NotEncrypted } from './NotEncrypted.tsx'
import { ParkElsewhere } from './ParkElsewhere.tsx'
import { SessionEnding } from './SessionEnding.tsx'
import { SystemNotice } from './SystemNotice.tsx'
import styles from './notices.module.css'

const Alarms = lazy(() => import('./alarms/Alarms.tsx'))

export function NoticeArea() {
  const { t } = useTranslation('shell')
  const corner = useRef<HTMLDivElement>(null)
  const { place, tight } = useStand(corner)
  const [hearsHits, hearsDevices] = [useMayCall(topics.watchListHits), useMayCall(topics.deviceStatus)]
  return (
    <>
      <section className={styles.lines} aria-label={t('notice.area')} aria-live="polite">
        <ParkElsewhere />
        <SessionEnding />
        <NotEncrypted />
        <SystemNotice />
        <ExpiredCustomers />
      </section>
      <DeviceFetched />
      <div ref={corner} className={styles.corner} data-place={place} data-tight={tight || undefined}>
        <div id="incoming-call" />
        <div id="alarm-bubbles">
          <Suspense fallback={null}>{(hearsHits || hearsDevices) && <Alarms />}</Suspense>
        </div>
      </div>
    </>
  )
}
