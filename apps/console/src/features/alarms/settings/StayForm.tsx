/** How long bubbles of alarms stay. */
import { Form, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import type { AlarmConfig } from '@gatehouse/contract/alarms/config'
import { alarmPopupStay } from '@gatehouse/contract/enums/alarms'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { Setting } from '../../../kit/form/Setting.tsx'
import { SettingsForm } from '../../../kit/form/SettingsForm.tsx'
import { useSettingsTexts } from './settingsTexts.ts'

export function StayForm({ settings }: { settings: AlarmConfig & { version: number } }) {
  const { t } = useTranslation('alarms')
  const optionsOf = useEnumOptions()
  // In the order of how long they stay.
  const options = optionsOf(alarmPopupStay)
  return (
    <SettingsForm
      read={alarmsCalls.config}
      save={alarmsCalls.saveConfig}
      settings={settings}
      draft="alarmStay"
      texts={useSettingsTexts(t('config.saveStay'))}
    >
      <Setting title={t('config.stay')} words={t('config.stayWords')}>
        <Form.Item name="stay_time" label={t('config.stay_time')} extra={t('config.stay_timeWords')}>
          <Segmented aria-label={t('config.stay_time')} options={options} />
        </Form.Item>
        <Form.Item name="device_alert_stay_time" label={t('config.device_alert_stay_time')} extra={t('config.device_alert_stay_timeWords')}>
          <Segmented aria-label={t('config.device_alert_stay_time')} options={options} />
        </Form.Item>
      </Setting>
    </SettingsForm>
  )
}
