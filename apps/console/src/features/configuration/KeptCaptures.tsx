/** How many passed a camera that keeps nobody who matches no task, and what it lost while it could not reach the server. */
import { useTranslation } from 'react-i18next'
import { captureCalls } from '@gatehouse/contract/surveillance/captures'
import { useRead } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import styles from './configuration.module.css'

export function KeptCaptures({ deviceId }: { deviceId: string }) {
  return useMayCall(captureCalls.kept) && <Counts deviceId={deviceId} />
}

function Counts({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('configuration')
  const { offset } = useZoneOffset()
  const { data } = useRead(captureCalls.kept, { query: { deviceId } })
  if (data === undefined || data.days.length + data.losses.length === 0) return null
  return (
    <>
      {data.days.length > 0 && (
        <>
          <h3 className={styles.countsTitle}>{t('captures.days')}</h3>
          <ul className={styles.counts}>
            {data.days.map(({ day, passed, kept }) => (
              <li key={day}>{t('captures.day', { day, count: passed, kept })}</li>
            ))}
          </ul>
        </>
      )}
      {data.losses.length > 0 && (
        <>
          <h3 className={styles.countsTitle}>{t('captures.losses')}</h3>
          <ul className={styles.counts}>
            {data.losses.map(({ id, count, from, to }) => (
              <li key={id}>{t('captures.loss', { count, from: formatInstant(from, offset), to: formatInstant(to, offset) })}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
