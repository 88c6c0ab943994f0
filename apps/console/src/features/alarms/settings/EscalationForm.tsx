/** After how many minutes unhandled alarms are reported again, and to whom. */
import { useQueryClient } from '@tanstack/react-query'
import { Form, InputNumber, Select, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { EMAIL_ALARM_ADDRESSES, LANGUAGES } from '@gatehouse/contract'
import { escalationCalls, type Escalation } from '@gatehouse/contract/alarms/escalation'
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

type Values = Omit<Escalation, 'version'>

/** Pixels of a number. */
const NUMBER = { width: 180 }

export function EscalationForm({ settings: { version, ...values } }: { settings: Escalation }) {
  const { t } = useTranslation('alarms')
  const id = useId()
  const cache = useQueryClient()
  const optionsOf = useEnumOptions()
  const park = useSession((session) => session.park?.areaCode ?? '')
  const contract = useContractForm<typeof escalationCalls.save, Values>({
    call: escalationCalls.save,
    hidden: { version },
    draft: `alarmEscalation.${park}`,
    done: t('config.saved'),
    onDone: (saved) => cache.setQueryData(readOptions(escalationCalls.read, {}).queryKey, saved),
  })
  return (
    <div className={styles.page}>
      <FormBody id={id} initial={ready(values)} contract={contract}>
        <Setting title={t('escalation.title')} words={t('escalation.words')}>
          <Form.Item name="enabled" label={t('escalation.enabled')} valuePropName="checked">
            <Switch />
          </Form.Item>
          <Form.Item name="minutes" label={t('escalation.minutes')} extra={t('escalation.minutesWords')}>
            <InputNumber min={1} max={1440} precision={0} suffix={t('config.minutes')} style={NUMBER} />
          </Form.Item>
          <Form.Item name="minLevel" label={t('config.minLevel')} extra={t('escalation.minLevelWords')}>
            <Select style={NUMBER} options={optionsOf(alarmLevel)} />
          </Form.Item>
          <Form.Item name="emails" label={t('config.emails')} extra={t('escalation.emailsWords', { count: EMAIL_ALARM_ADDRESSES })}>
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
        </Setting>
      </FormBody>
      <SettingsFoot
        form={id}
        unsaved={contract.dirty || contract.restored}
        pending={contract.pending}
        texts={{ save: t('escalation.save'), discard: t('config.discard'), unsaved: t('config.unsaved') }}
        discard={contract.discard}
      />
    </div>
  )
}
