/** Which pop-ups the person wants in this park. Only those are offered that they could see anyway. */
import { Form, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import type { PermissionModule } from '@gatehouse/contract'
import { alarmsCalls, type AccountAlert } from '@gatehouse/contract/alarms/calls'
import { isBuilt } from '@gatehouse/contract/built'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import { mayOpen, type Asked } from '../../api/session.ts'
import type { DialogProps } from '../account/lateDialog.tsx'
import { SoundSetting } from '../notices/alarms/SoundSetting.tsx'
import styles from './layout.module.css'

type Values = Omit<AccountAlert, 'surveillances'>

/** Each switch with what those who are told of it have, and the module that tells it; first those that cannot wait. */
const SWITCHES: [name: keyof Values, asked: Asked, module?: PermissionModule][] = [
  ['watchListHit', { permission: 'access.record', condition: 'notOther' }],
  ['deviceOffline', { permission: 'device.list' }],
  ['visitCheck', { permission: 'visitor.report' }, 'visitor'],
  ['visitArrive', { permission: 'visitor.report' }, 'visitor'],
  ['sendExpiredCustomers', { permission: 'person.list', condition: 'customerManager' }],
  ['deviceSystemResourceAlert', { permission: 'device.list' }, 'alert'],
  ['deviceEvent', { permission: 'access.alert' }, 'alert'],
  ['aiBoxEvent', { permission: 'access.alert' }, 'alert'],
]
/** Those that are heard. */
const HEARD: (keyof Values)[] = ['watchListHit', 'deviceOffline']

export default function AlertSettings(editor: DialogProps) {
  const { t } = useTranslation('alarms')
  const settings = useReadOnce(alarmsCalls.accountAlertList, {})
  const offered = SWITCHES.filter(([, asked, module]) => mayOpen(asked) && (module === undefined || isBuilt(module))).map(([name]) => name)
  const heard = offered.filter((name) => HEARD.includes(name))
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
      {heard.map(switchOf)}
      {heard.length > 0 && <SoundSetting />}
      {offered.filter((name) => !HEARD.includes(name)).map(switchOf)}
    </FormDialog>
  )
}
