/** After how many minutes unhandled alarms are reported again, and to whom. */
import { Form, InputNumber, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { EMAIL_ALARM_ADDRESSES } from '@gatehouse/contract'
import { escalationCalls, type Escalation } from '@gatehouse/contract/alarms/escalation'
import { Setting } from '../../../kit/form/Setting.tsx'
import { SettingsForm } from '../../../kit/form/SettingsForm.tsx'
import { AddressesField, LanguageField, LeastLevelField, SHORT } from './mailFields.tsx'
import { useSettingsTexts } from './settingsTexts.ts'

export function EscalationForm({ settings }: { settings: Escalation }) {
  const { t } = useTranslation('alarms')
  return (
    <SettingsForm
      read={escalationCalls.read}
      save={escalationCalls.save}
      settings={settings}
      draft="alarmEscalation"
      texts={useSettingsTexts(t('escalation.save'))}
    >
      <Setting title={t('escalation.title')} words={t('escalation.words')}>
        <Form.Item name="enabled" label={t('escalation.enabled')} valuePropName="checked">
          <Switch />
        </Form.Item>
        <Form.Item name="minutes" label={t('escalation.minutes')} extra={t('escalation.minutesWords')}>
          <InputNumber min={1} max={1440} precision={0} suffix={t('config.minutes')} style={SHORT} />
        </Form.Item>
        <LeastLevelField words={t('escalation.minLevelWords')} />
        <AddressesField words={t('escalation.emailsWords', { count: EMAIL_ALARM_ADDRESSES })} />
        <LanguageField />
      </Setting>
    </SettingsForm>
  )
}
