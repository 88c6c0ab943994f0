/** The sound of a task's alarms, with a button to hear it. */
import { SoundOutlined } from '@ant-design/icons'
import { Button, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { alarmSound } from '@gatehouse/contract/enums/alarms'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { ALARM_SOUNDS, playNow, silence } from '../../kit/media/sound.ts'
import styles from './surveillance.module.css'

interface SoundFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: keyof typeof ALARM_SOUNDS
  onChange?: (sound: keyof typeof ALARM_SOUNDS) => void
}

export function SoundField({ id, value = alarmSound.first, onChange }: SoundFieldProps) {
  const { t } = useTranslation('surveillance')
  const optionsOf = useEnumOptions()
  return (
    <div className={styles.sound}>
      <Segmented
        {...(id && { id })}
        aria-label={t('task.alarmSound')}
        value={value}
        options={optionsOf(alarmSound)}
        onChange={(sound) => onChange?.(sound as keyof typeof ALARM_SOUNDS)}
      />
      <TrySound sound={value} />
    </div>
  )
}

/** Plays a sound. It ends with the page. */
export function TrySound({ sound }: { sound: keyof typeof ALARM_SOUNDS }) {
  const { t } = useTranslation('surveillance')
  const [isBlocked, setBlocked] = useState(false)
  useEffect(() => silence, [])
  return (
    <>
      <Button
        size="small"
        icon={<SoundOutlined />}
        onClick={() => void playNow(ALARM_SOUNDS[sound]).then((isHeard) => setBlocked(!isHeard))}
      >
        {t('task.trySound')}
      </Button>
      {isBlocked && <small role="status">{t('task.soundBlocked')}</small>}
    </>
  )
}
