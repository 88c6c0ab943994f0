/** The parking system of the park. */
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { readPark } from '../../../api/readPark.ts'
import styles from '../organisation.module.css'
import { SecretField } from './SecretField.tsx'
import { SettingGroup } from './SettingGroup.tsx'

const SECRETS = ['key', 'secret', 'password'] as const

export function CarPark() {
  const { t } = useTranslation('organisation')
  const text = (name: 'appId' | 'account' | 'merchantCode' | 'channel') => (
    <Form.Item name={name} label={t(`settings.carPark.${name}`)}>
      <Input maxLength={200} />
    </Form.Item>
  )
  return (
    <SettingGroup name="carPark" read={parkSettingCalls.carPark} save={parkSettingCalls.saveCarPark} unkept={SECRETS} onSaved={readPark}>
      {({ secretsSet }) => (
        <>
          <Form.Item name="url" label={t('settings.carPark.url')} extra={t('settings.carPark.urlWords')}>
            <Input maxLength={200} placeholder="https://" />
          </Form.Item>
          <Form.Item name="createUrl" label={t('settings.carPark.createUrl')}>
            <Input maxLength={200} placeholder="https://" />
          </Form.Item>
          <div className={styles.two}>
            {text('appId')}
            {text('merchantCode')}
            {text('account')}
            {text('channel')}
            {SECRETS.map((name) => (
              <Form.Item key={name} name={name} label={t(`settings.carPark.${name}`)}>
                <SecretField isSet={secretsSet.includes(name)} />
              </Form.Item>
            ))}
          </div>
        </>
      )}
    </SettingGroup>
  )
}
