/** Of whom a second factor is demanded. Only who has one themselves may demand it. */
import { Button, Form, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { demandedOf, secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { useRead } from '../../../api/query.ts'
import { openSecondFactor } from '../../../shared/secondFactorDialog.ts'
import styles from '../organisation.module.css'
import { SettingGroup } from './SettingGroup.tsx'

export function SecondFactorDemand() {
  const { t } = useTranslation('organisation')
  const own = useRead(secondFactorCalls.read, {})
  const isLacking = own.data?.enrolled === false
  const options = demandedOf.options.map((value) => ({
    value,
    label: t(`settings.secondFactor.${value}`),
    disabled: isLacking && value !== 'nobody',
  }))
  return (
    <SettingGroup name="secondFactor" read={secondFactorCalls.config} save={secondFactorCalls.saveConfig}>
      <Form.Item name="demandedOf" label={t('settings.demandedOf')} extra={t('settings.demandedOfWords')}>
        <Select options={options} style={{ width: 280 }} />
      </Form.Item>
      {isLacking && (
        <p className={styles.first}>
          {t('settings.ownFactorFirst')}{' '}
          <Button type="link" size="small" onClick={openSecondFactor}>
            {t('settings.setUpOwnFactor')}
          </Button>
        </p>
      )}
    </SettingGroup>
  )
}
