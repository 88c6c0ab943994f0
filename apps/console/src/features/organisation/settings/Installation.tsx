/** What holds for the whole installation, shown to whoever may change it. */
import { Form, InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'
import { userCalls } from '@gatehouse/contract/identity/users'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { SecondFactorDemand } from './SecondFactorDemand.tsx'
import { SettingGroup } from './SettingGroup.tsx'

export function Installation() {
  const { t } = useTranslation('organisation')
  return (
    <>
      <SecondFactorDemand />
      <SettingGroup name="sleeping" read={userCalls.sleepingConfig} save={userCalls.saveSleepingConfig}>
        <Form.Item name="days" label={t('settings.sleepingDays')} extra={t('settings.sleepingWords')}>
          <InputNumber suffix={t('settings.days')} style={{ width: 180 }} />
        </Form.Item>
      </SettingGroup>
      <SettingGroup name="childrenCap" read={parkSettingCalls.childrenCap} save={parkSettingCalls.saveChildrenCap}>
        <Form.Item name="cap" label={t('settings.cap')} extra={t('settings.capWords')}>
          <InputNumber style={{ width: 180 }} />
        </Form.Item>
      </SettingGroup>
    </>
  )
}
