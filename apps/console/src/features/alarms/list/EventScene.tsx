/** The picture of an event, as large as there is room, or that there is none. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './alarms.module.css'

export function EventScene({ url, words }: { url: string; words: string }) {
  const { t } = useTranslation('alarms')
  const [failed, setFailed] = useState('')
  const isShown = url !== '' && url !== failed
  return (
    <div className={styles.scene} data-empty={!isShown || undefined}>
      {isShown ? <img src={url} alt={words} decoding="async" onError={() => setFailed(url)} /> : <p>{t('noPicture')}</p>}
    </div>
  )
}
