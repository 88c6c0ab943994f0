/** Whether this browser sounds at an alarm, and what that sounds like. */
import { Button, Switch } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isMuted, mute, playNow, silence, type Sound } from '../../../kit/media/sound.ts'
import styles from '../../layout/layout.module.css'

export function SoundSetting() {
  const { t } = useTranslation('alarms')
  const [muted, setMuted] = useState(isMuted)
  const [silent, setSilent] = useState(false)
  // What is tried ends with the dialog.
  useEffect(() => silence, [])
  const change = (isOn: boolean): void => {
    mute(!isOn)
    setMuted(!isOn)
  }
  const attempt = (sound: Sound) => (): void => void playNow(sound).then((isHeard) => setSilent(!isHeard))
  return (
    <>
      <div className={styles.switch}>
        <label htmlFor="alert-sound">
          <b>{t('settings.sound')}</b>
          <small>{t('settings.soundHint')}</small>
        </label>
        <Switch id="alert-sound" checked={!muted} onChange={change} />
      </div>
      <p className={styles.attempts}>
        <Button size="small" onClick={attempt('watchList')}>
          {t('settings.tryHit')}
        </Button>
        <Button size="small" onClick={attempt('deviceOffline')}>
          {t('settings.tryOffline')}
        </Button>
      </p>
      {silent && (
        <p role="status" className={styles.hint}>
          {t('settings.trySilent')}
        </p>
      )}
    </>
  )
}
