/** Fields of settings by which alarms are sent as e-mails. */
import { Form, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '@gatehouse/contract'
import { alarmLevel } from '@gatehouse/contract/enums/alarms'
import { LANGUAGE_NAMES } from '../../../i18n/index.ts'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'

/** Pixels of a short field. */
export const SHORT = { width: 180 }

export function AddressesField({ words }: { words: string }) {
  const { t } = useTranslation('alarms')
  return (
    <Form.Item name="emails" label={t('config.emails')} extra={words}>
      <Select
        mode="tags"
        allowClear
        open={false}
        suffixIcon={null}
        tokenSeparators={[',', ';', '，', '；', ' ', '\n', '\t']}
        placeholder={t('config.emailsHint', { address: 'guard@example.org' })}
      />
    </Form.Item>
  )
}

export function LanguageField() {
  const { t } = useTranslation('alarms')
  return (
    <Form.Item name="language" label={t('config.language')} extra={t('config.languageWords')}>
      <Select style={SHORT} options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))} />
    </Form.Item>
  )
}

export function LeastLevelField({ words }: { words: string }) {
  const { t } = useTranslation('alarms')
  const optionsOf = useEnumOptions()
  return (
    <Form.Item name="minLevel" label={t('config.minLevel')} extra={words}>
      <Select style={SHORT} options={optionsOf(alarmLevel)} />
    </Form.Item>
  )
}
