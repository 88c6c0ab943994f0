/** That a record is of somebody of the watch list: in a colour of its own, and in words. */
import { WarningFilled } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import styles from '../kit/kit.module.css'

export function WatchListTag() {
  const { t } = useTranslation()
  return (
    <span className={styles.watchList}>
      <WarningFilled /> {t('watchList.tag')}
    </span>
  )
}
