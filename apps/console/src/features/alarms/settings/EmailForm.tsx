/** Who is told of alarms by e-mail, and how often. */
import { Alert, Form, InputNumber, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { EMAIL_ALARM_ADDRESSES } from '@gatehouse/contract'
import { emailAlarmCalls, type EmailAlarm } from '@gatehouse/contract/alarms/email'
import { Setting } from '../../../kit/form/Setting.tsx'
import { SettingsForm } from '../../../kit/form/SettingsForm.tsx'
import { AddressesField, LanguageField, LeastLevelField, SHORT } from './mailFields.tsx'
import { useSettingsTexts } from './settingsTexts.ts'
import styles from './settings.module.css'

export function EmailForm({ settings: { delivers, ...settings } }: { settings: EmailAlarm }) {
  const { t } = useTranslation('alarms')
  return (
    <SettingsForm
      read={emailAlarmCalls.read}
      save={emailAlarmCalls.save}
      settings={settings}
      draft="alarmEmail"
      texts={useSettingsTexts(t('config.saveEmail'))}
      above={!delivers && <Alert className={styles.note ?? ''} type="warning" showIcon title={t('config.noServer')} />}
    >
      <Setting title={t('config.email')} words={t('config.emailWords')}>
        <Form.Item name="enabled" label={t('config.enabled')} valuePropName="checked" extra={t('config.enabledWords')}>
          <Switch />
        </Form.Item>
        <AddressesField words={t('config.emailsWords', { count: EMAIL_ALARM_ADDRESSES })} />
        <LanguageField />
        <LeastLevelField words={t('config.minLevelWords')} />
        <Form.Item name="groupMinutes" label={t('config.groupMinutes')} extra={t('config.groupMinutesWords')}>
          <InputNumber min={0} max={1440} precision={0} suffix={t('config.minutes')} style={SHORT} />
        </Form.Item>
        <Form.Item name="budgetPerHour" label={t('config.budgetPerHour')} extra={t('config.budgetPerHourWords')}>
          <InputNumber min={0} max={1000} precision={0} suffix={t('config.perHour')} style={SHORT} />
        </Form.Item>
      </Setting>
    </SettingsForm>
  )
}
