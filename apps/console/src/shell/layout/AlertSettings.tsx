/** Which pop-ups the user wants in this park. Only those that the user could see anyway are offered. */
import { Form, Switch, Button } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { alarmsCalls, type AccountAlert } from '@gatehouse/contract/alarms/calls'
import { topics } from '@gatehouse/contract/realtime'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import { mayCallNow, mayOpen, type Requirement } from '../../api/session.ts'
import { isMuted, mute, playNow, silence, type Sound } from '../../kit/media/sound.ts'
import type { DialogProps } from '../account/lateDialog.tsx'
import { TasksField } from './TasksField.tsx'
import styles from './layout.module.css'

type SwitchName = Exclude<keyof AccountAlert, 'surveillances'>

/** Each switch with the permission of those who are notified; the urgent ones first. */
const SWITCHES: [name: SwitchName, requirement: Requirement][] = [
  ['watchListHit', { permission: 'access.record', condition: 'notOther' }],
  ['deviceOffline', { permission: 'device.list' }],
  ['visitCheck', { permission: 'visitor.report' }],
  ['visitArrive', { permission: 'visitor.report' }],
  ['sendExpiredCustomers', { permission: 'person.list', condition: 'customerManager' }],
  ['deviceSystemResourceAlert', { permission: 'device.list' }],
  ['deviceEvent', { permission: 'access.alert' }],
  ['aiBoxEvent', { permission: 'access.alert' }],
]
/** Alarms with a sound. */
const AUDIBLE: SwitchName[] = [
  'watchListHit',
  'deviceEvent',
  'aiBoxEvent',
  'deviceOffline',
  'deviceSystemResourceAlert',
  'visitCheck',
  'visitArrive',
]

export default function AlertSettings(editor: DialogProps) {
  const { t } = useTranslation('alarms')
  const settings = useReadOnce(alarmsCalls.accountAlertList, {})
  const offered = SWITCHES.filter(([, requirement]) => mayOpen(requirement)).map(([name]) => name)
  const seesFaces = mayCallNow(topics.faceAlarms)
  const audible = offered.filter((name) => AUDIBLE.includes(name))
  const switchOf = (name: SwitchName) => (
    <div key={name} className={styles.switch}>
      <label htmlFor={`alert-${name}`}>
        <b>{t(`settings.${name}`)}</b>
        <small>{t(`settings.${name}Hint`)}</small>
      </label>
      <Form.Item name={name} valuePropName="checked" noStyle>
        <Switch id={`alert-${name}`} />
      </Form.Item>
    </div>
  )
  return (
    <FormDialog
      call={alarmsCalls.saveAccountAlert}
      editor={editor}
      title={t('settings.title')}
      width={480}
      initial={loadedFrom(settings, (chosen): AccountAlert => chosen)}
      done={t('settings.saved')}
      draft="alertSettings"
    >
      <p className={styles.hint}>{offered.length > 0 || seesFaces ? t('settings.hint') : t('settings.none')}</p>
      {seesFaces && (
        <Form.Item name="surveillances" label={t('settings.surveillances')} extra={t('settings.surveillancesHint')}>
          <TasksField />
        </Form.Item>
      )}
      {audible.map(switchOf)}
      {(audible.length > 0 || seesFaces) && <SoundSetting />}
      {offered.filter((name) => !AUDIBLE.includes(name)).map(switchOf)}
    </FormDialog>
  )
}

/** Whether this browser plays the sounds of alarms, with a button to try each. */
function SoundSetting() {
  const { t } = useTranslation('alarms')
  const [muted, setMuted] = useState(isMuted)
  const [silent, setSilent] = useState(false)
  // A sound that is being tried ends with the dialog.
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
        <Button size="small" onClick={attempt('alarmFirst')}>
          {t('settings.tryFirst')}
        </Button>
        <Button size="small" onClick={attempt('alarmSecond')}>
          {t('settings.trySecond')}
        </Button>
        <Button size="small" onClick={attempt('deviceOffline')}>
          {t('settings.tryOffline')}
        </Button>
        <Button size="small" onClick={attempt('visit')}>
          {t('settings.tryVisit')}
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
