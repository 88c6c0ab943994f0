/** Who is told of alarms by e-mail, and how often. */
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Form, InputNumber, Select, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { EMAIL_ALARM_ADDRESSES, LANGUAGES } from '@gatehouse/contract'
import { emailAlarmCalls, type EmailAlarm } from '@gatehouse/contract/alarms/email'
import { alarmLevel } from '@gatehouse/contract/enums/alarms'
import { readOptions } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { Setting } from '../../../kit/form/Setting.tsx'
import { SettingsFoot } from '../../../kit/form/SettingsFoot.tsx'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import { LANGUAGE_NAMES } from '../../../i18n/index.ts'
import styles from './settings.module.css'

type Values = Omit<EmailAlarm, 'version' | 'delivers'>

/** Pixels of a number. */
const NUMBER = { width: 180 }

export function EmailForm({ settings: { version, delivers, ...values } }: { settings: EmailAlarm }) {
  const { t } = useTranslation('alarms')
  const id = useId()
  const cache = useQueryClient()
  const optionsOf = useEnumOptions()
  const park = useSession((session) => session.park?.areaCode ?? '')
  const contract = useContractForm<typeof emailAlarmCalls.save, Values>({
    call: emailAlarmCalls.save,
    hidden: { version },
    draft: `alarmEmail.${park}`,
    done: t('config.saved'),
    onDone: (saved) => cache.setQueryData(readOptions(emailAlarmCalls.read, {}).queryKey, saved),
  })
  return (
    <div className={styles.page}>
      {!delivers && <Alert className={styles.note ?? ''} type="warning" showIcon title={t('config.noServer')} />}
      <FormBody id={id} initial={ready(values)} contract={contract}>
        <Setting title={t('config.email')} words={t('config.emailWords')}>
          <Form.Item name="enabled" label={t('config.enabled')} valuePropName="checked" extra={t('config.enabledWords')}>
            <Switch />
          </Form.Item>
          <Form.Item name="emails" label={t('config.emails')} extra={t('config.emailsWords', { count: EMAIL_ALARM_ADDRESSES })}>
            <Select
              mode="tags"
              allowClear
              open={false}
              suffixIcon={null}
              tokenSeparators={[',', ';', '，', '；', ' ', '\n', '\t']}
              placeholder={t('config.emailsHint', { address: 'guard@example.org' })}
            />
          </Form.Item>
          <Form.Item name="language" label={t('config.language')} extra={t('config.languageWords')}>
            <Select style={NUMBER} options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))} />
          </Form.Item>
          <Form.Item name="minLevel" label={t('config.minLevel')} extra={t('config.minLevelWords')}>
            <Select style={NUMBER} options={optionsOf(alarmLevel)} />
          </Form.Item>
          <Form.Item name="groupMinutes" label={t('config.groupMinutes')} extra={t('config.groupMinutesWords')}>
            <InputNumber min={0} max={1440} precision={0} suffix={t('config.minutes')} style={NUMBER} />
          </Form.Item>
          <Form.Item name="budgetPerHour" label={t('config.budgetPerHour')} extra={t('config.budgetPerHourWords')}>
            <InputNumber min={0} max={1000} precision={0} suffix={t('config.perHour')} style={NUMBER} />
          </Form.Item>
        </Setting>
      </FormBody>
      <SettingsFoot
        form={id}
        unsaved={contract.dirty || contract.restored}
        pending={contract.pending}
        texts={{ save: t('config.saveEmail'), discard: t('config.discard'), unsaved: t('config.unsaved') }}
        discard={contract.discard}
      />
    </div>
  )
}
