/** Which pop-ups the user wants in this park. Only those that the user could see anyway are offered. */
import { Form, Switch, Button } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PermissionModule } from '@gatehouse/contract'
import { alarmsCalls, type AccountAlert } from '@gatehouse/contract/alarms/calls'
import { isBuilt } from '@gatehouse/contract/built'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import { mayOpen, type Requirement } from '../../api/session.ts'
import { isMuted, mute, playNow, silence, type Sound } from '../../kit/media/sound.ts'
import type { DialogProps } from '../account/lateDialog.tsx'
import styles from './layout.module.css'

type Values = Omit<AccountAlert, 'surveillances'>

/** Each switch with the permission of those who are notified, and the module that notifies; the urgent ones first. */
const SWITCHES: [name: keyof Values, requirement: Requirement, module?: PermissionModule][] = [
  ['watchListHit', { permission: 'access.record', condition: 'notOther' }],
  ['deviceOffline', { permission: 'device.list' }],
  ['visitCheck', { permission: 'visitor.report' }, 'visitor'],
  ['visitArrive', { permission: 'visitor.report' }, 'visitor'],
  ['sendExpiredCustomers', { permission: 'person.list', condition: 'customerManager' }],
  ['deviceSystemResourceAlert', { permission: 'device.list' }, 'alert'],
  ['deviceEvent', { permission: 'access.alert' }, 'alert'],
  ['aiBoxEvent', { permission: 'access.alert' }, 'alert'],
]
/** Alarms with a sound. */
const AUDIBLE: (keyof Values)[] = ['watchListHit', 'deviceOffline', 'visitCheck', 'visitArrive']

export default function AlertSettings(editor: DialogProps) {
  const { t } = useTranslation('alarms')
  const settings = useReadOnce(alarmsCalls.accountAlertList, {})
  const offered = SWITCHES.filter(([, requirement, module]) => mayOpen(requirement) && (module === undefined || isBuilt(module))).map(
    ([name]) => name,
  )
  const audible = offered.filter((name) => AUDIBLE.includes(name))
  const switchOf = (name: keyof Values) => (
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
      initial={loadedFrom(settings, ({ surveillances: _, ...switches }): Values => switches)}
      done={t('settings.saved')}
      draft="alertSettings"
    >
      <p className={styles.hint}>{offered.length > 0 ? t('settings.hint') : t('settings.none')}</p>
      {audible.map(switchOf)}
      {audible.length > 0 && <SoundSetting />}
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
