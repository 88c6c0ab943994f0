/**
 * What the console has to say to the person, whatever page is open: a line each between header and page, so that
 * nothing is covered. Incoming calls and alarm bubbles have places of their own, above the page in the corner.
 */
import { useTranslation } from 'react-i18next'
import { DeviceFetched } from './DeviceFetched.tsx'
import { ExpiredCustomers } from './ExpiredCustomers.tsx'
import { NotEncrypted } from './NotEncrypted.tsx'
import { ParkElsewhere } from './ParkElsewhere.tsx'
import { SessionEnding } from './SessionEnding.tsx'
import { SystemNotice } from './SystemNotice.tsx'
import styles from './notices.module.css'

export function NoticeArea() {
  const { t } = useTranslation('shell')
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
      <div className={styles.corner}>
        <div id="incoming-call" />
        <div id="alarm-bubbles" />
      </div>
    </>
  )
}
