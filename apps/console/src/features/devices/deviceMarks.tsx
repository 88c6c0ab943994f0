/** Marks of a device, for the list and the page of one. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/device'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import type { Status } from '../../theme/tokens.ts'
import styles from './devices.module.css'

/**
 * The number of persons stored on a device, out of those that should be: figures, a bar and words, and whether its store is nearly full.
 * @param large for the device's own page
 */
export function StoredPersons({
  device: { personsHeld: stored, personsDesired: desired, personsWithoutPhoto: withoutPhoto, nearlyFull, capacity },
  large,
}: {
  device: Device
  large?: boolean
}) {
  const { t, i18n } = useTranslation('devices')
  if (stored === 0 && desired === 0) return <span className={styles.hint}>{t('holdsNobody')}</span>
  const missing = desired - stored - withoutPhoto
  const state = missing > 0 ? t('missing', { count: missing }) : missing < 0 ? t('surplus', { count: -missing }) : t('complete')
  const words = withoutPhoto === 0 ? state : [state, t('withoutPhoto', { count: withoutPhoto })].join(t('common:listSeparator'))
  const share = desired === 0 ? 1 : Math.min(1, stored / desired)
  return (
    <div className={styles.held} data-large={large || undefined} data-complete={missing === 0 || undefined}>
      <span>
        <b>
          {stored.toLocaleString(i18n.language)} / {desired.toLocaleString(i18n.language)}
        </b>
        <small title={words}>{words}</small>
      </span>
      <i aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </i>
      {nearlyFull && (
        <small className={styles.full}>
          {desired > (capacity ?? 0)
            ? t('overFull', { limit: capacity?.toLocaleString(i18n.language) })
            : t('nearlyFull', { limit: capacity?.toLocaleString(i18n.language) })}
        </small>
      )}
    </div>
  )
}

/**
 * The mark of a device that is not released yet, with the button that releases it.
 * @param release null: the user may not release devices
 */
export function NotReleased({ device, release }: { device: Device; release: ((device: Device) => void) | null }) {
  const { t } = useTranslation('devices')
  return (
    <span className={styles.notReleased}>
      <StatusTag status="wait">{t('release.not')}</StatusTag>
      {release && (
        <Button size="small" onClick={() => release(device)}>
          {t('release.release')}
        </Button>
      )}
    </span>
  )
}

const STATUS_OF: Record<NonNullable<Device['signedInBy']>, Status> = { proof: 'ok', secret: 'wait' }

/** How a device proved its identity when it last signed in. */
export function SignedInBy({ way }: { way: Device['signedInBy'] }) {
  const { t } = useTranslation('devices')
  return way === null ? <>{t('signIn.by.notYet')}</> : <StatusTag status={STATUS_OF[way]}>{t(`signIn.by.${way}`)}</StatusTag>
}
