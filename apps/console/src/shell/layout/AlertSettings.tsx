/** Which pop-ups the person wants in this park. Only those are offered that they could see anyway. */
import { Form, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import type { PermissionCode } from '@gatehouse/contract'
import { alarmsCalls, type AccountAlert } from '@gatehouse/contract/alarms/calls'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { loadedFrom } from '../../kit/loaded.ts'
import { useReadOnce } from '../../kit/query.ts'
import { may } from '../../kit/session.ts'
import type { DialogProps } from '../account/lateDialog.tsx'
import styles from './layout.module.css'

type Values = Omit<AccountAlert, 'surveillances'>

/** Each switch with the code whose holders are told of it. */
const SWITCHES: [name: keyof Values, permission: PermissionCode][] = [
  ['visitCheck', 'visitor.report'],
  ['visitArrive', 'visitor.report'],
  ['sendExpiredCustomers', 'person.list'],
  ['deviceSystemResourceAlert', 'device.list'],
  ['deviceEvent', 'access.alert'],
  ['aiBoxEvent', 'access.alert'],
]

export default function AlertSettings(editor: DialogProps) {
  const { t } = useTranslation('alarms')
  const settings = useReadOnce(alarmsCalls.accountAlertList, {})
  const offered = SWITCHES.filter(([, permission]) => may(permission))
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
      {offered.map(([name]) => (
        <div key={name} className={styles.switch}>
          <label htmlFor={`alert-${name}`}>
            <b>{t(`settings.${name}`)}</b>
            <small>{t(`settings.${name}Hint`)}</small>
          </label>
          <Form.Item name={name} valuePropName="checked" noStyle>
            <Switch id={`alert-${name}`} />
          </Form.Item>
        </div>
      ))}
    </FormDialog>
  )
}
