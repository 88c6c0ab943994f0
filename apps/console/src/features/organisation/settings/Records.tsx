/** How the park takes its records: how far lists look back, strangers, how long pictures stay, second passages. */
import { Form, InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'
import { PICTURE_DAYS_MAX, REENTRY_MAX, parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { readPark } from '../../../api/readPark.ts'
import { FlagField } from './FlagField.tsx'
import { SettingGroup } from './SettingGroup.tsx'

export function Records() {
  const { t } = useTranslation('organisation')
  return (
    <>
      <SettingGroup name="records" read={parkSettingCalls.accessControl} save={parkSettingCalls.saveAccessControl} onSaved={readPark}>
        <Form.Item name="recordDays" label={t('settings.recordDays')} extra={t('settings.recordDaysWords')}>
          <InputNumber suffix={t('settings.days')} style={{ width: 180 }} />
        </Form.Item>
        <Form.Item name="strangerRecordFlag" label={t('settings.strangers')} extra={t('settings.strangersWords')}>
          <FlagField />
        </Form.Item>
      </SettingGroup>
      <SettingGroup name="pictures" read={parkSettingCalls.pictureRetention} save={parkSettingCalls.savePictureRetention}>
        <Form.Item name="days" label={t('settings.pictureDays')} extra={t('settings.pictureDaysWords', { limit: PICTURE_DAYS_MAX })}>
          <InputNumber suffix={t('settings.days')} style={{ width: 180 }} />
        </Form.Item>
      </SettingGroup>
      <SettingGroup name="reentry" read={parkSettingCalls.reentry} save={parkSettingCalls.saveReentry}>
        <Form.Item name="seconds" label={t('settings.reentrySeconds')} extra={t('settings.reentryWords', { limit: REENTRY_MAX })}>
          <InputNumber suffix={t('settings.seconds')} style={{ width: 180 }} />
        </Form.Item>
      </SettingGroup>
    </>
  )
}
