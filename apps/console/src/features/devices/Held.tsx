/** How many of the persons it should know a device does know: figures, a bar, and the words for it, also when there is hardly room for more. */
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/calls'
import styles from './devices.module.css'

/** @param large for the device's own page */
export function Held({
  device: { personsHeld: held, personsDesired: desired, personsWithoutPhoto: withoutPhoto, nearlyFull, capacity },
  large,
}: {
  device: Device
  large?: boolean
}) {
  const { t, i18n } = useTranslation('devices')
  if (held === 0 && desired === 0) return <span className={styles.hint}>{t('holdsNobody')}</span>
  const missing = desired - held - withoutPhoto
  const state = missing > 0 ? t('missing', { count: missing }) : missing < 0 ? t('surplus', { count: -missing }) : t('complete')
  const words = withoutPhoto === 0 ? state : [state, t('withoutPhoto', { count: withoutPhoto })].join(t('common:listSeparator'))
  const share = desired === 0 ? 1 : Math.min(1, held / desired)
  return (
    <div className={styles.held} data-large={large || undefined} data-complete={missing === 0 || undefined}>
      <span>
        <b>
          {held.toLocaleString(i18n.language)} / {desired.toLocaleString(i18n.language)}
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
