/** Which version runs on how many devices, each leading to these devices. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { useRead } from '../../api/query.ts'
import { useMayOpen } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import styles from './upgrades.module.css'

export function RunningVersions() {
  const { t } = useTranslation('upgrades')
  const { data: running } = useRead(upgradeCalls.running, {})
  const mayList = useMayOpen(screens.deviceList)
  // The line stands before it is known what is on it, so that nothing moves.
  return (
    <section className={styles.running} aria-label={t('running')} data-pending={running === undefined || undefined}>
      <h2>{t('running')}</h2>
      {running?.length === 0 && <span>{t('runningNone')}</span>}
      <ul>
        {running?.map(({ versionNumber, devices, online }) => {
          const count = t('runningDevices', { count: devices, online })
          return (
            <li key={versionNumber}>
              <b>{versionNumber || t('runningUnknown')}</b>{' '}
              {mayList && versionNumber !== '' ? (
                <Link to={`${path('deviceList')}?${new URLSearchParams({ firmwareVersion: versionNumber })}`}>{count}</Link>
              ) : (
                count
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
