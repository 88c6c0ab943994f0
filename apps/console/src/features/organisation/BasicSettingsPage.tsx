/** /basicSettings: settings of a park, in groups that are saved separately. */
import { Form, InputNumber, Input, Button, Select } from 'antd'
import Password from 'antd/es/input/Password'
import { useTranslation } from 'react-i18next'
import { PICTURE_DAYS_MAX, REENTRY_MAX, parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { userCalls } from '@gatehouse/contract/identity/users'
import { demandedOf, secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMay, useMayOpen, useSession } from '../../api/session.ts'
import { readPark } from '../../api/readPark.ts'
import { useRead } from '../../api/query.ts'
import { openSecondFactor } from '../../shared/secondFactorDialog.ts'
import { Registration } from './settings/Registration.tsx'
import { FlagField, SettingGroup } from './settings/SettingGroup.tsx'
import styles from './organisation.module.css'

export default function BasicSettingsPage() {
  const { t } = useTranslation('organisation')
  const park = useSession((session) => session.park?.parkName)
  const mayPark = useMay('carpark.parkAdmin')
  const wholeInstallation = useMayOpen({ permission: null, condition: 'installation' })
  return (
    <Screen title={t('settings.title')} note={park}>
      <Registration />
      <Records />
      {mayPark && <CarPark />}
      {wholeInstallation && <Installation />}
    </Screen>
  )
}

/** Settings of records: the window of lists, strangers, how long pictures are kept, repeated passages. */
function Records() {
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

const SECRETS = ['key', 'secret', 'password'] as const

/** The parking system of the park. */
function CarPark() {
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

interface SecretFieldProps {
  /** Whether a secret is stored. */
  isSet: boolean
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string
  onChange?: (event: React.ChangeEvent<HTMLInputElement>) => void
}

/** A secret, which is never shown; left empty, the stored one is kept. */
function SecretField({ isSet, ...inputProps }: SecretFieldProps) {
  const { t } = useTranslation('organisation')
  return (
    <Password
      {...inputProps}
      autoComplete="new-password"
      maxLength={200}
      placeholder={t(isSet ? 'settings.secretSet' : 'settings.secretMissing')}
    />
  )
}

/** Settings of the whole installation, shown only to users who may change them. */
function Installation() {
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

/** The users who are required to have a second factor. Only a user who has one can require it. */
function SecondFactorDemand() {
  const { t } = useTranslation('organisation')
  const ownFactor = useRead(secondFactorCalls.read, {})
  const isLacking = ownFactor.data?.enrolled === false
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
