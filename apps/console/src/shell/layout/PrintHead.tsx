/** First line of a printed page: park, title, and when it was printed. */
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import styles from './layout.module.css'

export function PrintHead({ title }: { title: string | undefined }) {
  const { t } = useTranslation('shell')
  const park = useSession((state) => state.park?.parkName)
  const { offset } = useZoneOffset()
  return (
    <p className={styles.printHead}>
      <b>{park}</b>
      <span>{title}</span>
      <span>{t('printed', { time: formatInstant(Date.now(), offset) })}</span>
    </p>
  )
}
